// Which operations one row kernel computes together.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWCLUSTERS_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWCLUSTERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// `root` and producers of it, on tensors, that the strategy "rows" can compute in one kernel, in
/// program order: each is used by the others, or only after `root`. Fills among them. Just `root`
/// if there are none.
llvm::SmallVector<mlir::Operation *> clusterRows(mlir::linalg::GenericOp root);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWCLUSTERS_H
