#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"

#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace forge::stablehlo {

RngAlgorithm getDynamicRngAlgorithm(CustomCallOp op) {
  return op->getAttrOfType<RngAlgorithmAttr>("rng_algorithm").getValue();
}

static LogicalResult verifyCounts(CustomCallOp op, size_t operands, size_t results) {
  if (op->getNumOperands() != operands || op->getNumResults() != results)
    return op.emitOpError() << "expected " << operands << " operands and " << results
                            << " results for '@" << op.getCallTargetName() << "', but got "
                            << op->getNumOperands() << " and " << op->getNumResults();
  return success();
}

/// Operand `index` is a tensor of integers of this shape, as far as sizes are known.
static LogicalResult verifyNumbers(CustomCallOp op, size_t index, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(index).getType());
  if (!type || !isa<IntegerType, IndexType>(type.getElementType()) ||
      failed(verifyCompatibleShape(type.getShape(), shape)))
    return op.emitOpError() << "expected integers of shape [" << shape << "] as operand " << index
                            << " of '@" << op.getCallTargetName() << "', but got "
                            << op->getOperand(index).getType();
  return success();
}

static LogicalResult verifyReduceWindow(CustomCallOp op) {
  DynamicReduceWindow form(op);
  if (failed(verifyCounts(op, form.numOperands(), std::max<size_t>(form.inputs, 1))))
    return failure();
  auto first = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  for (size_t i = 0; i < form.inputs; ++i) {
    auto input = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
    auto init = dyn_cast<RankedTensorType>(op->getOperand(form.initValues() + i).getType());
    auto result = dyn_cast<RankedTensorType>(op->getResult(i).getType());
    if (!input || !init || !result || input.getRank() != first.getRank() ||
        result.getRank() != first.getRank() || init.getRank() != 0)
      return op.emitOpError() << "expected inputs and results of one rank and initial values of "
                                 "rank 0, but got "
                              << op->getOperand(i).getType() << ", " << op->getResult(i).getType()
                              << " and " << op->getOperand(form.initValues() + i).getType();
  }
  int64_t rank = first.getRank();
  for (size_t i = form.windowDimensions(); i < form.padding(); ++i)
    if (failed(verifyNumbers(op, i, {rank})))
      return failure();
  return verifyNumbers(op, form.padding(), {rank, 2});
}

static LogicalResult verifyRngBitGenerator(CustomCallOp op) {
  if (failed(verifyCounts(op, 2, 2)))
    return failure();
  auto output = dyn_cast<RankedTensorType>(op->getResult(1).getType());
  auto state = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!output || !state || state.getRank() != 1 || !state.getElementType().isUnsignedInteger(64) ||
      op->getResult(0).getType() != state)
    return op.emitOpError() << "expected a state of ui64, the same before and after, but got "
                            << op->getOperand(0).getType() << " and " << op->getResult(0).getType();
  if (!op->getAttrOfType<RngAlgorithmAttr>("rng_algorithm"))
    return op.emitOpError() << "expected the attribute 'rng_algorithm'";
  return verifyNumbers(op, 1, {output.getRank()});
}

static LogicalResult verifyTopK(CustomCallOp op) {
  if (failed(verifyCounts(op, 2, 2)) || failed(verifyNumbers(op, 1, {})))
    return failure();
  auto operand = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto values = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto indices = dyn_cast<RankedTensorType>(op->getResult(1).getType());
  bool fits = operand && values && indices && operand.getRank() > 0 &&
              values.getElementType() == operand.getElementType() &&
              indices.getElementType().isSignlessInteger(32) &&
              values.getRank() == operand.getRank() && indices.getRank() == operand.getRank();
  if (fits)
    return success();
  return op.emitOpError() << "expected values and i32 indices of the operand's rank, but got "
                          << op->getResult(0).getType() << " and " << op->getResult(1).getType();
}

LogicalResult verifyDynamicCall(CustomCallOp op) {
  if (op.getCallTargetName() == kDynamicReduceWindow)
    return verifyReduceWindow(op);
  if (op.getCallTargetName() == kDynamicRngBitGenerator)
    return verifyRngBitGenerator(op);
  if (op.getCallTargetName() == kDynamicTopK)
    return verifyTopK(op);
  return success();
}

FailureOr<func::FuncOp> getCalledComputation(CustomCallOp op, size_t numArguments,
                                             size_t numResults) {
  func::FuncOp function;
  if (op.getCalledComputations().size() == 1)
    function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, cast<FlatSymbolRefAttr>(op.getCalledComputations()[0]));
  auto isScalar = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  };
  if (function && !function.isExternal() && function.getBody().hasOneBlock() &&
      function.getNumArguments() == numArguments && function.getNumResults() == numResults &&
      llvm::all_of(function.getArgumentTypes(), isScalar) &&
      llvm::all_of(function.getResultTypes(), isScalar))
    return function;
  return emitUserOpError(op) << "expected one called computation with " << numArguments
                             << " arguments and " << numResults << " results of rank 0";
}

} // namespace forge::stablehlo
