// Builds the tile program of a contraction.
#ifndef FORGE_LIB_CODEGEN_TILECONTRACTION_BUILDCONTRACTION_H
#define FORGE_LIB_CODEGEN_TILECONTRACTION_BUILDCONTRACTION_H

#include "ContractionTile.h"

namespace forge {

/// Adds to the end of `kernel`, on buffers, a tile program that computes `contraction` in place of
/// its operations of linalg, which stay: one tile of the result a block, factors through registers
/// and shared memory.
void buildContraction(mlir::func::FuncOp kernel, const TileContraction &contraction,
                      const ContractionTile &tile, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILECONTRACTION_BUILDCONTRACTION_H
