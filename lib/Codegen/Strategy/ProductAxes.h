// A contraction as a product of matrices, wherever its rows, columns, terms and batch are in
// memory.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_PRODUCTAXES_H
#define FORGE_LIB_CODEGEN_STRATEGY_PRODUCTAXES_H

#include "OperandView.h"

#include "forge/Codegen/Contraction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// What the loops of an axis are to out[b, m, n] = sum over k of left[b, m, k] * right[b, k, n].
enum class AxisRole { Batch, Row, Column, Term };

/// Loops that are one: in every operand that has them they are side by side, in this order, without
/// gaps.
struct ProductAxis {
  AxisRole role;
  /// The outermost first.
  llvm::SmallVector<unsigned, 4> loops;
  /// Dynamic where it is not known.
  int64_t size = 1;
};

/// Where an operand has its axes.
struct ProductOperand {
  mlir::Value value;
  /// Of a factor that is read through its padding, that of the source.
  OperandView view;
  /// The operation that surrounds the source with zeros, if it is read through it.
  mlir::linalg::GenericOp padding;
  struct Place {
    unsigned axis = 0;
    ElementCount stride;
    /// Dimensions of the operand.
    llvm::SmallVector<unsigned, 4> dims;
    /// Whether other axes move along the last of these dimensions too, as the places of a
    /// convolution's result and those of its kernel do.
    bool inWindow = false;
  };
  /// As they are in memory, the outermost first.
  llvm::SmallVector<Place, 5> places;

  /// The axis whose elements are side by side in memory; nothing if none is known to be.
  std::optional<unsigned> innermost() const;
  bool hasWindows() const;
  const Place *placeOf(unsigned axis) const;
};

/// A contraction with operand `lhs` as the left factor. Loops of one iteration are on no axis.
struct ProductAxes {
  llvm::SmallVector<ProductAxis, 8> axes;
  ProductOperand left, right, out;

  llvm::SmallVector<unsigned> withRole(AxisRole role) const;
  /// Sizes of these axes, multiplied; dynamic if one is.
  int64_t sizeOf(llvm::ArrayRef<unsigned> list) const;
  /// On buffers: the number of elements of an axis.
  mlir::OpFoldResult sizeValue(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis) const;
  /// Whether another contraction has the same axes, at the same strides.
  bool hasSameForm(const ProductAxes &other) const;
};

/// The loops in the order `map` takes them; nothing if it is no projected permutation.
std::optional<llvm::SmallVector<unsigned>> loopsOf(mlir::AffineMap map);

/// Whether `contraction`, on tensors or buffers, is a sum of products of two operands from zeros,
/// of types that products of matrices have.
bool isSumOfProducts(mlir::linalg::LinalgOp contraction);
/// The same of a factor of f32, f16 or bf16 and one of i8, each as it is in memory: the body makes
/// them numbers of the sums, f32.
bool isSumOfNarrowProducts(mlir::linalg::LinalgOp contraction);

/// The same of two 8-bit floats, f8E4M3FN or f8E5M2, that sums of matrix units are allowed for
/// (kUnitSumsAttr), in f32; or of two signed integers of 8 bits, in i32.
bool isSumOfByteProducts(mlir::linalg::LinalgOp contraction);

/// The factors of a sum of products of f32 numbers, from zeros, that are given as sums of bf16
/// pieces: all of a factor have one indexing map. Nothing if `contraction` is not one.
std::optional<FactorPieces> piecesOf(mlir::linalg::LinalgOp contraction);

/// Whether `op` is a sum of products, of pieces or not, that has rows of one factor and columns of
/// the other, with windows or without: matrix units compute those.
bool hasRowsAndColumns(mlir::linalg::LinalgOp op);
/// Whether both factors and the result of `op` have a loop: the features of a depthwise or grouped
/// convolution, which are to be innermost in all of them.
bool hasGroups(mlir::linalg::LinalgOp op);
/// Whether `op` reads an operand by windows: at an index that several of its loops make.
bool readsWindows(mlir::linalg::LinalgOp op);
/// Of a contraction that reads windows, the fewest columns by which each number of patches is
/// multiplied, or rows: a thread for each element of the result multiplies fewer in the time that
/// patches take to be written and read.
inline constexpr int64_t kPatchUses = 16;

/// Whether the one result of `contraction` is added to zeros.
bool sumsFromZeros(mlir::linalg::LinalgOp contraction);

/// Whether factors that a tensor with zeros around it makes are read where that tensor is: then the
/// loops that move along a dimension with zeros are axes by themselves.
enum class Paddings { InMemory, ReadThrough };

/// The axes of `contraction`, two factors and their sums, on tensors or buffers; nothing if its
/// indexing maps or slices do not let it be seen so. A factor may be read by windows: each of its
/// dimensions at a sum of loops times constants, all sizes known.
std::optional<ProductAxes> axesOf(mlir::linalg::LinalgOp contraction, unsigned lhs);
/// The same with operands `left` and `right` as factors.
std::optional<ProductAxes> axesOf(mlir::linalg::LinalgOp contraction, unsigned left, unsigned right,
                                  Paddings paddings = Paddings::InMemory);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_PRODUCTAXES_H
