// Builds the tile program of a product of strategy "wgmma".
#ifndef FORGE_LIB_CODEGEN_WGMMA_BUILDWGMMA_H
#define FORGE_LIB_CODEGEN_WGMMA_BUILDWGMMA_H

#include "WgmmaTile.h"

namespace forge {

/// Adds to the end of `kernel`, on buffers, a tile program that computes `product` in place of its
/// operations of linalg, which stay.
void buildWgmma(mlir::func::FuncOp kernel, const WgmmaProduct &product, const WgmmaTile &tile,
                const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_BUILDWGMMA_H
