// Activation, sums and products of two tensors, embedding.
#include "Emit.h"
#include "SizeChecks.h"

#include <cmath>

using namespace mlir;
using namespace forge::transformer;

namespace forge {

Value emitActivation(ImplicitLocOpBuilder &b, ActivationKind kind, Value x) {
  Type type = x.getType();
  auto c = [&](double value) { return constant(b, type, value); };
  auto mul = [&](Value l, Value r) -> Value { return arith::MulFOp::create(b, l, r); };
  auto add = [&](Value l, Value r) -> Value { return arith::AddFOp::create(b, l, r); };
  switch (kind) {
  case ActivationKind::Relu:
    return arith::MaximumFOp::create(b, x, c(0));
  case ActivationKind::ReluSquared: {
    Value positive = arith::MaximumFOp::create(b, x, c(0));
    return mul(positive, positive);
  }
  case ActivationKind::Gelu: {
    Value erf = math::ErfOp::create(b, mul(x, c(M_SQRT1_2)));
    return mul(mul(x, c(0.5)), add(erf, c(1)));
  }
  case ActivationKind::GeluTanh: {
    Value cubic = mul(mul(mul(x, x), x), c(0.044715));
    Value tanh = math::TanhOp::create(b, mul(add(x, cubic), c(M_SQRT2 * M_2_SQRTPI / 2)));
    return mul(mul(x, c(0.5)), add(tanh, c(1)));
  }
  case ActivationKind::Silu:
  case ActivationKind::Sigmoid: {
    Value decay = math::ExpOp::create(b, arith::NegFOp::create(b, x));
    Value numerator = kind == ActivationKind::Silu ? x : c(1);
    return arith::DivFOp::create(b, numerator, add(decay, c(1)));
  }
  case ActivationKind::Tanh:
    return math::TanhOp::create(b, x);
  }
  llvm_unreachable("all kinds handled");
}

namespace {

struct LowerActivation : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ActivationOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getInput().getType();
    Type element = type.getElementType();
    AffineMap all = b.getMultiDimIdentityMap(type.getRank());
    Value result = emitElementwise(b, sizesOf(b, op.getInput()), element, {{op.getInput(), all}},
                                   [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                                     Value x = toType(inner, args[0], computeType(element));
                                     return emitActivation(inner, op.getKind(), x);
                                   });
    rewriter.replaceOp(op, castTo(b, result, type));
    return success();
  }
};

/// A sum or product of two tensors, computed wide and rounded once.
template <typename OpTy, typename ArithOp> struct LowerBinary : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    checkShapes(b, op, "rhs", op.getRhs(), op.getLhs());
    RankedTensorType type = op.getLhs().getType();
    Type compute = computeType(type.getElementType());
    AffineMap all = b.getMultiDimIdentityMap(type.getRank());
    Value result = emitElementwise(b, sizesOf(b, op.getLhs()), type.getElementType(),
                                   {{op.getLhs(), all}, {op.getRhs(), all}},
                                   [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                     return ArithOp::create(inner, toType(inner, args[0], compute),
                                                            toType(inner, args[1], compute));
                                   });
    rewriter.replaceOp(op, castTo(b, result, type));
    return success();
  }
};

/// A row of the table is read at the token, held inside the table.
struct LowerEmbedding : OpRewritePattern<EmbeddingOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(EmbeddingOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    checkSizes(b, op);
    int64_t rank = op.getResult().getType().getRank();
    Sizes sizes = sizesOf(b, op.getIds());
    sizes.push_back(tensor::getMixedSize(b, b.getLoc(), op.getTable(), 1));
    Value rows = tensor::DimOp::create(b, op.getTable(), 0);
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value last = arith::SubIOp::create(b, rows, arith::ConstantIndexOp::create(b, 1));
    Value result = emitElementwise(
        b, sizes, op.getTable().getType().getElementType(),
        {{op.getIds(), mapWithout(b, rank, rank - 1)}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value id = arith::IndexCastOp::create(inner, inner.getIndexType(), args[0]);
          Value row = arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, id, zero), last);
          Value column = linalg::IndexOp::create(inner, rank - 1);
          return tensor::ExtractOp::create(inner, op.getTable(), ValueRange{row, column});
        });
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

} // namespace

void populateActivationPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerActivation, LowerBinary<AddOp, arith::AddFOp>,
               LowerBinary<MultiplyOp, arith::MulFOp>, LowerEmbedding>(patterns.getContext());
}

} // namespace forge
