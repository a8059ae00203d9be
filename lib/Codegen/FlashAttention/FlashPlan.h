// How attention of many rows is spread over blocks.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHPLAN_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHPLAN_H

#include "FlashAttention.h"

namespace forge {

/// A block takes tiles of `rows` rows, 64 for each warpgroup, and goes through their keys by `keys`
/// at a time.
struct FlashPlan {
  int64_t rows = 128, keys = 128;

  int64_t warpgroups() const { return rows / 64; }
};

/// Depth and columns in shared memory: whole panels of 128 bytes.
int64_t paddedDepth(const FlashAttention &flash);
int64_t paddedColumns(const FlashAttention &flash);

/// Of one tile of queries, and two slots of keys and of values, in bytes.
int64_t sharedBytesOf(const FlashAttention &flash, const FlashPlan &plan);

/// Nothing if no plan fits into the chip's registers and shared memory.
std::optional<FlashPlan> planFlash(const FlashAttention &flash, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHPLAN_H
