// Softmax and norms.
#include "TransformerOperands.h"

#include "forge/Reference/Normalization.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

Outcome interpreter::evaluateTransformerNormalization(const OpCall &call) {
  Operation *operation = call.operation();
  if (auto op = dyn_cast<transformer::SoftmaxOp>(operation))
    return single(reference::softmax(call.operand(0), op.getDimension()));
  if (auto op = dyn_cast<transformer::LogSoftmaxOp>(operation))
    return single(reference::logSoftmax(call.operand(0), op.getDimension()));
  if (auto op = dyn_cast<transformer::LayerNormOp>(operation))
    return single(reference::layerNorm(call.operand(0), optionalOperand(call, op, 1),
                                       optionalOperand(call, op, 2),
                                       op.getEpsilon().convertToDouble()));
  if (auto op = dyn_cast<transformer::RmsNormOp>(operation))
    return single(reference::rmsNorm(call.operand(0), optionalOperand(call, op, 1),
                                     op.getEpsilon().convertToDouble(), op.getUnitOffset()));
  return std::nullopt;
}
