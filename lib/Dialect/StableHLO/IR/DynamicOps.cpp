#include "AssemblyFormat.h"
#include "VerifyUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/DynamicOps.cpp.inc"

using namespace mlir;

namespace forge::stablehlo {

void StableHLODialect::registerDynamicOps() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/DynamicOps.cpp.inc"
      >();
}

/// The element type of the result is that of the operand.
static LogicalResult verifyElementType(Operation *op, Type expected) {
  Type type = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  if (type == expected)
    return success();
  return op->emitOpError() << "expected result elements of type " << expected << ", but got "
                           << type;
}

/// An operand that holds a shape has one element per dimension of the result.
static LogicalResult verifyShapeOperand(Operation *op, StringRef name, RankedTensorType shape,
                                        int64_t rank) {
  return verifySize(op, name, shape.getDimSize(0), rank);
}

LogicalResult GetDimensionSizeOp::verify() {
  // get_dimension_size_c1
  return verifyDimsInRange(*this, "dimension", getDimension(), getOperand().getType().getRank());
}

LogicalResult DynamicIotaOp::verify() {
  int64_t rank = getResult().getType().getRank();
  // dynamic_iota_c1, dynamic_iota_c2
  return success(
      succeeded(verifyShapeOperand(*this, "output_shape", getOutputShape().getType(), rank)) &&
      succeeded(verifyDimsInRange(*this, "iota_dimension", getIotaDimension(), rank)));
}

LogicalResult DynamicReshapeOp::verify() {
  auto operand = getOperand().getType(), result = getResult().getType();
  // dynamic_reshape_c1, dynamic_reshape_c4
  if (failed(verifyElementType(*this, operand.getElementType())) ||
      failed(
          verifyShapeOperand(*this, "output_shape", getOutputShape().getType(), result.getRank())))
    return failure();
  // dynamic_reshape_c2
  if (operand.hasStaticShape() && result.hasStaticShape() &&
      operand.getNumElements() != result.getNumElements())
    return emitOpError() << "expected " << operand.getNumElements()
                         << " elements in the result, but got " << result.getNumElements();
  return success();
}

LogicalResult DynamicBroadcastInDimOp::verify() {
  auto operand = getOperand().getType(), result = getResult().getType();
  ArrayRef<int64_t> dims = getBroadcastDimensions();
  // dynamic_broadcast_in_dim_c1
  if (failed(verifyElementType(*this, operand.getElementType())))
    return failure();
  // dynamic_broadcast_in_dim_c2, dynamic_broadcast_in_dim_c3, dynamic_broadcast_in_dim_c4
  if (failed(verifySize(*this, "broadcast_dimensions", dims.size(), operand.getRank())) ||
      failed(verifyDimsInRange(*this, "broadcast_dimensions", dims, result.getRank())) ||
      failed(verifyUnique(*this, "broadcast_dimensions", dims)))
    return failure();
  // dynamic_broadcast_in_dim_c5
  if (failed(verifyBroadcastSizes(*this, operand, result, dims)))
    return failure();
  // dynamic_broadcast_in_dim_c7
  if (failed(verifyShapeOperand(*this, "output_dimensions", getOutputDimensions().getType(),
                                result.getRank())))
    return failure();
  // dynamic_broadcast_in_dim_c8, dynamic_broadcast_in_dim_c9, dynamic_broadcast_in_dim_c10
  SmallVector<int64_t> known(getKnownExpandingDimensions().value_or(ArrayRef<int64_t>()));
  llvm::append_range(known, getKnownNonexpandingDimensions().value_or(ArrayRef<int64_t>()));
  StringRef name = "known expanding and nonexpanding dimensions";
  return success(succeeded(verifyUnique(*this, name, known)) &&
                 succeeded(verifyDimsInRange(*this, name, known, operand.getRank())));
}

LogicalResult DynamicPadOp::verify() {
  auto operand = getOperand().getType(), result = getResult().getType();
  // dynamic_pad_c1
  if (failed(verifyElementType(*this, operand.getElementType())))
    return failure();
  if (getPaddingValue().getType().getElementType() != operand.getElementType())
    return emitOpError() << "expected padding_value of type " << operand.getElementType()
                         << ", but got " << getPaddingValue().getType().getElementType();
  // dynamic_pad_c2
  int64_t rank = operand.getRank();
  if (failed(verifyShapeOperand(*this, "edge_padding_low", getEdgePaddingLow().getType(), rank)) ||
      failed(
          verifyShapeOperand(*this, "edge_padding_high", getEdgePaddingHigh().getType(), rank)) ||
      failed(verifyShapeOperand(*this, "interior_padding", getInteriorPadding().getType(), rank)))
    return failure();
  // dynamic_pad_c4, the rank: sizes show at run time
  if (result.getRank() != rank)
    return emitOpError() << "expected result of rank " << rank << ", but got " << result.getRank();
  return success();
}

LogicalResult RealDynamicSliceOp::verify() {
  auto operand = getOperand().getType(), result = getResult().getType();
  int64_t rank = operand.getRank();
  if (failed(verifyElementType(*this, operand.getElementType())) ||
      failed(verifyShapeOperand(*this, "start_indices", getStartIndices().getType(), rank)) ||
      failed(verifyShapeOperand(*this, "limit_indices", getLimitIndices().getType(), rank)) ||
      failed(verifyShapeOperand(*this, "strides", getStrides().getType(), rank)))
    return failure();
  if (result.getRank() != rank)
    return emitOpError() << "expected result of rank " << rank << ", but got " << result.getRank();
  return success();
}

} // namespace forge::stablehlo
