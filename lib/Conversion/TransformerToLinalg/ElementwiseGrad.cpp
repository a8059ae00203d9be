// Gradients of activations and embedding, and sums.
#include "Emit.h"

#include "forge/Conversion/Utils/GroupedUpdates.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace forge::transformer;

namespace forge {

/// x for x > 0, else 0; and what `positive` makes of it there.
static Value whereAbove(ImplicitLocOpBuilder &b, Value x, Value positive) {
  Value zero = constant(b, x.getType(), 0.0);
  Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, zero);
  return arith::SelectOp::create(b, above, positive, zero);
}

Value emitActivationSlope(ImplicitLocOpBuilder &b, ActivationKind kind, Value x) {
  Type type = x.getType();
  auto c = [&](double value) { return constant(b, type, value); };
  auto mul = [&](Value l, Value r) -> Value { return arith::MulFOp::create(b, l, r); };
  auto add = [&](Value l, Value r) -> Value { return arith::AddFOp::create(b, l, r); };
  auto sub = [&](Value l, Value r) -> Value { return arith::SubFOp::create(b, l, r); };
  // Slopes are at their limits long before: powers of larger numbers would overflow, and infinity
  // times 0 is no limit.
  if (kind == ActivationKind::Gelu || kind == ActivationKind::GeluTanh ||
      kind == ActivationKind::Silu)
    x = arith::MinimumFOp::create(b, arith::MaximumFOp::create(b, x, c(-1000)), c(1000));
  switch (kind) {
  case ActivationKind::Relu:
    return whereAbove(b, x, c(1));
  case ActivationKind::ReluSquared:
    return whereAbove(b, x, add(x, x));
  case ActivationKind::Gelu: {
    Value erf = math::ErfOp::create(b, mul(x, c(M_SQRT1_2)));
    Value density =
        mul(math::ExpOp::create(b, mul(mul(x, x), c(-0.5))), c(M_2_SQRTPI * M_SQRT1_2 / 2));
    return add(mul(add(erf, c(1)), c(0.5)), mul(x, density));
  }
  case ActivationKind::GeluTanh: {
    double root = M_SQRT2 * M_2_SQRTPI / 2;
    Value square = mul(x, x);
    Value inside = mul(add(x, mul(mul(square, x), c(0.044715))), c(root));
    Value tanh = math::TanhOp::create(b, inside);
    Value inner = add(c(root), mul(square, c(3 * 0.044715 * root)));
    Value bend = mul(mul(mul(x, c(0.5)), sub(c(1), mul(tanh, tanh))), inner);
    return add(mul(add(tanh, c(1)), c(0.5)), bend);
  }
  case ActivationKind::Silu:
  case ActivationKind::Sigmoid: {
    Value decay = math::ExpOp::create(b, arith::NegFOp::create(b, x));
    Value sigmoid = arith::DivFOp::create(b, c(1), add(decay, c(1)));
    Value slope = mul(sigmoid, sub(c(1), sigmoid));
    return kind == ActivationKind::Sigmoid ? slope : add(sigmoid, mul(x, slope));
  }
  case ActivationKind::Tanh: {
    Value tanh = math::TanhOp::create(b, x);
    return sub(c(1), mul(tanh, tanh));
  }
  }
  llvm_unreachable("all kinds handled");
}

namespace {

struct LowerActivationGrad : OpRewritePattern<ActivationGradOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ActivationGradOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getInput().getType();
    Type compute = computeType(type.getElementType());
    AffineMap all = b.getMultiDimIdentityMap(type.getRank());
    Value result = emitElementwise(
        b, sizesOf(b, op.getInput()), type.getElementType(),
        {{op.getCotangent(), all}, {op.getInput(), all}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value slope = emitActivationSlope(inner, op.getKind(), toType(inner, args[1], compute));
          return arith::MulFOp::create(inner, toType(inner, args[0], compute), slope);
        });
    rewriter.replaceOp(op, castTo(b, result, type));
    return success();
  }
};

struct LowerSum : OpRewritePattern<SumOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SumOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getInput().getType();
    Type compute = op.getAccumulationType();
    Value sums = emitSum(b, sizesOf(b, op.getInput()), op.getDimensions(), compute,
                         {{op.getInput(), b.getMultiDimIdentityMap(type.getRank())}},
                         [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                           return toType(inner, args[0], compute);
                         });
    Value result = emitRounded(b, sums, type.getElementType());
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

/// 1. Tokens and rows become one list: [T] and [T, D].
/// 2. Sums begin as zeros [V, D], in the type of accumulation.
/// 3. Token by token, in order, its row is added to the sums in place; on devices, many tokens are
///    grouped by id.
/// 4. Sums are rounded.
class EmbeddingGradLowering {
public:
  EmbeddingGradLowering(ImplicitLocOpBuilder &b, EmbeddingGradOp op, SortForm form)
      : b(b), op(op), form(form), compute(op.getAccumulationType()),
        sizes(sizesOf(b, op.getTable())) {}

  Value run() {
    Value ids = asList(op.getIds(), 0), rows = asList(op.getCotangent(), 1);
    Value zeros = emitFilled(b, sizes, compute, 0.0);
    Type element = op.getTable().getType().getElementType();
    if (std::optional<Value> sums = addGrouped(zeros, ids, rows))
      return emitRounded(b, *sums, element);
    Value none = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
    Value height = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[0]);
    // A table without rows has nothing to add to.
    Value empty = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, height, none);
    Value count = arith::SelectOp::create(b, empty, none, tensor::DimOp::create(b, ids, 0));
    Value last = arith::SubIOp::create(b, height, one);
    auto loop =
        scf::ForOp::create(b, none, count, one, ValueRange{zeros},
                           [&](OpBuilder &builder, Location loc, Value token, ValueRange sums) {
                             ImplicitLocOpBuilder inner(loc, builder);
                             Value row = emitRow(IndexBuilder{builder, loc}, ids, token, last);
                             scf::YieldOp::create(inner, addRow(inner, sums[0], row, rows, token));
                           });
    return emitRounded(b, loop.getResult(0), element);
  }

private:
  /// The row of a token's id, which is `last` at most.
  static Value emitRow(IndexBuilder in, Value ids, Value token, Value last) {
    Value id = arith::IndexCastOp::create(in.b, in.loc, in.b.getIndexType(), in.read(ids, {token}));
    return in.min(in.max(id, in.constant(0)), last);
  }

  std::optional<Value> addGrouped(Value zeros, Value ids, Value rows) {
    auto table = cast<RankedTensorType>(zeros.getType());
    auto list = cast<RankedTensorType>(rows.getType());
    if (form != SortForm::Chunked || !table.hasStaticShape() || !list.hasStaticShape() ||
        !shouldGroup(list.getDimSize(0), table.getDimSize(0)) || table.getDimSize(1) == 0)
      return std::nullopt;
    GroupedUpdates updates;
    updates.count = list.getDimSize(0);
    updates.rows = table.getDimSize(0);
    updates.window = {table.getDimSize(1)};
    auto row = [&](IndexBuilder in, Value token) {
      return emitRow(in, ids, token, in.constant(updates.rows - 1));
    };
    auto place = [](IndexBuilder, Value number, ValueRange window) {
      return SmallVector<Value>{number, window[0]};
    };
    auto read = [&](IndexBuilder in, Value token, ValueRange window) {
      ImplicitLocOpBuilder inner(in.loc, in.b);
      return SmallVector<Value>{toType(inner, in.read(rows, {token, window[0]}), compute)};
    };
    auto combine = [](IndexBuilder in, ValueRange old, ValueRange term) {
      return SmallVector<Value>{arith::AddFOp::create(in.b, in.loc, old[0], term[0])};
    };
    updates.row = row;
    updates.place = place;
    updates.read = read;
    updates.combine = combine;
    return createGroupedUpdates(b, b.getLoc(), zeros, updates).front();
  }

  /// `value` with all dimensions but the last `kept` as one.
  Value asList(Value value, int64_t kept) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t rank = type.getRank();
    SmallVector<ReassociationIndices> groups;
    if (rank == kept) { // one token: a dimension in front
      if (kept == 1)
        groups.push_back({0, 1});
      SmallVector<int64_t> shape(type.getShape());
      shape.insert(shape.begin(), 1);
      Sizes to = sizesOf(b, value);
      to.insert(to.begin(), b.getIndexAttr(1));
      return tensor::ExpandShapeOp::create(b, type.clone(shape), value, groups, to);
    }
    groups.emplace_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank - kept)));
    for (int64_t dim = rank - kept; dim < rank; ++dim)
      groups.push_back({dim});
    return rank - kept == 1 ? value : tensor::CollapseShapeOp::create(b, value, groups).getResult();
  }

  /// sums[row, :] += rows[token, :].
  Value addRow(ImplicitLocOpBuilder &inner, Value sums, Value row, Value rows, Value token) {
    OpFoldResult zero = inner.getIndexAttr(0), one = inner.getIndexAttr(1);
    Sizes size = {one, sizes[1]}, strides = {one, one};
    Value old = tensor::ExtractSliceOp::create(inner, sums, Sizes{row, zero}, size, strides);
    Value added = tensor::ExtractSliceOp::create(inner, rows, Sizes{token, zero}, size, strides);
    AffineMap all = inner.getMultiDimIdentityMap(2);
    SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
    auto sum = linalg::GenericOp::create(
        inner, old.getType(), added, old, ArrayRef<AffineMap>{all, all}, loops,
        [&](OpBuilder &builder, Location loc, ValueRange args) {
          ImplicitLocOpBuilder body(loc, builder);
          Value term = toType(body, args[0], compute);
          linalg::YieldOp::create(body, Value(arith::AddFOp::create(body, args[1], term)));
        });
    return tensor::InsertSliceOp::create(inner, sum.getResult(0), sums, Sizes{row, zero}, size,
                                         strides);
  }

  ImplicitLocOpBuilder &b;
  EmbeddingGradOp op;
  SortForm form;
  Type compute;
  Sizes sizes;
};

struct LowerEmbeddingGrad : OpRewritePattern<EmbeddingGradOp> {
  LowerEmbeddingGrad(MLIRContext *context, SortForm form) : OpRewritePattern(context), form(form) {}
  LogicalResult matchAndRewrite(EmbeddingGradOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(
        op, castTo(b, EmbeddingGradLowering(b, op, form).run(), op.getResult().getType()));
    return success();
  }

private:
  SortForm form;
};

} // namespace

void populateElementwiseGradPatterns(RewritePatternSet &patterns, SortForm form) {
  patterns.add<LowerActivationGrad, LowerSum>(patterns.getContext());
  patterns.add<LowerEmbeddingGrad>(patterns.getContext(), form);
}

} // namespace forge
