// Gradients of attention, as one kernel computes them: what is known of it before it is built.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_FLASHBACKWARD_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_FLASHBACKWARD_H

#include "ScoreProgram.h"

#include "../FlashAttention/KeyLimits.h"
#include "../FlashAttention/TileValues.h"
#include "../Strategy/AxisAccess.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"

namespace forge {

/// A factor as it is copied to shared memory: side by side along `inner`.
struct BackwardFactor {
  AxisAccess access;
  unsigned inner = 0;
};

/// A number for each row, or for each key, in memory, and the arguments of bodies that are it.
struct BackwardVector {
  AxisAccess access;
  llvm::SmallVector<AttentionGraph::Place, 2> readers;
};

/// Sums over keys, for which a block has a tile of rows and goes through tiles of keys; or sums
/// over rows, for which it has a tile of keys and goes through tiles of rows. The weights are
/// 2^(power * (scale * number - base) - logSum) where the conditions hold and 0 elsewhere; `base`
/// and `logSum` are numbers of rows.
struct FlashBackward {
  ScoreProgram program;
  bool overKeys = false;
  /// The longest axis of rows, and those of tiles: the block's own, and the one it goes along.
  unsigned rowAxis = 0, own = 0, along = 0;
  /// The other axes of a block's place, and those that sums run over besides.
  llvm::SmallVector<unsigned, 4> places, turns;
  /// The products' factors: the block's own one of each, and what is copied for each tile, which
  /// sums read as well; no two are equal.
  llvm::SmallVector<BackwardFactor, 2> owned;
  llvm::SmallVector<BackwardFactor, 3> copied;
  /// Which of `copied` a product and a sum read, by their numbers.
  llvm::SmallVector<unsigned, 3> ofProduct, ofSum;
  /// Numbers of the block's own rows or keys, which are read once, and those that are copied for
  /// each tile.
  llvm::SmallVector<BackwardVector, 2> ownedVectors, copiedVectors;
  /// What a sum adds up: scale times a number, which is rounded to the factors' type; the sum is
  /// scaled at the end.
  struct Term {
    AttentionGraph::Place number;
    double scale = 1;
  };
  llvm::SmallVector<Term, 3> terms;
  /// In the body of stage `number.stage`.
  mlir::Value exponential;
  /// `logSum` may be null: 0 then.
  AttentionGraph::Place number, base, logSum;
  double scale = 1, power = 1;
  KeyConditions conditions;

  const AttentionProgram &graph() const { return program.graph; }
  /// Whether numbers are the scores as they are.
  bool isPlain() const { return AttentionGraph(graph()).isResultOf(number, graph().scores); }
  int64_t sizeOf(unsigned axis) const { return program.sizeOf(axis); }
  TileAxes axes() const { return {own, along}; }
  /// Inner axes in shared memory and in registers: whole panels of 128 bytes.
  int64_t padded(unsigned axis) const { return llvm::alignTo(sizeOf(axis), 64); }
  int64_t numPlaces() const;
  int64_t numTurns() const;
  mlir::Type factorType() const {
    return getElementTypeOrSelf(owned.front().access.root.getType());
  }
};

/// `m` rows of a block's own tile, 64 for each warpgroup, and `n` of those it goes through.
struct BackwardPlan {
  int64_t own = 128, along = 128;
  /// Copied tiles that are there at once.
  static constexpr int64_t kSlots = 2;

  int64_t warpgroups() const { return own / 64; }
};

/// Registers of a thread that sums, and products of a tile, take.
int64_t heldRegisters(const FlashBackward &flash, const BackwardPlan &plan);

/// Whether a sum's products may run while the next sum's numbers are computed: registers hold its
/// factors as well.
bool sumsOverlap(const FlashBackward &flash, const BackwardPlan &plan);

/// Nothing if no plan fits into the chip's registers and shared memory.
std::optional<BackwardPlan> planBackward(const FlashBackward &flash, const GPUChip &chip);

/// `program`, on tensors or buffers, if one kernel of this chip can compute it; says why not.
mlir::FailureOr<FlashBackward> matchFlashBackward(ScoreProgram program, const GPUChip &chip,
                                                  WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_FLASHBACKWARD_H
