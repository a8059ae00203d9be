#include "forge/Dialect/StableHLO/IR/OpTraits.h"

#include "forge/Dialect/StableHLO/IR/TypeUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace forge::stablehlo::OpTrait {

/// Checks one type of an operand or result, elements of tuples included.
static LogicalResult verifySupported(Operation *op, Type type) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type element : tuple.getTypes())
      if (failed(verifySupported(op, element)))
        return failure();
    return success();
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  auto refuse = [&] {
    return op->emitError() << "unsupported stablehlo op '" << op->getName() << "': ";
  };
  if (!isSupportedElementType(tensor.getElementType()))
    return refuse() << "element type " << tensor.getElementType();
  if (tensor.getEncoding())
    return refuse() << "tensor encoding " << tensor.getEncoding();
  // A dynamic size counts as one here, and is checked at run time.
  int64_t bytes = 8;
  for (int64_t size : tensor.getShape())
    if (!ShapedType::isDynamic(size) && size != 0 && llvm::MulOverflow(bytes, size, bytes))
      return refuse() << "size of " << tensor << " does not fit in 63 bits";
  return success();
}

LogicalResult detail::verifySupportedTypes(Operation *op) {
  for (Type type : llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                            llvm::to_vector(op->getResultTypes())))
    if (failed(verifySupported(op, type)))
      return failure();
  return success();
}

/// Calls `check(first, other)` on the tensor type of the first operand (or result) and every other.
static LogicalResult
comparePairs(Operation *op,
             llvm::function_ref<LogicalResult(RankedTensorType, RankedTensorType)> check) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type a : types) {
    auto first = dyn_cast<RankedTensorType>(a);
    for (Type b : types) {
      auto other = dyn_cast<RankedTensorType>(b);
      if (first && other && failed(check(first, other)))
        return failure();
    }
  }
  return success();
}

LogicalResult detail::verifySameElementTypes(Operation *op) {
  return comparePairs(op, [&](RankedTensorType a, RankedTensorType b) -> LogicalResult {
    if (a.getElementType() == b.getElementType())
      return success();
    return op->emitOpError() << "expected one element type, but got " << a.getElementType()
                             << " and " << b.getElementType();
  });
}

LogicalResult detail::verifySameShapes(Operation *op) {
  return comparePairs(op, [&](RankedTensorType a, RankedTensorType b) -> LogicalResult {
    if (compatibleShapes(a.getShape(), b.getShape()))
      return success();
    return op->emitOpError() << "expected one shape, but got " << shapeToString(a.getShape())
                             << " and " << shapeToString(b.getShape());
  });
}

LogicalResult detail::verifySameTypes(Operation *op) {
  return success(succeeded(verifySameElementTypes(op)) && succeeded(verifySameShapes(op)));
}

} // namespace forge::stablehlo::OpTrait
