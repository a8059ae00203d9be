// Optional operands, and attributes, of transformer ops as the reference takes them.
#ifndef FORGE_LIB_VERIFY_TRANSFORMEROPERANDS_H
#define FORGE_LIB_VERIFY_TRANSFORMEROPERANDS_H

#include "Evaluation.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Reference/Activation.h"

namespace forge::interpreter {

/// Operand `index` of the op's definition, null when it is absent.
template <typename OpTy>
const HostTensor *optionalOperand(const OpCall &call, OpTy op, unsigned index) {
  auto [begin, count] = op.getODSOperandIndexAndLength(index);
  return count == 0 ? nullptr : &call.operand(begin);
}

reference::Activation activationOf(transformer::ActivationKind kind);

} // namespace forge::interpreter

#endif // FORGE_LIB_VERIFY_TRANSFORMEROPERANDS_H
