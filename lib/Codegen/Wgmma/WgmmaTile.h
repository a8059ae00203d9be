// One tile of the result, and the shared memory that its operands pass through.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H

#include "WgmmaProduct.h"

#include "forge/Codegen/Strategy.h"

#include <algorithm>

namespace forge {

/// The pattern in shared memory, in bytes: what is contiguous there, the terms of a stage. Columns
/// of a tile are multiples of kChunk.
inline constexpr int64_t kSwizzleBytes = 128, kChunk = 64;
/// Rows of one product instruction, and bytes of its terms.
inline constexpr int64_t kInstructionRows = 64, kInstructionBytes = 32;
/// Warpgroups that multiply.
inline constexpr int64_t kConsumers = 2;
static_assert(kTileRows == kConsumers * kInstructionRows);

struct WgmmaTile {
  /// Columns: of the product instruction, those of all parts side by side.
  int64_t rows = kTileRows, columns = 0, terms = 0, stages = 0;
  /// Products of a pair: each has its share of the columns.
  int64_t parts = 1;
  /// Pieces of each factor: a stage has all.
  int64_t leftPieces = 1, rightPieces = 1;
  /// Of an element of a factor.
  int64_t factorBytes = 2;
  /// Matrix units add up the products of so many stages, and such sums are added up in f32, rounded
  /// to nearest: of factors in pieces, and of 8-bit floats. 0: they add all.
  int64_t stagesPerSum = 0;

  int64_t partColumns() const { return columns / parts; }
  /// Columns of one accumulator. A thread has registers for the sums of a stage of 128 columns
  /// behind those of all stages.
  int64_t groupColumns() const { return stagesPerSum ? std::min<int64_t>(columns, 128) : columns; }
  int64_t groups() const { return columns / groupColumns(); }
  int64_t instructionTerms() const { return kInstructionBytes / factorBytes; }
  /// Of both factors.
  int64_t stageBytes() const {
    return (rows * leftPieces + columns * rightPieces) * terms * factorBytes;
  }
  /// All stages and two barriers for each, with what is lost to alignment: patterns begin at
  /// multiples of 1024 bytes.
  int64_t sharedBytes() const { return stages * (stageBytes() + 16) + 1024; }

  /// Sums of one thread, 32 bits each.
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
