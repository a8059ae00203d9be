#include "AssemblyFormat.h"
#include "VerifyUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ElementwiseOps.cpp.inc"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace forge::stablehlo {

void StableHLODialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/StableHLO/IR/ElementwiseOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// bitcast_convert
//===----------------------------------------------------------------------===//

/// Fails unless the result's elements are of the type of the parts of the operand's.
static LogicalResult verifyPart(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0)), to = getElementTypeOrSelf(op->getResult(0));
  if (partTypeOf(from) == to)
    return success();
  return op->emitOpError() << "expected result element type " << partTypeOf(from) << ", but got "
                           << to;
}

LogicalResult AbsOp::verify() { return verifyPart(*this); }
LogicalResult RealOp::verify() { return verifyPart(*this); }
LogicalResult ImagOp::verify() { return verifyPart(*this); }

LogicalResult ComplexOp::verify() {
  Type re = getLhs().getType().getElementType(), im = getRhs().getType().getElementType();
  Type result = getType().getElementType();
  if (re == im && isComplexElementType(result) && partTypeOf(result) == re)
    return success();
  return emitOpError() << "expected complex numbers of two parts of one type, f32 or f64, but got "
                       << re << " and " << im << " for " << result;
}

static unsigned bitsOf(Type element) {
  return partTypeOf(element).getIntOrFloatBitWidth() * (isComplexElementType(element) ? 2 : 1);
}

LogicalResult BitcastConvertOp::verify() {
  auto from = getOperand().getType(), to = getResult().getType();
  // bitcast_convert_c2
  if (isComplexElementType(from.getElementType()) != isComplexElementType(to.getElementType()))
    return emitOpError() << "expected complex numbers to become complex numbers, but got "
                         << from.getElementType() << " and " << to.getElementType();
  unsigned fromBits = bitsOf(from.getElementType()), toBits = bitsOf(to.getElementType());
  // bitcast_convert_c1
  SmallVector<int64_t> wide(from.getShape()), narrow(to.getShape());
  if (fromBits < toBits) {
    std::swap(wide, narrow);
    std::swap(fromBits, toBits);
  }
  if (fromBits != toBits) {
    // The narrow elements that make up a wide one are its last dimension.
    if (fromBits % toBits != 0)
      return emitOpError() << "expected element widths that divide each other, but got "
                           << from.getElementType() << " and " << to.getElementType();
    wide.push_back(fromBits / toBits);
  }
  if (!compatibleShapes(wide, narrow))
    return emitOpError() << "expected the shape with narrow elements to be " << shapeToString(wide)
                         << ", but got " << shapeToString(narrow);
  return success();
}

//===----------------------------------------------------------------------===//
// compare
//===----------------------------------------------------------------------===//

void CompareOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs,
                      ComparisonDirection direction, ComparisonType type) {
  auto result = cast<RankedTensorType>(lhs.getType()).clone(builder.getI1Type());
  auto typeAttr = type == ComparisonType::NOTYPE
                      ? ComparisonTypeAttr()
                      : ComparisonTypeAttr::get(builder.getContext(), type);
  build(builder, state, result, lhs, rhs,
        ComparisonDirectionAttr::get(builder.getContext(), direction), typeAttr);
}

/// Whether elements of `type` can be compared as `comparison` says.
static bool canCompareAs(Type type, ComparisonType comparison) {
  switch (comparison) {
  case ComparisonType::NOTYPE:
    return true;
  case ComparisonType::FLOAT:
    return isa<FloatType, ComplexType>(type);
  case ComparisonType::TOTALORDER:
    return isa<FloatType>(type);
  case ComparisonType::SIGNED:
    return type.isSignlessInteger() && !type.isInteger(1);
  case ComparisonType::UNSIGNED:
    return type.isUnsignedInteger() || type.isInteger(1);
  }
  return false;
}

LogicalResult CompareOp::verify() {
  Type lhs = getLhs().getType().getElementType(), rhs = getRhs().getType().getElementType();
  // compare_c1
  if (lhs != rhs)
    return emitOpError() << "expected one element type, but got " << lhs << " and " << rhs;
  // compare_c3
  if (getCompareType() && !canCompareAs(lhs, *getCompareType()))
    return emitOpError() << "expected a compare_type for elements of type " << lhs << ", but got "
                         << stringifyComparisonType(*getCompareType());
  return success();
}

//===----------------------------------------------------------------------===//
// select, clamp
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::verify() {
  // select_c1
  auto pred = getPred().getType(), onTrue = getOnTrue().getType();
  if (pred.getRank() != 0 && !compatibleShapes(pred.getShape(), onTrue.getShape()))
    return emitOpError() << "expected pred of rank 0 or of shape "
                         << shapeToString(onTrue.getShape()) << ", but got "
                         << shapeToString(pred.getShape());
  // select_c2
  for (Type type : {getOnFalse().getType(), getResult().getType()})
    if (!compatibleTypes(onTrue, type))
      return emitOpError() << "expected one type for both values and the result, but got " << onTrue
                           << " and " << type;
  return success();
}

LogicalResult ClampOp::verify() {
  auto operand = getOperand().getType();
  // clamp_c1, clamp_c2
  for (auto [name, bound] : {std::pair("min", getMin()), std::pair("max", getMax())}) {
    auto type = cast<RankedTensorType>(bound.getType());
    if (type.getRank() != 0 && !compatibleShapes(type.getShape(), operand.getShape()))
      return emitOpError() << "expected " << name << " of rank 0 or of shape "
                           << shapeToString(operand.getShape()) << ", but got "
                           << shapeToString(type.getShape());
  }
  // clamp_c3 is the trait SameElementTypes; clamp_c4
  return verifyResultShape(*this, operand.getShape());
}

} // namespace forge::stablehlo
