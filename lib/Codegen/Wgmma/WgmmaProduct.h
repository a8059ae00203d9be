// Products of matrices on matrix units, and what is done to their sums in the same kernel.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMAPRODUCT_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMAPRODUCT_H

#include "../Strategy/FactorLookup.h"
#include "../Strategy/FewRows.h"
#include "../Strategy/ProductPlacement.h"

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// One contraction of it.
struct WgmmaPart {
  mlir::linalg::LinalgOp op;
  ProductAxes axes;
  /// Operands of `op`: one of each factor, unless they are in pieces.
  FactorPieces pieces;
  /// The pieces behind the first ones, in memory as these are.
  llvm::SmallVector<ProductOperand, 2> leftRest, rightRest;
  /// Where the right factor's matrices are looked up: the right operand is the table then, and
  /// these are the numbers of matrices along `looked`, an axis of the batch.
  std::optional<FactorLookup> lookup;
  unsigned looked = 0;
};

/// Rows of a tile; of one axis that has no more than kFewRows, those.
inline constexpr int64_t kTileRows = 128;

/// Columns side by side of a tile are multiples of this: of what is contiguous in shared memory,
/// or, where there are few rows and the terms of the right factor are contiguous, of the pattern's
/// rows.
inline constexpr int64_t kPartColumns = 64, kFewPartColumns = 8;

/// An axis that a tile's rows span, and so many indices of it.
struct SpannedAxis {
  unsigned axis;
  int64_t extent;
};

/// The axes that tiles and stages divide. A tile has one index of each of the others.
struct TiledAxes {
  /// A tile's rows are a box of these, the last one's index fastest: those of one axis, or,
  /// where short axes cannot be joined, as the places of a convolution's result, of several. Empty:
  /// one row.
  llvm::SmallVector<SpannedAxis, 3> rows;
  /// The last of them.
  std::optional<unsigned> row;
  /// Nothing: one column.
  std::optional<unsigned> column;
  unsigned term = 0;
  /// The batch, and other rows and columns, then other terms.
  llvm::SmallVector<unsigned, 4> outer, outerTerms;
};

/// out = follow(sum over k of lhs[m, k] * rhs[k, n]), or, of a pair of products with one left
/// factor (the gate and the other half of a gated MLP), out = follow(sum over k of lhs[m, k] *
/// rhs0[k, n], sum over k of lhs[m, k] * rhs1[k, n]).
struct WgmmaProduct {
  /// One or two, which only differ in their right factor.
  llvm::SmallVector<WgmmaPart, 2> parts;
  /// Elementwise on the sums of all parts, or null.
  mlir::linalg::GenericOp follow;
  /// Of a single product: what puts its results to their places.
  std::optional<ProductPlacement> placement;
  TiledAxes tiled;

  /// What all parts have in common.
  const ProductAxes &axes() const { return parts.front().axes; }
  int64_t numParts() const { return static_cast<int64_t>(parts.size()); }
  /// Of a placement that reads several columns of a group, how far they are apart; a tile has as
  /// many of each.
  std::optional<int64_t> columnsApart() const {
    return placement && placement->group > 1 ? std::optional(placement->inner) : std::nullopt;
  }
  /// Of the first part; of a pair all factors are whole.
  const FactorPieces &pieces() const { return parts.front().pieces; }
  int64_t tileRows() const;
  /// Whether a tile has the rows of one warpgroup: then reading the right factor is what takes
  /// time.
  bool isOfFewRows() const { return tileRows() == kFewRows; }
  /// The operations whose padding of a factor it reads through.
  llvm::SmallVector<mlir::linalg::GenericOp, 2> paddings() const;
  bool hasLookup() const {
    return llvm::any_of(parts, [](const WgmmaPart &part) { return part.lookup.has_value(); });
  }
  bool isOfPieces() const { return pieces().left.size() + pieces().right.size() > 2; }
  mlir::Value left() const { return axes().left.value; }
  /// Of the left factor; 8-bit floats of the right one may be of the other type.
  mlir::Type factorType() const;
  mlir::Type sumType() const;
  int64_t factorBytes() const;
  bool isOfBytes() const { return factorBytes() == 1; }
  /// Of 8-bit floats: matrix units add up their products with fewer bits than f32's.
  bool hasUnitSums() const { return isOfBytes() && sumType().isF32(); }
  /// Indices of `axis` that a tile's rows have: of an axis that they do not span, one.
  int64_t extentOf(unsigned axis) const;
  /// Whether terms are side by side in memory; else it is rows, or columns.
  bool leftAlongTerms() const { return axes().left.innermost() == tiled.term; }
  bool rightAlongTerms() const { return axes().right.innermost() == tiled.term; }
  int64_t partStep() const {
    return isOfFewRows() && rightAlongTerms() ? kFewPartColumns : kPartColumns;
  }
  /// The operation that computes its results.
  mlir::linalg::LinalgOp last() const;
  /// Where the results are, or those that are put to places: all have the shape of the sums.
  llvm::SmallVector<mlir::Value> results() const;
  /// What is left of them where there is one.
  mlir::Value values() const;
  /// Takes `loops` as what puts the result of a single product to places; false if it is not that.
  bool takePlacement(mlir::scf::ForOp loops);
  /// Whether columns of a tile are side by side in the results.
  bool hasColumns() const { return tiled.column && axes().out.innermost() == tiled.column; }
  /// Whether `number` neighbouring columns of a tile, from a multiple of it on, are side by side in
  /// the results, and none of them is beyond.
  bool hasColumnsBy(int64_t number) const;
  bool hasEightsOfColumns() const { return hasColumnsBy(8); }
  /// The number of the part whose sums `value` is, if it is that.
  std::optional<unsigned> partOf(mlir::Value value) const;
  /// Operations of what follows that instructions for 16 bits of precision may compute.
  llvm::DenseSet<mlir::Operation *> approximate() const;
};

/// Sizes of it, as far as types say: dynamic where they do not.
struct WgmmaSizes {
  /// Matrices, and the rows and columns of each that tiles divide, columns of each part; terms of
  /// a sum, and of the axis that stages divide.
  int64_t batch, rows, columns, terms, stagedTerms;

  explicit WgmmaSizes(const WgmmaProduct &product);
  /// Tiles of so many rows that each matrix has.
  int64_t rowTiles;

  /// Multiplications of one part; dynamic where they are not known.
  int64_t multiplications() const;
};

/// The product that `contractions`, one or two, and `follow` (null: nothing, of one) are, on
/// tensors or buffers, for any chip.
std::optional<WgmmaProduct> matchWgmma(llvm::ArrayRef<mlir::linalg::LinalgOp> contractions,
                                       mlir::linalg::GenericOp follow,
                                       Paddings paddings = Paddings::InMemory);

/// The product a kernel function is, if it is one and nothing else.
std::optional<WgmmaProduct> matchWgmmaKernel(mlir::func::FuncOp kernel);

/// What matrix units of `chip` would need to compute `product`; null if they can. Tensor maps want
/// strides of multiples of 16 bytes.
const char *whyNotWgmma(const WgmmaProduct &product, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMAPRODUCT_H
