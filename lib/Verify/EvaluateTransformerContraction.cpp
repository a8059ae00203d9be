// Matrix products.
#include "TransformerOperands.h"

#include "forge/Reference/Linear.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static Outcome evaluateMatmul(const OpCall &call) {
  auto op = dyn_cast<transformer::MatmulOp>(call.operation());
  if (!op)
    return std::nullopt;
  reference::MatmulOptions options{op.getTransposeLhs(), op.getTransposeRhs(), {}};
  options.epilogue.bias = optionalOperand(call, op, 2);
  options.epilogue.residual = optionalOperand(call, op, 3);
  if (auto kind = op.getActivation())
    options.epilogue.activation = activationOf(*kind);
  return single(reference::matmul(call.operand(0), call.operand(1), options, call.resultType(0)));
}

static Outcome evaluateGrouped(const OpCall &call) {
  auto op = dyn_cast<transformer::GroupedMatmulOp>(call.operation());
  if (!op)
    return std::nullopt;
  reference::GroupedOptions options{op.getOffsets(), op.getTransposeRhs(),
                                    optionalOperand(call, op, 3), std::nullopt};
  if (auto kind = op.getActivation())
    options.activation = activationOf(*kind);
  return single(reference::groupedMatmul(call.operand(0), call.operand(1), call.operand(2), options,
                                         call.resultType(0)));
}

static Outcome evaluateLinear(const OpCall &call) {
  auto op = dyn_cast<transformer::LinearOp>(call.operation());
  if (!op)
    return std::nullopt;
  reference::Quantization quantization;
  quantization.scale = optionalOperand(call, op, 2);
  quantization.zeroPoint = optionalOperand(call, op, 3);
  if (op.getBlock())
    quantization.block = Dims(op.getBlock()->begin(), op.getBlock()->end());
  else if (quantization.scale && quantization.scale->rank() == 1)
    quantization.axis = 0;
  reference::Epilogue epilogue{optionalOperand(call, op, 4), optionalOperand(call, op, 5),
                               std::nullopt};
  if (auto kind = op.getActivation())
    epilogue.activation = activationOf(*kind);
  return single(reference::linear(call.operand(0), call.operand(1), quantization, epilogue,
                                  call.resultType(0), optionalOperand(call, op, 6)));
}

Outcome interpreter::evaluateTransformerContraction(const OpCall &call) {
  for (auto *group : {evaluateMatmul, evaluateGrouped, evaluateLinear})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
