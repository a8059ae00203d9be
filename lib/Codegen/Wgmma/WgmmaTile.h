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
  /// Pieces of each factor: a stage has all.
  int64_t leftPieces = 1, rightPieces = 1;

  int64_t partColumns() const { return columns / parts; }
  /// Of both factors, 16 bits an element.
  int64_t stageBytes() const { return (rows * leftPieces + columns * rightPieces) * terms * 2; }
  /// All stages and two barriers for each, with what is lost to alignment: patterns begin at
  /// multiples of 1024 bytes.
  int64_t sharedBytes() const { return stages * (stageBytes() + 16) + 1024; }

  /// f32 sums of one thread.
  int64_t sums() const { return columns / 2; }
  /// Columns at most: factors in pieces have two accumulators, of a stage and of all.
  int64_t mostColumns() const { return leftPieces + rightPieces > 2 ? 128 : 256; }
};

/// A tile for `product`, sizes left open.
WgmmaTile tileFor(const WgmmaProduct &product);
/// The tile of a schedule.
WgmmaTile tileOf(ScheduleAttr schedule, const WgmmaProduct &product);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H
