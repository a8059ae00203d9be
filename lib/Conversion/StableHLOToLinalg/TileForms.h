// Values computed row by row from products in tiles, in the same tiles.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_TILEFORMS_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_TILEFORMS_H

#include "RowGroups.h"

#include "forge/Conversion/Utils/RowTiles.h"

#include "mlir/Transforms/DialectConversion.h"

namespace forge {

/// A product that was made in tiles.
struct TiledProduct {
  RowGroups groups; ///< with the values of the module
  RowTiles tiles;
  mlir::Value products; ///< [tiles, height, columns...]
};

/// By the module's value.
using TiledProducts = llvm::DenseMap<mlir::Value, TiledProduct>;

/// What follows a product in tiles up to the next one with the same groups, as the activation
/// between two products of an expert, is computed in tiles too: results do not go back to their
/// rows only to be gathered again. Operations on single rows are repeated with [tiles, height] in
/// place of the row's dimensions.
class TileForms {
public:
  TileForms(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
            const TiledProducts &made, const RowGroups &groups)
      : b(rewriter), loc(loc), made(made), groups(groups) {}

  /// The product that `rows`, with the row's dimensions in front, is computed from; null if none of
  /// the same groups.
  const TiledProduct *find(mlir::Value rows) const;
  /// `rows` in the tiles of `product`, with the other dimensions behind [tiles, height]; null if a
  /// part of it cannot be gathered.
  mlir::Value create(mlir::Value rows, const TiledProduct &product);

private:
  /// The operation that computes `rows` row by row, and what it reads that is of rows; null if it
  /// is not such.
  mlir::Operation *rowwise(mlir::Value rows, mlir::SmallVectorImpl<mlir::Value> &read) const;
  bool isOfRows(mlir::Value value) const;
  /// The product of the same groups that gives `value`; tiles of all of them are equal.
  const TiledProduct *productOf(mlir::Value value) const;
  mlir::Value gather(mlir::Value rows, const TiledProduct &product);
  mlir::Value repeat(mlir::Operation *op, const TiledProduct &product);
  mlir::RankedTensorType tiledType(mlir::Value rows, const TiledProduct &product) const;

  mlir::ConversionPatternRewriter &b;
  mlir::Location loc;
  const TiledProducts &made;
  const RowGroups &groups;
  llvm::DenseMap<mlir::Value, mlir::Value> forms;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_TILEFORMS_H
