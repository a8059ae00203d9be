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
/// A warpgroup that copies, and two that multiply.
inline constexpr int64_t kWarpgroup = 128, kConsumers = 2, kWgmmaThreads = 3 * kWarpgroup;
static_assert(kTileRows == kConsumers * kInstructionRows);

struct WgmmaTile {
  /// Columns: of the product instruction, those of all parts side by side.
  int64_t rows = kTileRows, columns = 0, terms = kChunk, stages = 0;
  /// Products of a pair: each has its share of the columns.
  int64_t parts = 1;

  int64_t partColumns() const { return columns / parts; }
  int64_t lhsBytes() const { return rows * terms * 2; }
  int64_t partBytes() const { return partColumns() * terms * 2; }
  int64_t rhsBytes() const { return columns * terms * 2; }
  int64_t stageBytes() const { return lhsBytes() + rhsBytes(); }
  /// All stages' left operands, then all right ones, then two barriers for each stage.
  int64_t rhsOffset() const { return stages * lhsBytes(); }
  int64_t barrierOffset() const { return stages * stageBytes(); }
  /// With what is lost to alignment: patterns begin at multiples of 1024 bytes.
  int64_t sharedBytes() const { return barrierOffset() + stages * 16 + 1024; }

  /// f32 sums of one thread.
  int64_t sums() const { return columns / 2; }
};

/// The tile of a schedule, of a product with this many parts.
WgmmaTile tileOf(ScheduleAttr schedule, int64_t parts);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H
