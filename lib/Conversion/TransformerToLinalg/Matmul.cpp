// Matrix products and linear layers: a contraction, then bias, activation and residual on its sums.
#include "Quantization.h"
#include "SizeChecks.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// activation(sums * scales + bias) + residual, rounded to the element type of the op's result.
template <typename OpTy>
Value emitEpilogue(ImplicitLocOpBuilder &b, OpTy op, const Sizes &sizes, Type compute, Value sums,
                   ArrayRef<Operand> scales = {}) {
  int64_t rank = sizes.size();
  AffineMap all = b.getMultiDimIdentityMap(rank);
  SmallVector<Operand> inputs = {{sums, all}};
  llvm::append_range(inputs, scales);
  if (op.getBias())
    inputs.push_back({op.getBias(), dimsMap(b, rank, {rank - 1})});
  if (op.getResidual())
    inputs.push_back({op.getResidual(), all});
  return emitElementwise(b, sizes, op.getResult().getType().getElementType(), inputs,
                         [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                           Value value = args[0];
                           unsigned next = 1;
                           for (size_t i = 0; i < scales.size(); ++i)
                             value = arith::MulFOp::create(inner, value,
                                                           toType(inner, args[next++], compute));
                           if (op.getBias())
                             value = emitAdd(inner, value, toType(inner, args[next++], compute));
                           if (auto kind = op.getActivation())
                             value = emitActivation(inner, *kind, value);
                           if (op.getResidual())
                             value = emitAdd(inner, value, toType(inner, args[next], compute));
                           return value;
                         });
}

/// 1. The contraction over loops [batch..., m, n, k], with transposes as indexing maps, into sums
///    of the accumulation type.
/// 2. The epilogue, if there is one, or a rounding to the element type: one elementwise operation.
struct LowerMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getResult().getType();
    ReifiedRankedShapedTypeDims shapes;
    if (failed(op.reifyResultShapes(b, shapes)))
      return rewriter.notifyMatchFailure(op, "its result has no known shape");
    checkSizes(b, op);
    Type compute = op.getAccumulationType();
    Value sums = emitProduct(b, op, shapes[0], compute);
    if (op.hasEpilogue() || compute != type.getElementType())
      sums = emitEpilogue(b, op, shapes[0], compute, sums);
    rewriter.replaceOp(op, castTo(b, sums, type));
    return success();
  }

  static Value emitProduct(ImplicitLocOpBuilder &b, MatmulOp op, const Sizes &sizes, Type compute) {
    int64_t rank = op.getLhs().getType().getRank(), batch = rank - 2;
    int64_t m = batch, n = batch + 1, k = batch + 2;
    SmallVector<int64_t> lhs = llvm::to_vector(llvm::seq<int64_t>(0, batch)), rhs, result = lhs;
    if (op.getRhs().getType().getRank() == rank)
      rhs = lhs;
    lhs.append(op.getTransposeLhs() ? std::initializer_list<int64_t>{k, m}
                                    : std::initializer_list<int64_t>{m, k});
    rhs.append(op.getTransposeRhs() ? std::initializer_list<int64_t>{n, k}
                                    : std::initializer_list<int64_t>{k, n});
    result.append({m, n});
    return emitContraction(b, sizes, compute, {op.getLhs(), dimsMap(b, rank + 1, lhs)},
                           {op.getRhs(), dimsMap(b, rank + 1, rhs)}, dimsMap(b, rank + 1, result));
  }
};

/// 1. Narrow weights as numbers. Where a scale is one of a whole sum, it multiplies the sum, and
///    the values themselves, which every type of input holds exactly, are in the input's type, or
///    in their own where the input is as narrow.
///    Otherwise they are in the accumulation's type, unrounded, and the input is too, for one
///    contraction of one type.
/// 2. The contraction over loops [..., n, k].
/// 3. The epilogue, or a rounding.
struct LowerLinear : OpRewritePattern<LinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LinearOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    checkSizes(b, op);
    RankedTensorType type = op.getResult().getType();
    Type compute = op.getAccumulationType();
    Sizes sizes = sizesOf(b, op.getInput());
    int64_t rank = sizes.size();
    sizes.back() = tensor::getMixedSize(b, b.getLoc(), op.getWeights(), 0);
    Value input = op.getInput(), weights = op.getWeights();
    SmallVector<Operand> scales;
    if (scalesSums(op)) {
      bool ofColumns = op.getScale().getType().getRank() == 1;
      scales.push_back(
          {op.getScale(), ofColumns ? dimsMap(b, rank, {rank - 1}) : dimsMap(b, rank, {})});
      if (op.getInputScale())
        scales.push_back({op.getInputScale(), mapWithout(b, rank, rank - 1)});
      else
        weights = emitConverted(b, weights, getElementTypeOrSelf(input));
    } else if (op.getScale()) {
      weights = emitWeights(b, op, compute);
      input = emitConverted(b, input, compute);
    }
    // Loops [..., n, k].
    AffineMap result = b.getMultiDimIdentityMap(rank + 1).getMajorSubMap(rank);
    Value sums = emitContraction(b, sizes, compute, {input, mapWithout(b, rank + 1, rank - 1)},
                                 {weights, dimsMap(b, rank + 1, {rank - 1, rank})}, result);
    if (!scales.empty() || op.hasEpilogue() || compute != type.getElementType())
      sums = emitEpilogue(b, op, sizes, compute, sums, scales);
    rewriter.replaceOp(op, castTo(b, sums, type));
    return success();
  }

  static bool scalesSums(LinearOp op) {
    return op.getScale() && !op.getZeroPoint() && !op.getBlock();
  }

  static Value emitConverted(ImplicitLocOpBuilder &b, Value value, Type element) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() == element)
      return value;
    return emitElementwise(b, sizesOf(b, value), element,
                           {{value, b.getMultiDimIdentityMap(type.getRank())}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                             return toType(inner, args[0], element);
                           });
  }

  static Value emitWeights(ImplicitLocOpBuilder &b, LinearOp op, Type compute) {
    ScaleReader reader(op.getScale(), op.getZeroPoint(), /*rank=*/2, /*axis=*/0, op.getBlock());
    SmallVector<Operand> inputs = {{op.getWeights(), b.getMultiDimIdentityMap(2)}};
    reader.addOperands(b, inputs);
    return emitElementwise(b, sizesOf(b, op.getWeights()), compute, inputs,
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                             auto [scale, zeroPoint] = reader.read(inner, args, 1);
                             return emitNumber(inner, args[0], scale, zeroPoint, compute);
                           });
  }
};

} // namespace

void populateMatmulPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerLinear, LowerMatmul>(patterns.getContext());
}

} // namespace forge
