// Matrix products.
#include "TransformerOperands.h"

#include "forge/Reference/Matmul.h"

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

Outcome interpreter::evaluateTransformerContraction(const OpCall &call) {
  return evaluateMatmul(call);
}
