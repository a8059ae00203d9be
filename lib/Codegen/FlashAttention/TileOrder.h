// Which tile of queries a number of the work stands for, and the blocks of keys that it needs.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H

#include "FlashPlan.h"
#include "TileValues.h"

namespace forge {

/// Of a limit the number that does not depend on row and key, as an index between -2^30 and 2^30,
/// where tiles of these axes begin at `begin`.
mlir::Value limitValue(mlir::ImplicitLocOpBuilder &b, const AttentionProgram &program,
                       const KeyLimit &limit, TileAxes axes, llvm::ArrayRef<mlir::Value> begin);

/// One tile of queries.
struct QueryTile {
  /// By axis, as an index: the places, and where the rows begin.
  llvm::SmallVector<mlir::Value> begin;
  /// Of each limit what limitValue gives.
  llvm::SmallVector<mlir::Value> limits;
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
  void findBlocks(QueryTile &tile);

  mlir::Value i32(int64_t value);
  mlir::Value index(int64_t value);

  mlir::ImplicitLocOpBuilder &b;
  const FlashAttention &flash;
  const FlashPlan &plan;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_TILEORDER_H
