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

} // namespace forge::transformer
