// Factors of 8 bits, read by products where they are in memory.
#ifndef FORGE_LIB_CODEGEN_GEMV_NARROWFACTOR_H
#define FORGE_LIB_CODEGEN_GEMV_NARROWFACTOR_H

#include "GemvProduct.h"

namespace forge {

/// Where a factor of `contraction`, on tensors, is the numbers of a tensor of i8, made for it
/// alone, and strategy gemv takes the product with that tensor itself before the library is asked:
/// replaces `contraction` by that product. Null, and nothing changed, otherwise.
mlir::linalg::LinalgOp foldNarrowFactor(mlir::linalg::LinalgOp contraction, const GPUChip &chip,
                                        const LibraryUse &use);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_NARROWFACTOR_H
