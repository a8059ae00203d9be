// Which numbers of a tile do not count.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDMASK_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDMASK_H

#include "BackwardTiles.h"

namespace forge {

/// `numbers`, of a tile of rows and keys, -inf beyond the limits and in rows or keys that there are
/// not; computed in tiles that have such an element.
mlir::Value maskNumbers(mlir::ImplicitLocOpBuilder &b, TileValues &values,
                        const FlashBackward &flash, const BackwardWork &work,
                        const TilePlace &place, mlir::Value numbers);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDMASK_H
