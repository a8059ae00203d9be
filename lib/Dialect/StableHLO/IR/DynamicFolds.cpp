// Canonical forms of the ops with dynamic shapes: the static op, once sizes are constants.
//
// A constant that contradicts the result type is left alone: the program reports it when it runs.
#include "Folding.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::stablehlo {

/// Whether `shape` is a constant equal to the static shape of `type`.
static bool isShapeOf(Value shape, RankedTensorType type) {
  std::optional<SmallVector<int64_t>> sizes = sizesOf(shape);
  return sizes && type.hasStaticShape() && ArrayRef(*sizes) == type.getShape();
}

OpFoldResult GetDimensionSizeOp::fold(FoldAdaptor) {
  int64_t size = getOperand().getType().getDimSize(getDimension());
  if (ShapedType::isDynamic(size) || size > INT32_MAX)
    return {};
  return integersAttr(getType(), APInt(32, size));
}

LogicalResult DynamicIotaOp::canonicalize(DynamicIotaOp op, PatternRewriter &rewriter) {
  if (!isShapeOf(op.getOutputShape(), op.getType()))
    return rewriter.notifyMatchFailure(op, "output shape is not the constant static shape");
  rewriter.replaceOpWithNewOp<IotaOp>(op, op.getType(), op.getIotaDimension());
  return success();
}

LogicalResult DynamicReshapeOp::canonicalize(DynamicReshapeOp op, PatternRewriter &rewriter) {
  if (!op.getOperand().getType().hasStaticShape() || !isShapeOf(op.getOutputShape(), op.getType()))
    return rewriter.notifyMatchFailure(op, "output shape is not the constant static shape");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getOperand());
  return success();
}

LogicalResult DynamicBroadcastInDimOp::canonicalize(DynamicBroadcastInDimOp op,
                                                    PatternRewriter &rewriter) {
  if (!op.getOperand().getType().hasStaticShape() ||
      !isShapeOf(op.getOutputDimensions(), op.getType()))
    return rewriter.notifyMatchFailure(op, "output dimensions are not the constant static shape");
  rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), op.getOperand(),
                                                op.getBroadcastDimensions());
  return success();
}

/// Replaces `op` by `NewOp` with the given amounts, provided that `NewOp` would verify.
template <typename NewOp, typename... Operands>
static LogicalResult replaceIfValid(Operation *op, PatternRewriter &rewriter,
                                    Operands &&...operands) {
  auto replacement = NewOp::create(rewriter, op->getLoc(), op->getResult(0).getType(),
                                   std::forward<Operands>(operands)...);
  // Amounts that do not fit are an error of the run, not of the compilation.
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  if (failed(replacement.verify())) {
    rewriter.eraseOp(replacement);
    return failure();
  }
  rewriter.replaceOp(op, replacement);
  return success();
}

LogicalResult DynamicPadOp::canonicalize(DynamicPadOp op, PatternRewriter &rewriter) {
  auto low = sizesOf(op.getEdgePaddingLow()), high = sizesOf(op.getEdgePaddingHigh()),
       interior = sizesOf(op.getInteriorPadding());
  if (!low || !high || !interior || !op.getOperand().getType().hasStaticShape() ||
      !op.getType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "amounts or shapes are not constant");
  return replaceIfValid<PadOp>(op, rewriter, op.getOperand(), op.getPaddingValue(), *low, *high,
                               *interior);
}

LogicalResult RealDynamicSliceOp::canonicalize(RealDynamicSliceOp op, PatternRewriter &rewriter) {
  auto start = sizesOf(op.getStartIndices()), limit = sizesOf(op.getLimitIndices()),
       strides = sizesOf(op.getStrides());
  if (!start || !limit || !strides || !op.getOperand().getType().hasStaticShape() ||
      !op.getType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "bounds or shapes are not constant");
  return replaceIfValid<SliceOp>(op, rewriter, op.getOperand(), *start, *limit, *strides);
}

} // namespace forge::stablehlo
