#include "forge/Dialect/StableHLO/IR/ApproxTopK.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace forge::stablehlo {

/// The call's settings, under the name that StableHLO gives to those of MHLO's ops.
static DictionaryAttr getSettings(CustomCallOp op) {
  return op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
}

/// Input `i` and its initial value and result: of one element type; the result of the input's
/// shape, but for at most as many elements along `dimension`.
static LogicalResult verifyInput(CustomCallOp op, size_t i, int64_t dimension) {
  size_t count = op->getNumResults();
  auto input = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
  auto first = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto init = dyn_cast<RankedTensorType>(op->getOperand(count + i).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(i).getType());
  auto firstResult = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!input || !first || !input.hasStaticShape() || input.getShape() != first.getShape() ||
      dimension < 0 || dimension >= input.getRank())
    return emitUserOpError(op) << "expected inputs of one static shape with dimension " << dimension
                               << ", but got " << op->getOperand(i).getType();
  if (!init || init.getRank() != 0 || init.getElementType() != input.getElementType())
    return emitUserOpError(op) << "expected an initial value of rank 0 of "
                               << input.getElementType() << ", but got "
                               << op->getOperand(count + i).getType();
  bool fits = result && firstResult && result.hasStaticShape() &&
              result.getShape() == firstResult.getShape() &&
              result.getElementType() == input.getElementType() &&
              result.getRank() == input.getRank() &&
              result.getDimSize(dimension) <= input.getDimSize(dimension);
  for (int64_t dim = 0; fits && dim < input.getRank(); ++dim)
    fits = dim == dimension || result.getDimSize(dim) == input.getDimSize(dim);
  if (!fits)
    return emitUserOpError(op) << "expected a result like " << input << " with at most "
                               << input.getDimSize(dimension) << " elements along dimension "
                               << dimension << ", but got " << op->getResult(i).getType();
  return success();
}

/// With `aggregate_to_topk` there are top_k results; without, the caller picks from more.
static LogicalResult verifyCount(CustomCallOp op, int64_t dimension) {
  DictionaryAttr settings = getSettings(op);
  auto topK = settings.getAs<IntegerAttr>("top_k");
  auto aggregate = settings.getAs<BoolAttr>("aggregate_to_topk");
  if (!topK || !aggregate)
    return emitUserOpError(op) << "expected the settings 'top_k' and 'aggregate_to_topk', but got "
                               << settings;
  int64_t size = cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(dimension);
  if (aggregate.getValue() ? size != topK.getInt() : size < topK.getInt())
    return emitUserOpError(op) << "expected " << (aggregate.getValue() ? "" : "at least ")
                               << topK.getInt() << " elements along dimension " << dimension
                               << " of the results, but got " << size;
  return success();
}

FailureOr<ApproxTopK> getApproxTopK(CustomCallOp op) {
  size_t count = op->getNumResults();
  if (count == 0 || op->getNumOperands() != 2 * count)
    return emitUserOpError(op) << "expected an input and an initial value for each result, but got "
                               << op->getNumOperands() << " operands and " << count << " results";
  DictionaryAttr settings = getSettings(op);
  auto dimension = settings ? settings.getAs<IntegerAttr>("reduction_dim") : nullptr;
  if (!dimension)
    return emitUserOpError(op) << "expected 'mhlo.backend_config' with the setting 'reduction_dim'";
  for (size_t i = 0; i < count; ++i)
    if (failed(verifyInput(op, i, dimension.getInt())))
      return failure();
  if (failed(verifyCount(op, dimension.getInt())))
    return failure();
  FailureOr<func::FuncOp> function = getCalledComputation(op, 2 * count, 1);
  if (failed(function))
    return failure();
  for (auto [i, type] : llvm::enumerate(function->getArgumentTypes()))
    if (getElementTypeOrSelf(type) != getElementTypeOrSelf(op->getOperand(i / 2).getType()))
      return emitUserOpError(op) << "expected a comparator of the inputs' elements, but argument "
                                 << i << " of '" << function->getName() << "' is " << type;
  if (!getElementTypeOrSelf(function->getResultTypes().front()).isSignlessInteger(1))
    return emitUserOpError(op) << "expected a comparator that gives i1, but '"
                               << function->getName() << "' gives "
                               << function->getResultTypes().front();
  return ApproxTopK{count, dimension.getInt(), &function->getBody()};
}

} // namespace forge::stablehlo
