// Which tile of queries a number of the work stands for, and the blocks of keys that it needs.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H

#include "FlashPlan.h"
#include "TileLimits.h"

namespace forge {

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

  int64_t numTiles() const { return rowTiles() * flash.numPlaces(); }
  /// The tile of number `number`, an i32.
  QueryTile tileOf(mlir::Value number);

private:
  int64_t rowTiles() const { return llvm::divideCeil(flash.rows(), plan.rows); }
  /// Whether tiles of other rows see other numbers of keys.
  bool dependsOnRows() const;
  void place(mlir::Value number, QueryTile &tile);

  mlir::Value i32(int64_t value);

  mlir::ImplicitLocOpBuilder &b;
  const FlashAttention &flash;
  const FlashPlan &plan;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H
