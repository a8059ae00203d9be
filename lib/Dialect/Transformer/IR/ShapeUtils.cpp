#include "ShapeUtils.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace forge::transformer {

LogicalResult checkDim(Operation *op, const Twine &what, int64_t expected, int64_t actual) {
  if (ShapedType::isDynamic(expected) || ShapedType::isDynamic(actual) || expected == actual)
    return success();
  return op->emitOpError("expected ") << what << " to be " << expected << ", but got " << actual;
}

LogicalResult checkShape(Operation *op, StringRef what, RankedTensorType type,
                         ArrayRef<int64_t> expected) {
  if (type.getRank() != static_cast<int64_t>(expected.size()))
    return op->emitOpError("expected rank ")
           << expected.size() << " for " << what << ", but got " << type.getRank();
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip_equal(expected, type.getShape())))
    if (failed(checkDim(op, "dimension " + Twine(dim) + " of " + what, std::get<0>(sizes),
                        std::get<1>(sizes))))
      return failure();
  return success();
}

LogicalResult checkElementTypes(Operation *op, ValueRange values) {
  Type first;
  for (Value value : values) {
    if (!value)
      continue;
    Type element = getElementTypeOrSelf(value.getType());
    if (!first)
      first = element;
    else if (element != first)
      return op->emitOpError("expected element type ")
             << first << " throughout, but got " << element;
  }
  return success();
}

LogicalResult checkEpsilon(Operation *op, const APFloat &epsilon) {
  if (epsilon.isFinite() && !(epsilon.isNegative() && epsilon.isNonZero()))
    return success();
  return op->emitOpError("expected an epsilon that is finite and not below 0");
}

OpFoldResult sizeOf(OpBuilder &builder, Location loc, Value value, int64_t dim) {
  return tensor::getMixedSize(builder, loc, value, dim);
}

LogicalResult reifyAs(OpBuilder &builder, Value value, Shapes &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, value.getLoc(), value));
  return success();
}

LogicalResult reifyWithLast(OpBuilder &builder, Value value, Value last, int64_t dim,
                            Shapes &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, value.getLoc(), value));
  shapes.back().back() = sizeOf(builder, value.getLoc(), last, dim);
  return success();
}

/// The sizes of a scale with one element per block of `values`; empty after an error.
static FailureOr<SmallVector<int64_t>> blockedShape(Operation *op, RankedTensorType values,
                                                    ArrayRef<int64_t> block) {
  if (static_cast<int64_t>(block.size()) != values.getRank())
    return op->emitOpError("expected ")
           << values.getRank() << " sizes for block, but got " << block.size();
  SmallVector<int64_t> shape;
  for (auto [size, length] : llvm::zip_equal(values.getShape(), block)) {
    if (length <= 0)
      return op->emitOpError("expected positive sizes for block, but got ") << length;
    shape.push_back(ShapedType::isDynamic(size) ? size : llvm::divideCeil(size, length));
  }
  return shape;
}

LogicalResult checkScale(Operation *op, RankedTensorType values, RankedTensorType scale,
                         std::optional<int64_t> axis, std::optional<ArrayRef<int64_t>> block) {
  if (axis && block)
    return op->emitOpError("expected axis or block, but got both");
  SmallVector<int64_t> shape;
  if (axis) {
    if (values.getRank() == 0)
      return op->emitOpError("expected no axis of a tensor of rank 0, but got ") << *axis;
    if (*axis < 0 || *axis >= values.getRank())
      return op->emitOpError("expected axis from 0 to ")
             << values.getRank() - 1 << ", but got " << *axis;
    shape = {values.getDimSize(*axis)};
  }
  if (block) {
    FailureOr<SmallVector<int64_t>> blocks = blockedShape(op, values, *block);
    if (failed(blocks))
      return failure();
    shape = *blocks;
  }
  return checkShape(op, "scale", scale, shape);
}

LogicalResult checkZeroPoint(Operation *op, Value zeroPoint, RankedTensorType scale, Type narrow) {
  if (!zeroPoint)
    return success();
  auto type = cast<RankedTensorType>(zeroPoint.getType());
  if (type.getElementType() != narrow)
    return op->emitOpError("expected element type ")
           << narrow << " for zero_point, but got " << type.getElementType();
  return checkShape(op, "zero_point", type, scale.getShape());
}

LogicalResult checkScaleType(Operation *op, Type scale, Type numbers) {
  if (scale.isF32() || scale == numbers)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected element type f32");
  if (!numbers.isF32())
    error << " or " << numbers;
  return error << " for scale, but got " << scale;
}

} // namespace forge::transformer
