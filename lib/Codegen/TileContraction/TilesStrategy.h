// Strategy "tiles": contractions as tile programs.
#ifndef FORGE_LIB_CODEGEN_TILECONTRACTION_TILESSTRATEGY_H
#define FORGE_LIB_CODEGEN_TILECONTRACTION_TILESSTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Contractions of floats or integers of known sizes, with any number and order of batch, row,
/// column and sum dimensions at any strides, and any elementwise epilogue, on every chip: bf16 and
/// f16 by the chip's matrix instructions, others by fma.
///
/// Schedule: `m` rows and `n` columns of a tile, `k` terms of a step.
extern const Strategy tilesStrategy;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILECONTRACTION_TILESSTRATEGY_H
