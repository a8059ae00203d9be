// Products of groups of rows with one matrix each.
#include "Emit.h"
#include "SizeChecks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// A loop over the groups, which carries the result and the row at which the group begins:
/// 1. The group's rows: what `groups` says, held inside the rows there are.
/// 2. A product of that slice of the rows with the group's matrix, and its epilogue.
/// 3. The product's rows go into the result, which began as zeros.
class GroupedLowering {
public:
  GroupedLowering(ImplicitLocOpBuilder &b, GroupedMatmulOp op)
      : b(b), op(op), zero(arith::ConstantIndexOp::create(b, 0)) {
    rows = tensor::DimOp::create(b, op.getLhs(), 0);
    depth = tensor::getMixedSize(b, b.getLoc(), op.getLhs(), 1);
    columns = tensor::getMixedSize(b, b.getLoc(), op.getRhs(), op.getRhsColDim());
  }

  Value run() {
    Type element = op.getResult().getType().getElementType();
    Sizes sizes = {tensor::getMixedSize(b, b.getLoc(), op.getLhs(), 0), columns};
    Value empty = tensor::EmptyOp::create(b, sizes, element);
    Value zeros = linalg::FillOp::create(b, constant(b, element, 0.0), empty).getResult(0);
    Value groups = tensor::DimOp::create(b, op.getRhs(), 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    auto loop =
        scf::ForOp::create(b, zero, groups, one, ValueRange{zeros, zero},
                           [&](OpBuilder &builder, Location loc, Value group, ValueRange carried) {
                             ImplicitLocOpBuilder inner(loc, builder);
                             auto [begin, size] = emitRows(inner, group, carried[1]);
                             Value product = emitProduct(inner, group, begin, size);
                             Value result = tensor::InsertSliceOp::create(
                                 inner, product, carried[0], Sizes{begin, inner.getIndexAttr(0)},
                                 Sizes{size, columns}, Sizes(2, inner.getIndexAttr(1)));
                             Value end = arith::AddIOp::create(inner, begin, size);
                             scf::YieldOp::create(inner, ValueRange{result, end});
                           });
    return loop.getResult(0);
  }

private:
  Value at(ImplicitLocOpBuilder &inner, Value index) {
    Value number = tensor::ExtractOp::create(inner, op.getGroups(), ValueRange{index});
    return arith::IndexCastOp::create(inner, inner.getIndexType(), number);
  }

  /// clamp(value, low, high)
  Value held(ImplicitLocOpBuilder &inner, Value value, Value low, Value high) {
    return arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, value, low), high);
  }

  /// The group's first row, and how many it has.
  std::pair<Value, Value> emitRows(ImplicitLocOpBuilder &inner, Value group, Value previous) {
    if (!op.getOffsets()) {
      Value left = arith::SubIOp::create(inner, rows, previous);
      return {previous, held(inner, at(inner, group), zero, left)};
    }
    Value next = arith::AddIOp::create(inner, group, arith::ConstantIndexOp::create(inner, 1));
    Value begin = held(inner, at(inner, group), zero, rows);
    Value end = held(inner, at(inner, next), begin, rows);
    return {begin, arith::SubIOp::create(inner, end, begin)};
  }

  /// The matrix or row of `tensor` that belongs to the group.
  Value ofGroup(ImplicitLocOpBuilder &inner, Value tensor, Value group) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Sizes offsets(type.getRank(), inner.getIndexAttr(0)),
        sizes = sizesOf(inner, tensor), strides(type.getRank(), inner.getIndexAttr(1));
    offsets[0] = group;
    sizes[0] = inner.getIndexAttr(1);
    auto slice = RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
    return tensor::ExtractSliceOp::create(inner, slice, tensor, offsets, sizes, strides);
  }

  Value emitProduct(ImplicitLocOpBuilder &inner, Value group, Value begin, Value size) {
    Value part =
        tensor::ExtractSliceOp::create(inner, op.getLhs(), Sizes{begin, inner.getIndexAttr(0)},
                                       Sizes{size, depth}, Sizes(2, inner.getIndexAttr(1)));
    Value bias = op.getBias() ? ofGroup(inner, op.getBias(), group) : Value();
    RankedTensorType result = op.getResult().getType();
    auto type = RankedTensorType::get(
        {ShapedType::kDynamic, op.getRhs().getType().getDimSize(op.getRhsColDim())},
        result.getElementType());
    return MatmulOp::create(inner, type, part, ofGroup(inner, op.getRhs(), group), bias,
                            /*residual=*/Value(), /*transpose_lhs=*/false, op.getTransposeRhs(),
                            op.getActivationAttr(), op.getAccumulateAttr());
  }

  ImplicitLocOpBuilder &b;
  GroupedMatmulOp op;
  Value zero, rows;
  OpFoldResult depth, columns;
};

struct LowerGroupedMatmul : OpRewritePattern<GroupedMatmulOp> {
  // Before the lowering by index, which serves every product.
  LowerGroupedMatmul(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(GroupedMatmulOp op, PatternRewriter &rewriter) const override {
    for (RankedTensorType type : {op.getLhs().getType(), op.getRhs().getType()})
      if (llvm::is_contained(type.getShape(), 0))
        return rewriter.notifyMatchFailure(op, "dimensions of size 0 have no slices");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    checkSizes(b, op);
    Value result = GroupedLowering(b, op).run();
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

} // namespace

void populateGroupedMatmulPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerGroupedMatmul>(patterns.getContext());
}

} // namespace forge
