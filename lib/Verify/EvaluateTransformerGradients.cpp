// Gradients of transformer ops.
#include "TransformerOperands.h"

#include "forge/Reference/Gradients.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

Outcome interpreter::evaluateTransformerGradients(const OpCall &call) {
  Operation *operation = call.operation();
  if (auto op = dyn_cast<transformer::ActivationGradOp>(operation))
    return single(
        reference::activationGrad(activationOf(op.getKind()), call.operand(0), call.operand(1)));
  if (isa<transformer::EmbeddingGradOp>(operation))
    return single(
        reference::embeddingGrad(call.operand(0), call.operand(1), call.operand(2).dims()[0]));
  if (auto op = dyn_cast<transformer::SumOp>(operation)) {
    ArrayRef<int64_t> dimensions = op.getDimensions();
    return single(reference::sum(call.operand(0), Dims(dimensions.begin(), dimensions.end())));
  }
  if (auto op = dyn_cast<transformer::SoftmaxGradOp>(operation))
    return single(reference::softmaxGrad(call.operand(0), call.operand(1), op.getDimension()));
  if (auto op = dyn_cast<transformer::LogSoftmaxGradOp>(operation))
    return single(reference::logSoftmaxGrad(call.operand(0), call.operand(1), op.getDimension()));
  if (auto op = dyn_cast<transformer::LayerNormGradOp>(operation))
    return several(reference::layerNormGrad(call.operand(0), call.operand(1),
                                            optionalOperand(call, op, 2),
                                            op.getEpsilon().convertToDouble()));
  if (auto op = dyn_cast<transformer::RmsNormGradOp>(operation))
    return several(reference::rmsNormGrad(call.operand(0), call.operand(1),
                                          optionalOperand(call, op, 2),
                                          op.getEpsilon().convertToDouble(), op.getUnitOffset()));
  if (auto op = dyn_cast<transformer::GroupedOuterOp>(operation))
    return single(reference::groupedOuter(call.operand(0), call.operand(1), call.operand(2),
                                          op.getOffsets()));
  return std::nullopt;
}
