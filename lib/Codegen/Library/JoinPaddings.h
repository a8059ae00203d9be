// Factors with zeros around them become part of the kernels of products.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_JOINPADDINGS_H
#define FORGE_LIB_CODEGEN_LIBRARY_JOINPADDINGS_H

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Target.h"

#include "mlir/IR/Operation.h"

namespace forge {

/// Puts operations in `root` that surround a factor with zeros into the clusters of the products
/// that read it, where strategy wgmma computes all of them, reads the factor through its padding
/// and takes no longer for it than writing the padded factor would; or where threads compute sums
/// through windows of it, and take no longer either. Clusters that it makes have
/// numbers from `next` on.
void joinPaddings(mlir::Operation *root, const GPUChip &chip, const LibraryUse &use, int64_t &next);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_JOINPADDINGS_H
