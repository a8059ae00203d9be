// Logits and exponentials of a softmax in f32, where the module rounds them to 16 bits on the way.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_WIDENLOGITS_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_WIDENLOGITS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Leaves roundings to 16 bits out of `op`, on tensors, where the numbers go on in f32: between two
/// of its operations, and in its results, but those of reductions, which become f32. Those who read
/// these round them where they need 16 bits. `op` may be replaced.
void widenResults(mlir::linalg::GenericOp op);

/// Has a generic operation read `operand` in f32, as another result of the elementwise operation
/// that rounds it; nothing changes where none does.
void readUnrounded(mlir::OpOperand &operand);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_WIDENLOGITS_H
