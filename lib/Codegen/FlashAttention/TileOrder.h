// Which tile of queries a number of the work stands for, and the blocks of keys that it needs.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H

#include "FlashPlan.h"
#include "TileLimits.h"

namespace forge {

/// Sets `begin`, by axis, along `axes` to what `number`, an i32, is in a count whose last axis
/// changes fastest.
void spreadOver(mlir::ImplicitLocOpBuilder &b, const AttentionProgram &program, mlir::Value number,
                llvm::ArrayRef<unsigned> axes, llvm::MutableArrayRef<mlir::Value> begin);

/// Tiles along one axis, of all places along others, in the order in which blocks take them: of one
/// place after the other; where they differ, those that see most of several places, then those that
/// see less.
struct TileSequence {
  unsigned axis = 0;
  int64_t tile = 1;
  llvm::ArrayRef<unsigned> places;
  /// Whether the last tiles of a place see most.
  bool lastFirst = true;

  int64_t tilesOfPlace(const AttentionProgram &program) const;
  int64_t numTiles(const AttentionProgram &program) const;
  /// Sets `begin`, by axis, to where tile `number`, an i32, is. `perPlace`: how many times the
  /// memory of a place is that of one head.
  void place(mlir::ImplicitLocOpBuilder &b, const AttentionProgram &program,
             const KeyConditions &conditions, int64_t perPlace, mlir::Value number,
             llvm::MutableArrayRef<mlir::Value> begin) const;
};

/// One tile of queries.
struct QueryTile {
  /// By axis, as an index: the places, and where the rows begin.
  llvm::SmallVector<mlir::Value> begin;
  llvm::SmallVector<TileLimit> limits;
  /// Blocks of keys from the first to before the last, as i32; at least one.
  mlir::Value firstBlock, endBlock;
};

class TileOrder {
public:
  TileOrder(mlir::ImplicitLocOpBuilder &b, const FlashAttention &flash, const FlashPlan &plan)
      : b(b), flash(flash), plan(plan) {}

  int64_t numTiles() const { return sequence().numTiles(flash.program); }
  /// The tile of number `number`, an i32.
  QueryTile tileOf(mlir::Value number);

private:
  TileSequence sequence() const { return {flash.rowAxis, plan.rows, flash.places}; }

  mlir::ImplicitLocOpBuilder &b;
  const FlashAttention &flash;
  const FlashPlan &plan;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H
