// Attention.
#include "TransformerOperands.h"

#include "forge/Reference/Attention.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

Outcome interpreter::evaluateTransformerAttention(const OpCall &call) {
  auto op = dyn_cast<transformer::AttentionOp>(call.operation());
  if (!op)
    return std::nullopt;
  reference::AttentionOptions options;
  if (op.getScale())
    options.scale = op.getScale()->convertToDouble();
  options.causal = op.getCausal();
  options.mask = optionalOperand(call, op, 3);
  return single(reference::attention(call.operand(0), call.operand(1), call.operand(2), options));
}
