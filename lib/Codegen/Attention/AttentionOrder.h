// The order of the dimensions of an attention's result.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONORDER_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Where `last`, elementwise on tensors, is read by reductions of rows (a norm, the largest
/// magnitude of a token) whose elements are apart in memory, as those of the heads are: replaces it
/// by an operation with its result in the order in which they, and all other readers, go through
/// it, if the innermost dimension stays and `isKernel` takes that. Gives back what is there then.
mlir::linalg::GenericOp orderForRows(mlir::linalg::GenericOp last,
                                     llvm::function_ref<bool(mlir::linalg::GenericOp)> isKernel);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONORDER_H
