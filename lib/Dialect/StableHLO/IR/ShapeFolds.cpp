// Folders and canonical forms of the ops that move elements.
#include "Folding.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::stablehlo {

/// Whether the numbers are 0, 1, 2, ...
static bool isIota(ArrayRef<int64_t> dims) {
  return llvm::all_of(llvm::enumerate(dims), [](auto entry) {
    return static_cast<int64_t>(entry.index()) == entry.value();
  });
}

/// The splat constant of another shape; null unless `constant` is a splat and the result is small.
static Attribute resizeSmallSplat(Attribute constant, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(constant);
  if (!splat || !type.hasStaticShape() || type.getNumElements() > maxFoldedElements)
    return {};
  return splat.resizeSplat(type);
}

OpFoldResult BroadcastInDimOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType() && isIota(getBroadcastDimensions()))
    return getOperand();
  // Large constants stay broadcasts: those need no memory.
  return resizeSmallSplat(adaptor.getOperand(), getType());
}

// broadcast_in_dim(broadcast_in_dim(x)): one broadcast.
LogicalResult BroadcastInDimOp::canonicalize(BroadcastInDimOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "operand is not a broadcast");
  auto dims = llvm::map_to_vector(inner.getBroadcastDimensions(),
                                  [&](int64_t dim) { return op.getBroadcastDimensions()[dim]; });
  rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), inner.getOperand(), dims);
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand()))
    return constant.reshape(getType());
  return {};
}

// reshape(reshape(x)): one reshape.
LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "operand is not a reshape");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getOperand());
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType() && isIota(getPermutation()))
    return getOperand();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getOperand());
  return splat && getType().hasStaticShape() ? OpFoldResult(splat.resizeSplat(getType()))
                                             : OpFoldResult();
}

// transpose(transpose(x)): one transpose.
LogicalResult TransposeOp::canonicalize(TransposeOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "operand is not a transpose");
  auto permutation = llvm::map_to_vector(op.getPermutation(),
                                         [&](int64_t dim) { return inner.getPermutation()[dim]; });
  rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getOperand(), permutation);
  return success();
}

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  auto type = getOperand().getType();
  bool movesNothing =
      llvm::all_of(getDimensions(), [&](int64_t dim) { return type.getDimSize(dim) == 1; });
  return movesNothing && type == getType() ? OpFoldResult(getOperand()) : OpFoldResult();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  auto type = getOperand().getType();
  // With the full static size, the slice is everything in order.
  if (type.hasStaticShape() && type == getType())
    return getOperand();
  std::optional<Integers> values = integersOf(adaptor.getOperand());
  if (!values || type.getRank() != 1 || !isFoldable(getType()))
    return {};
  Integers picked;
  for (int64_t i = 0; i < getType().getNumElements(); ++i)
    picked.push_back((*values)[getStartIndices()[0] + i * getStrides()[0]]);
  return integersAttr(getType(), picked);
}

// A slice of a concatenation within one of its inputs is a slice of that input.
LogicalResult SliceOp::canonicalize(SliceOp op, PatternRewriter &rewriter) {
  auto joined = op.getOperand().getDefiningOp<ConcatenateOp>();
  if (!joined || !op.getType().hasStaticShape() || op.getType().getNumElements() == 0)
    return rewriter.notifyMatchFailure(op, "not a slice of a concatenation");
  auto dim = static_cast<int64_t>(joined.getDimension());
  SmallVector<int64_t> starts(op.getStartIndices()), limits(op.getLimitIndices());
  for (Value input : joined.getInputs()) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(size))
      break;
    if (starts[dim] >= size) {
      starts[dim] -= size;
      limits[dim] -= size;
      continue;
    }
    if (limits[dim] > size)
      break;
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), input, starts, limits, op.getStrides());
    return success();
  }
  return rewriter.notifyMatchFailure(op, "not within one input");
}

/// The tensor whose slices, next to each other, are put together again; null if there is none.
static Value joinSlices(ConcatenateOp op) {
  auto dim = static_cast<int64_t>(op.getDimension());
  Value whole;
  int64_t next = 0;
  for (Value input : op.getInputs()) {
    auto slice = input.getDefiningOp<SliceOp>();
    if (!slice || (whole && slice.getOperand() != whole) ||
        !llvm::all_of(slice.getStrides(), [](int64_t stride) { return stride == 1; }))
      return nullptr;
    whole = slice.getOperand();
    for (int64_t i = 0; i < slice.getType().getRank(); ++i) {
      int64_t size = slice.getOperand().getType().getDimSize(i);
      int64_t start = slice.getStartIndices()[i], limit = slice.getLimitIndices()[i];
      if (i == dim ? start != next : start != 0 || limit != size)
        return nullptr;
    }
    next = slice.getLimitIndices()[dim];
  }
  return whole && whole.getType() == op.getType() ? whole : nullptr;
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  if (Value whole = joinSlices(*this))
    return whole;
  if (!isFoldable(getType()) || getType().getRank() != 1)
    return {};
  Integers joined;
  for (Attribute input : adaptor.getInputs()) {
    std::optional<Integers> values = integersOf(input);
    if (!values)
      return {};
    llvm::append_range(joined, *values);
  }
  return integersAttr(getType(), joined);
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  bool addsNothing = llvm::all_of(getEdgePaddingLow(), isZero) &&
                     llvm::all_of(getEdgePaddingHigh(), isZero) &&
                     llvm::all_of(getInteriorPadding(), isZero);
  return addsNothing && getOperand().getType() == getType() ? OpFoldResult(getOperand())
                                                            : OpFoldResult();
}

// dynamic_slice at constant positions: a slice, at the positions clamped into the operand.
LogicalResult DynamicSliceOp::canonicalize(DynamicSliceOp op, PatternRewriter &rewriter) {
  auto operand = op.getOperand().getType();
  if (!operand.hasStaticShape() || !op.getType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "sizes are not static");
  SmallVector<int64_t> starts, limits, strides(operand.getRank(), 1);
  for (auto [index, value] : llvm::enumerate(op.getStartIndices())) {
    std::optional<SmallVector<int64_t>> start = sizesOf(value);
    if (!start)
      return rewriter.notifyMatchFailure(op, "a start index is not constant");
    int64_t size = op.getSliceSizes()[index];
    starts.push_back(std::clamp<int64_t>(start->front(), 0, operand.getDimSize(index) - size));
    limits.push_back(starts.back() + size);
  }
  rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getOperand(), starts, limits, strides);
  return success();
}

} // namespace forge::stablehlo
