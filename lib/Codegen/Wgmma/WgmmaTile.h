// One tile of the result, and the shared memory that its operands pass through.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMATILE_H

#include "WgmmaProduct.h"

#include "forge/Codegen/Strategy.h"

#include <algorithm>

namespace forge {

/// The pattern in shared memory, in bytes: what is contiguous there, the terms of a stage. Columns
/// of a tile are multiples of kChunk, or of kFewColumns where there are few rows and the terms of
/// the right factor are contiguous.
inline constexpr int64_t kSwizzleBytes = 128, kChunk = 64, kFewColumns = 16;
/// Buffers of one factor that a stage has at most.
inline constexpr int64_t kMostChunks = 4;
/// Rows of one product instruction, and bytes of its terms.
inline constexpr int64_t kInstructionRows = 64, kInstructionBytes = 32;
/// Of them, those that each of the four warps has.
inline constexpr int64_t kWarpRows = 16;
static_assert(kFewRows == kInstructionRows && kTileRows == 2 * kInstructionRows);

struct WgmmaTile {
  /// Columns: of the product instruction, those of all parts side by side. Terms: of a stage.
  int64_t rows = kTileRows, columns = 0, terms = 0, stages = 0;
  /// Of few rows, those of the left factor that are copied, whole warps' of them: copies of rows
  /// that are not there take as long as of rows that are. Threads load them to registers, zeros for
  /// the others.
  std::optional<int64_t> fewRows;
  /// Products of a pair, or columns that a placement reads together: each has its share of the
  /// columns.
  int64_t parts = 1;
  /// Of a placement, how far the parts are apart in the matrix.
  std::optional<int64_t> apart;
  /// Pieces of each factor: a stage has all.
  int64_t leftPieces = 1, rightPieces = 1;
  /// Of an element of a factor.
  int64_t factorBytes = 2;
  /// Matrix units add up the products of so many stages, and such sums are added up in f32, rounded
  /// to nearest: of factors in pieces, and of 8-bit floats. 0: they add all.
  int64_t stagesPerSum = 0;

  /// Warpgroups that multiply.
  int64_t consumers() const { return rows / kInstructionRows; }
  /// Columns side by side.
  int64_t partColumns() const { return columns / parts; }
  /// Columns of each matrix.
  int64_t matrixColumns() const { return apart ? columns : partColumns(); }
  /// Columns of one accumulator. A thread has registers for the sums of a stage of 128 columns
  /// behind those of all stages.
  int64_t groupColumns() const { return stagesPerSum ? std::min<int64_t>(columns, 128) : columns; }
  int64_t groups() const { return columns / groupColumns(); }
  /// Terms of one buffer, and the buffers of a factor that a stage has.
  int64_t chunkTerms() const { return kSwizzleBytes / factorBytes; }
  int64_t chunks() const { return terms / chunkTerms(); }
  int64_t instructionTerms() const { return kInstructionBytes / factorBytes; }
  /// Of both factors.
  int64_t stageBytes() const {
    return (fewRows.value_or(rows) * leftPieces + columns * rightPieces) * terms * factorBytes;
  }
  /// All stages and two barriers for each, of few rows of each factor, with what is lost to
  /// alignment: patterns begin at multiples of 1024 bytes.
  int64_t sharedBytes() const { return stages * (stageBytes() + (fewRows ? 32 : 16)) + 1024; }

  /// Registers of a thread, about: of few rows 72 and its sums, at least 110 (ptxas 13.0); else
  /// what warpgroups hand to each other, all that a multiprocessor has.
  int64_t registers() const { return fewRows ? std::max<int64_t>(110, 72 + sums()) : 168; }
  /// Blocks that a multiprocessor has at once: of few rows two, where their shared memory and
  /// registers let it.
  int64_t residentBlocks(const GPUChip &chip) const {
    constexpr int64_t kOfBlock = 1024, kRegistersOfTwo = 128;
    bool fit = 2 * (sharedBytes() + kOfBlock) <= chip.maxSharedBytes + kOfBlock &&
               registers() <= kRegistersOfTwo;
    return fewRows && fit ? 2 : 1;
  }

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
