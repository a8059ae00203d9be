// What computes a factor in the kernel of its product.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_JOINFACTORS_H
#define FORGE_LIB_CODEGEN_LIBRARY_JOINFACTORS_H

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Target.h"

#include "mlir/IR/Operation.h"

namespace forge {

/// Marks, in `root`, what computes the right factor of a product to be in the product's kernel:
/// where strategy gemv computes the matrix of a few rows in registers, or strategy wgmma looks the
/// matrices of a batch up. `next`: the number of the next cluster of a product.
void joinFactors(mlir::Operation *root, const GPUChip &chip, const LibraryUse &use, int64_t next);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_JOINFACTORS_H
