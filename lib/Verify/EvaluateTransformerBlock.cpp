// Feed-forward blocks.
#include "TransformerOperands.h"

#include "forge/Reference/Linear.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

template <typename OpTy>
static reference::MlpOptions optionsOf(OpTy op, const HostTensor *residual) {
  return {activationOf(op.getActivation()), op.getTransposeWeights(), residual};
}

Outcome interpreter::evaluateTransformerBlock(const OpCall &call) {
  if (auto op = dyn_cast<transformer::MlpOp>(call.operation())) {
    auto operand = [&](unsigned i) { return optionalOperand(call, op, i); };
    return single(reference::mlp(*operand(0), {operand(1), operand(2)}, {operand(3), operand(4)},
                                 optionsOf(op, operand(5))));
  }
  if (auto op = dyn_cast<transformer::GatedMlpOp>(call.operation())) {
    auto operand = [&](unsigned i) { return optionalOperand(call, op, i); };
    return single(reference::gatedMlp(*operand(0), {operand(1), operand(2)},
                                      {operand(3), operand(4)}, {operand(5), operand(6)},
                                      optionsOf(op, operand(7))));
  }
  return std::nullopt;
}
