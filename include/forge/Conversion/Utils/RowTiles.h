// Rows that belong to groups, in tiles of rows of one group each: so a product of every row with
// the matrix of its group is one of tiles with matrices.
#ifndef FORGE_CONVERSION_UTILS_ROWTILES_H
#define FORGE_CONVERSION_UTILS_ROWTILES_H

#include "forge/Conversion/Utils/IndexBuilder.h"

namespace forge {

/// Where rows are in tiles. Tiles of a group are side by side, and its rows in their order; what is
/// left of its last tile, and of the tiles behind the last group's, repeats row 0.
struct RowTiles {
  int64_t rows = 0, groups = 0;
  int64_t tiles = 0, height = 0; ///< of a tile: a power of two
  mlir::Value sources;           ///< i32 [tiles * height]: the row that is there
  mlir::Value owners;            ///< i32 [tiles]: a tile's group
  mlir::Value places;            ///< i32 [rows]: tile * height + row of the tile, -1 for no group
  mlir::Value starts;            ///< i32 [groups + 1]: a group's first tile, and how many are used

  /// Whether places and numbers of groups are of 32 bits, and `rows * matrix`, the multiplications
  /// of rows with matrices of so many elements, is at least `least`. All at least 1.
  static bool isWorth(int64_t rows, int64_t groups, int64_t matrix, int64_t least);
  /// Tiles of `height` that hold any `rows` rows of `groups` groups.
  static int64_t count(int64_t rows, int64_t groups, int64_t height);
  /// As many rows as keep matrix units busy, but no more than leave half of the tiles full.
  static int64_t chooseHeight(int64_t rows, int64_t groups);

  /// The tile that a place, an index, is in, and the row of it.
  std::pair<mlir::Value, mlir::Value> split(IndexBuilder ib, mlir::Value place) const;
};

/// `owner`: the group of a row, both indices; -1 where it has none. In O(rows^1.5) comparisons,
/// which no order of sums depends on.
RowTiles createRowTiles(mlir::OpBuilder &builder, mlir::Location loc, int64_t rows, int64_t groups,
                        llvm::function_ref<mlir::Value(IndexBuilder, mlir::Value row)> owner);

/// [tiles, height, rest...]: what `read` gives for the row, an index, of each place.
mlir::Value createTileRows(
    mlir::OpBuilder &builder, mlir::Location loc, const RowTiles &tiles, mlir::Type element,
    llvm::ArrayRef<int64_t> rest,
    llvm::function_ref<mlir::Value(IndexBuilder, mlir::Value row, mlir::ValueRange rest)> read);

/// [tiles, matrix...]: of each tile the matrix of its group, `matrices` along `groupDim`.
mlir::Value createTileMatrices(mlir::OpBuilder &builder, mlir::Location loc, const RowTiles &tiles,
                               mlir::Value matrices, int64_t groupDim);

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_ROWTILES_H
