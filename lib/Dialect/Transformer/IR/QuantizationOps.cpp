#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

/// c1 to c5 of both: `narrow` and `numbers` are the types on either side of the scale.
template <typename OpTy>
static LogicalResult verifyQuantization(OpTy op, RankedTensorType narrow,
                                        RankedTensorType numbers) {
  RankedTensorType input = op.getInput().getType(), scale = op.getScale().getType();
  std::optional<int64_t> axis;
  if (op.getAxis())
    axis = *op.getAxis();
  if (failed(checkShape(op, "result", op.getResult().getType(), input.getShape())) ||
      failed(checkScale(op, input, scale, axis, op.getBlock())) ||
      failed(checkZeroPoint(op, op.getZeroPoint(), scale, narrow.getElementType())))
    return failure();
  return checkScaleType(op, scale.getElementType(), numbers.getElementType());
}

// quantize_c1, quantize_c2, quantize_c3, quantize_c4, quantize_c5
LogicalResult QuantizeOp::verify() {
  return verifyQuantization(*this, getResult().getType(), getInput().getType());
}

LogicalResult QuantizeOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

// quantize_rows_c1, quantize_rows_c2
LogicalResult QuantizeRowsOp::verify() {
  RankedTensorType input = getInput().getType();
  if (input.getRank() == 0)
    return emitOpError("expected rank 1 or more for input, but got 0");
  if (!getScale().getType().getElementType().isF32())
    return emitOpError("expected element type 'f32' for scale, but got ")
           << getScale().getType().getElementType();
  if (failed(checkShape(*this, "result", getResult().getType(), input.getShape())))
    return failure();
  return checkShape(*this, "scale", getScale().getType(), input.getShape().drop_back());
}

LogicalResult QuantizeRowsOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  if (failed(reifyAs(builder, getInput(), shapes)))
    return failure();
  shapes.push_back(SmallVector<OpFoldResult>(ArrayRef(shapes.front()).drop_back()));
  return success();
}

// dequantize_c1, dequantize_c2, dequantize_c3, dequantize_c4, dequantize_c5
LogicalResult DequantizeOp::verify() {
  return verifyQuantization(*this, getInput().getType(), getResult().getType());
}

LogicalResult DequantizeOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

} // namespace forge::transformer
