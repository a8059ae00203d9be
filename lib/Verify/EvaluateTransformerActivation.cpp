// Transformer ops on single elements, and embedding.
#include "TransformerOperands.h"

#include "forge/Reference/Elementwise.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

reference::Activation interpreter::activationOf(transformer::ActivationKind kind) {
  switch (kind) {
  case transformer::ActivationKind::Relu:
    return reference::Activation::Relu;
  case transformer::ActivationKind::ReluSquared:
    return reference::Activation::ReluSquared;
  case transformer::ActivationKind::Gelu:
    return reference::Activation::Gelu;
  case transformer::ActivationKind::GeluTanh:
    return reference::Activation::GeluTanh;
  case transformer::ActivationKind::Silu:
    return reference::Activation::Silu;
  case transformer::ActivationKind::Sigmoid:
    return reference::Activation::Sigmoid;
  case transformer::ActivationKind::Tanh:
    return reference::Activation::Tanh;
  }
  llvm_unreachable("all kinds are named above");
}

Outcome interpreter::evaluateTransformerActivation(const OpCall &call) {
  Operation *operation = call.operation();
  if (auto op = dyn_cast<transformer::ActivationOp>(operation))
    return single(reference::activation(activationOf(op.getKind()), call.operand(0)));
  if (isa<transformer::AddOp>(operation))
    return single(reference::binary(reference::BinaryOp::Add, call.operand(0), call.operand(1)));
  if (isa<transformer::MultiplyOp>(operation))
    return single(
        reference::binary(reference::BinaryOp::Multiply, call.operand(0), call.operand(1)));
  if (isa<transformer::EmbeddingOp>(operation))
    return single(reference::embedding(call.operand(0), call.operand(1)));
  return std::nullopt;
}
