// Limits on keys as limits along one axis of tiles: which tiles have an element that counts, and
// which elements of a tile do.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_TILELIMITS_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_TILELIMITS_H

#include "KeyLimits.h"
#include "TileValues.h"

namespace forge {

/// Where a block has a tile along axis `own` and goes through tiles along another one: it counts
/// what is at most perOwn * own + value along that, or at least so much for a lower limit.
struct TileLimit {
  bool isUpper = true;
  int64_t perOwn = 0;
  /// An index.
  mlir::Value value;
  /// Whether instead all along the axis counts where own <= value, or >=, and nothing elsewhere.
  bool isOfOwn = false;
};

/// A block's tile along `own`, and the axis that it goes along.
struct TileSpan {
  /// Where the tile begins: an index.
  mlir::Value begin;
  int64_t ownTile = 1, ownSize = 1, alongTile = 1, alongSize = 1;
};

/// The limits of tiles of `axes`, the first of which is a block's own; one of them is the keys',
/// the other one that of rows. `begin`: where tiles begin, by axis.
llvm::SmallVector<TileLimit> tileLimits(mlir::ImplicitLocOpBuilder &b,
                                        const AttentionProgram &program,
                                        const KeyConditions &conditions, TileAxes axes,
                                        llvm::ArrayRef<mlir::Value> begin);

/// The first tile in which anything counts, and the one behind the last, as i32; one tile at least.
std::pair<mlir::Value, mlir::Value> tilesThatCount(mlir::ImplicitLocOpBuilder &b,
                                                   llvm::ArrayRef<TileLimit> limits,
                                                   const TileSpan &span);

/// `numbers`, of the tile at `place`, -inf where they do not count, or are beyond the size of the
/// axis that the block goes along, if tiles do not divide it. Dimension `ownDim` of the tile is the
/// block's own. `byVote`: computed by warps that have such an element; products that take registers
/// computed behind a branch do not run beside those before it.
mlir::Value maskNumbers(mlir::ImplicitLocOpBuilder &b, TileValues &values,
                        llvm::ArrayRef<TileLimit> limits, const TilePlace &place, unsigned ownDim,
                        mlir::Value numbers, bool byVote);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_TILELIMITS_H
