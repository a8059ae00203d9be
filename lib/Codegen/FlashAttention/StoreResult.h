// Results of tile programs of attention and its gradients.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_STORERESULT_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_STORERESULT_H

#include "TileValues.h"

namespace forge {

/// Stores what `write` leaves of the tile at `place`, as far as it lies within the limits; `places`
/// are the other axes that the memory has, `rowDim` the tile's dimension of rows.
void storeResult(mlir::ImplicitLocOpBuilder &b, TileValues &values, const AttentionProgram &program,
                 const AttentionWrite &write, llvm::ArrayRef<unsigned> places, TilePlace &place,
                 unsigned rowDim = 0);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_STORERESULT_H
