// How attention of many rows is spread over blocks.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHPLAN_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHPLAN_H

#include "FlashAttention.h"

#include "../Tile/WarpProduct.h"

namespace forge {

/// That every matrix instruction of warps has.
inline constexpr int64_t kRowsOfInstruction = 16;

/// A block takes tiles of `rows` rows and goes through their keys by `keys` at a time. Only sizes,
/// as of a WarpProduct.
struct FlashPlan {
  int64_t rows = 128, keys = 128;
  /// Of the products, whose accumulators are [rows, keys] and [rows, columns], or transposed.
  WarpProduct product;
  /// Depth and columns as they are multiplied, padded with zeros.
  int64_t depth = 0, columns = 0;
  /// Whether accumulators have the rows last: then the weights, as mfma and wmma leave them, are
  /// in the lanes in which the next product takes them.
  bool rowsLast = false;
  bool queriesInRegisters = false;
  /// Of a ring of blocks of keys and values, where the rows are few; 0 where there is none.
  int64_t slots = 0;
  /// Parts of a tile's keys that blocks of a cluster take.
  int64_t splits = 1;

  /// Whether the warps of a block share keys and columns: the rows are those of one instruction.
  bool sharesKeys() const { return product.isMatrix() && rows == kRowsOfInstruction; }
  bool byWarpgroups() const { return product.kind == tile::DotKind::Wgmma; }
  int64_t warpgroups() const { return rows / 64; }
};

/// Bytes of shared memory of a block.
int64_t sharedBytesOf(const FlashAttention &flash, const FlashPlan &plan);

/// Of 32 bits, that a thread needs at once by matrix instructions of warps or fma; warpgroups share
/// out what there is.
int64_t registersOf(const FlashAttention &flash, const FlashPlan &plan, const GPUChip &chip);
/// Tiles of rows.
int64_t numTiles(const FlashAttention &flash, const FlashPlan &plan);

/// How many blocks share the keys of a tile, where tiles are fewer than blocks that run at once.
int64_t splitsOf(const FlashAttention &flash, const FlashPlan &plan, const GPUChip &chip);

/// What fits into the chip's registers and shared memory, the best first.
llvm::SmallVector<FlashPlan> plansOf(const FlashAttention &flash, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHPLAN_H
