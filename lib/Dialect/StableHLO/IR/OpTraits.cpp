#include "forge/Dialect/StableHLO/IR/OpTraits.h"

#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace forge::stablehlo::OpTrait {

/// What takes elements as they are, or by their value.
static bool takesStoredElements(Operation *op) {
  return isa<BitcastConvertOp, BroadcastInDimOp, BroadcastOp, CaseOp, CompareOp, CompositeOp,
             ConcatenateOp, ConstantOp, ConvertOp, CustomCallOp, DynamicBroadcastInDimOp,
             DynamicGatherOp, DynamicPadOp, DynamicReshapeOp, DynamicSliceOp, DynamicUpdateSliceOp,
             GatherOp, GetDimensionSizeOp, GetTupleElementOp, IfOp, OptimizationBarrierOp, PadOp,
             RealDynamicSliceOp, ReshapeOp, ReturnOp, ReverseOp, ScatterOp, SelectOp, SliceOp,
             SortOp, TransposeOp, TupleOp, WhileOp>(op) ||
         isa<check::CheckDialect>(op->getDialect());
}

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
  Type element = tensor.getElementType();
  if (!isSupportedElementType(element) && !isComplexElementType(element) &&
      !(isStoredElementType(element) && takesStoredElements(op)))
    return refuse() << "element type " << tensor.getElementType();
  if (tensor.getEncoding())
    return refuse() << "tensor encoding " << tensor.getEncoding();
  // A dynamic size counts as one here, and is checked at run time.
  int64_t bytes = isComplexElementType(tensor.getElementType()) ? 16 : 8;
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

/// The tensor types of all operands, then of all results.
static SmallVector<RankedTensorType> tensorTypes(Operation *op) {
  SmallVector<RankedTensorType> types;
  for (TypeRange range : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : range)
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        types.push_back(tensor);
  return types;
}

LogicalResult detail::verifySameElementTypes(Operation *op) {
  SmallVector<RankedTensorType> types = tensorTypes(op);
  for (RankedTensorType type : types)
    if (type.getElementType() != types.front().getElementType())
      return op->emitOpError() << "expected one element type, but got "
                               << types.front().getElementType() << " and "
                               << type.getElementType();
  return success();
}

LogicalResult detail::verifySameShapes(Operation *op) {
  SmallVector<RankedTensorType> types = tensorTypes(op);
  if (types.empty())
    return success();
  // What is known of the one shape, from all types so far.
  SmallVector<int64_t> shape(types.front().getShape());
  for (RankedTensorType type : types) {
    if (!compatibleShapes(shape, type.getShape()))
      return op->emitOpError() << "expected one shape, but got " << shapeToString(shape) << " and "
                               << shapeToString(type.getShape());
    for (auto [known, size] : llvm::zip(shape, type.getShape()))
      known = ShapedType::isDynamic(known) ? size : known;
  }
  return success();
}

LogicalResult detail::verifySameTypes(Operation *op) {
  return success(succeeded(verifySameElementTypes(op)) && succeeded(verifySameShapes(op)));
}

} // namespace forge::stablehlo::OpTrait
