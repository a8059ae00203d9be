// The steps of a placement for all elements of a tile, on tiles.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_PLACEMENTONTILES_H
#define FORGE_LIB_CODEGEN_STRATEGY_PLACEMENTONTILES_H

#include "ProductPlacement.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"

namespace forge {

/// Why the steps of `placement`, on tensors or buffers, cannot be operations of tiles,
/// one for each of their own; null if they can.
const char *whyNotOnTiles(const ProductPlacement &placement);

/// A tile of elements of a product, all with one place in their groups of columns.
struct PlacedTile {
  /// i32, of each element: its row among all of them, and its column.
  mlir::Value row, column;
  /// i1, whether it is there; null: all are. Else row and column are another's.
  mlir::Value isInside;
  int64_t place = 0;
};

/// Emits, on buffers, the steps of a placement for a tile of elements: loads are gathers, stores
/// are scatters, branches are masks.
class PlacementOnTiles {
public:
  /// `columns`: of a row of the product.
  PlacementOnTiles(mlir::ImplicitLocOpBuilder &b, const ProductPlacement &placement,
                   mlir::Value values, int64_t columns, const PlacedTile &tile)
      : b(b), placement(placement), values(values), columns(columns), tile(tile) {}

  /// What does not depend on the product, so that its loads are under way early.
  void begin();
  /// All else. `valueAt`: the tile of the product's elements at a place of the groups.
  void finish(llvm::function_ref<mlir::Value(int64_t place)> valueAt);

private:
  mlir::RankedTensorType typeOf(mlir::Type element) const {
    return mlir::cast<mlir::RankedTensorType>(tile.row.getType()).clone(element);
  }
  mlir::Value counterOf(int64_t weight, int64_t extent);
  mlir::Value constant(int64_t value);
  mlir::Value splat(mlir::Value value);
  bool isKnown(mlir::Value value) const;
  mlir::Value tileOf(mlir::Value value);
  llvm::SmallVector<mlir::Value> indicesOf(mlir::ValueRange indices, mlir::Value mask);
  /// Operations of `block`, done where `mask` is true (null: everywhere); without `valueAt`, those
  /// that do not need it.
  void emit(mlir::Block &block, mlir::Value mask, llvm::function_ref<mlir::Value(int64_t)> valueAt);
  void emitBranch(mlir::scf::IfOp branch, mlir::Value mask,
                  llvm::function_ref<mlir::Value(int64_t)> valueAt);

  mlir::ImplicitLocOpBuilder &b;
  const ProductPlacement &placement;
  mlir::Value values;
  int64_t columns;
  PlacedTile tile;
  mlir::IRMapping mapping;
  /// Of the tile, the elements that have a step; null: all.
  mlir::Value hasStep;
  /// Of the blocks of branches.
  llvm::DenseMap<mlir::Block *, mlir::Value> masks;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_PLACEMENTONTILES_H
