// Which tiles a block of a kernel of gradients has, and which of them it goes through.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDTILES_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDTILES_H

#include "FlashBackward.h"

#include "../FlashAttention/TileOrder.h"

namespace forge {

/// What a block computes: its own tile, and the tiles it goes through, numbered from 0 to before
/// `count`, which is at least 1.
struct BackwardWork {
  /// By axis, as an index: the place, and where the own tile begins.
  llvm::SmallVector<mlir::Value> begin;
  llvm::SmallVector<TileLimit> limits;
  /// As i32: the first of the tiles along the axis, how many of them, and `count`, that times
  /// turns.
  mlir::Value first, perTurn, count;
};

/// A tile of the work, as i32: the turn, and its number in it. Counted, which is cheaper than
/// divided.
struct BackwardPosition {
  mlir::Value turn, inTurn;

  static constexpr unsigned kNumValues = 2;
  llvm::SmallVector<mlir::Value> all() const { return {turn, inTurn}; }
  static BackwardPosition of(mlir::ValueRange values) { return {values[0], values[1]}; }
};

class BackwardTiles {
public:
  BackwardTiles(mlir::ImplicitLocOpBuilder &b, const FlashBackward &flash, const BackwardPlan &plan)
      : b(b), flash(flash), plan(plan) {}

  int64_t numBlocks() const { return sequence().numTiles(flash.graph()); }
  /// Of block `number`, an i32.
  BackwardWork workOf(mlir::Value number);
  BackwardPosition first() { return {i32(0), i32(0)}; }
  BackwardPosition next(const BackwardWork &work, const BackwardPosition &position);
  /// Where the tile begins, by axis, as an index.
  llvm::SmallVector<mlir::Value> beginOf(const BackwardWork &work,
                                         const BackwardPosition &position);

private:
  /// Of a causal mask, the last rows and the first keys see most.
  TileSequence sequence() const {
    return {flash.own, plan.own, flash.places, /*lastFirst=*/flash.overKeys};
  }

  mlir::Value i32(int64_t value);
  mlir::Value toIndex(mlir::Value value);

  mlir::ImplicitLocOpBuilder &b;
  const FlashBackward &flash;
  const BackwardPlan &plan;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDTILES_H
