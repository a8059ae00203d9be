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

/// An operand that holds numbers for dimensions has `rank` of them.
static LogicalResult verifyCount(Operation *op, StringRef name,
                                 TypedValue<RankedTensorType> numbers, int64_t rank) {
  return verifySize(op, name, numbers.getType().getDimSize(0), rank);
}

/// An operand that holds the shape of the result has one size per dimension and, where it is
/// constant, sizes that the result can have.
static LogicalResult verifyShapeOperand(Operation *op, StringRef name,
                                        TypedValue<RankedTensorType> shape) {
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  if (failed(verifyCount(op, name, shape, rank)))
    return failure();
  std::optional<SmallVector<int64_t>> sizes = constantIntegers(shape);
  if (!sizes)
    return success();
  UserErrorScope scope(op->getContext());
  return success(succeeded(verifyAtLeast(op, name, *sizes, 0)) &&
                 succeeded(verifyResultShape(op, *sizes)));
}

/// As many elements in the result as in `operand`, where both are known.
static LogicalResult verifyNumElements(Operation *op, RankedTensorType operand,
                                       ArrayRef<int64_t> result) {
  if (!operand.hasStaticShape() || llvm::is_contained(result, ShapedType::kDynamic))
    return success();
  std::optional<int64_t> elements = numElementsOf(result);
  if (elements == operand.getNumElements())
    return success();
  InFlightDiagnostic error = op->emitOpError() << "expected " << operand.getNumElements()
                                               << " elements in the result, but got ";
  return elements ? error << *elements : error << "more than fit in 63 bits";
}

LogicalResult GetDimensionSizeOp::verify() {
  // get_dimension_size_c1
  return verifyDimsInRange(*this, "dimension", getDimension(), getOperand().getType().getRank());
}

LogicalResult DynamicIotaOp::verify() {
  // dynamic_iota_c1, dynamic_iota_c2
  return success(succeeded(verifyShapeOperand(*this, "output_shape", getOutputShape())) &&
                 succeeded(verifyDimsInRange(*this, "iota_dimension", getIotaDimension(),
                                             getResult().getType().getRank())));
}

LogicalResult DynamicReshapeOp::verify() {
  auto operand = getOperand().getType(), result = getResult().getType();
  // dynamic_reshape_c1, dynamic_reshape_c4
  if (failed(verifyElementType(*this, operand.getElementType())) ||
      failed(verifyShapeOperand(*this, "output_shape", getOutputShape())))
    return failure();
  // dynamic_reshape_c2
  if (failed(verifyNumElements(*this, operand, result.getShape())))
    return failure();
  std::optional<SmallVector<int64_t>> sizes = constantIntegers(getOutputShape());
  if (!sizes)
    return success();
  UserErrorScope scope(getContext());
  return verifyNumElements(*this, operand, *sizes);
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
  if (failed(verifyBroadcastSizes(*this, operand, result.getShape(), dims)))
    return failure();
  // dynamic_broadcast_in_dim_c7
  if (failed(verifyShapeOperand(*this, "output_dimensions", getOutputDimensions())))
    return failure();
  // dynamic_broadcast_in_dim_c5 again: the result's sizes may be in output_dimensions alone
  if (std::optional<SmallVector<int64_t>> sizes = constantIntegers(getOutputDimensions())) {
    UserErrorScope scope(getContext());
    if (failed(verifyBroadcastSizes(*this, operand, *sizes, dims)))
      return failure();
  }
  // dynamic_broadcast_in_dim_c8, dynamic_broadcast_in_dim_c9, dynamic_broadcast_in_dim_c10
  SmallVector<int64_t> known(getKnownExpandingDimensions().value_or(ArrayRef<int64_t>()));
  llvm::append_range(known, getKnownNonexpandingDimensions().value_or(ArrayRef<int64_t>()));
  StringRef name = "known expanding and nonexpanding dimensions";
  return success(succeeded(verifyUnique(*this, name, known)) &&
                 succeeded(verifyDimsInRange(*this, name, known, operand.getRank())));
}

static LogicalResult verifyResultRank(Operation *op, int64_t expected) {
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  if (rank == expected)
    return success();
  return op->emitOpError() << "expected result of rank " << expected << ", but got " << rank;
}

LogicalResult DynamicPadOp::verify() {
  auto operand = getOperand().getType();
  // dynamic_pad_c1
  if (failed(verifyElementType(*this, operand.getElementType())))
    return failure();
  if (getPaddingValue().getType().getElementType() != operand.getElementType())
    return emitOpError() << "expected padding_value of type " << operand.getElementType()
                         << ", but got " << getPaddingValue().getType().getElementType();
  // dynamic_pad_c2
  int64_t rank = operand.getRank();
  if (failed(verifyCount(*this, "edge_padding_low", getEdgePaddingLow(), rank)) ||
      failed(verifyCount(*this, "edge_padding_high", getEdgePaddingHigh(), rank)) ||
      failed(verifyCount(*this, "interior_padding", getInteriorPadding(), rank)))
    return failure();
  // dynamic_pad_c3
  std::optional<SmallVector<int64_t>> low = constantIntegers(getEdgePaddingLow()),
                                      high = constantIntegers(getEdgePaddingHigh()),
                                      interior = constantIntegers(getInteriorPadding());
  UserErrorScope scope(getContext());
  if (interior && failed(verifyAtLeast(*this, "interior_padding", *interior, 0)))
    return failure();
  // dynamic_pad_c4: sizes that depend on operands show at run time
  if (low && high && interior)
    return verifyPaddedShape(*this, operand.getShape(), *low, *high, *interior);
  return verifyResultRank(*this, rank);
}

LogicalResult RealDynamicSliceOp::verify() {
  auto operand = getOperand().getType();
  int64_t rank = operand.getRank();
  if (failed(verifyElementType(*this, operand.getElementType())) ||
      failed(verifyCount(*this, "start_indices", getStartIndices(), rank)) ||
      failed(verifyCount(*this, "limit_indices", getLimitIndices(), rank)) ||
      failed(verifyCount(*this, "strides", getStrides(), rank)))
    return failure();
  return verifyResultRank(*this, rank);
}

} // namespace forge::stablehlo
