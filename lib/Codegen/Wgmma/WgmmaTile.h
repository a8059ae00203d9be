// One tile of the result, and the shared memory that its operands pass through.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H

#include "WgmmaProduct.h"

#include "forge/Codegen/Strategy.h"

namespace forge {

/// The pattern in shared memory, in bytes, and in 16-bit elements: what is contiguous there.
inline constexpr int64_t kSwizzleBytes = 128, kChunk = 64;
/// Rows of one product instruction, and terms of it.
inline constexpr int64_t kInstructionRows = 64, kInstructionTerms = 16;
/// Warpgroups that multiply.
inline constexpr int64_t kConsumers = 2;
static_assert(kTileRows == kConsumers * kInstructionRows);

struct WgmmaTile {
  /// Columns: of the product instruction, those of all parts side by side.
  int64_t rows = kTileRows, columns = 0, terms = kChunk, stages = 0;
  /// Products of a pair: each has its share of the columns.
  int64_t parts = 1;

  int64_t partColumns() const { return columns / parts; }
  /// Of both factors, 16 bits an element.
  int64_t stageBytes() const { return (rows + columns) * terms * 2; }
  /// All stages and two barriers for each, with what is lost to alignment: patterns begin at
  /// multiples of 1024 bytes.
  int64_t sharedBytes() const { return stages * (stageBytes() + 16) + 1024; }

  /// f32 sums of one thread.
  int64_t sums() const { return columns / 2; }
};

/// The tile of a schedule, of a product with this many parts.
WgmmaTile tileOf(ScheduleAttr schedule, int64_t parts);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H
