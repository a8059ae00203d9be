// Products that the vendor's library computes, with what it does to their sums: recognised in
// operations on tensors and on buffers.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_LIBRARYPRODUCT_H
#define FORGE_LIB_CODEGEN_LIBRARY_LIBRARYPRODUCT_H

#include "../Strategy/ProductAxes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace forge {

/// What is done to the sums of a product, in the accumulation type, before they are rounded once:
/// out = activation(sum + bias + residual).
struct LibraryEpilogue {
  enum Activation { None = 0, Relu = 1, GeluTanh = 2 };
  /// Null if there is none. bias: [columns]; residual: as the result. Of the result's type.
  mlir::Value bias, residual;
  /// The numbers are those of forge_rt_epilogue.
  Activation activation = None;
};

/// A contraction as a batched product of matrices, wherever they are in memory: out[b, m, n] = sum
/// over k of lhs[b, m, k] * rhs[b, k, n]. One factor may be the same for all b.
struct LibraryProduct {
  mlir::linalg::LinalgOp op;
  /// The elementwise operation on its result, or null.
  mlir::linalg::GenericOp follow;
  LibraryEpilogue epilogue;
  /// The operand numbers of lhs and rhs: 0 and 1, or 1 and 0.
  unsigned lhs = 0, rhs = 1;
  ProductAxes axes;
  /// Nothing: one of them.
  std::optional<unsigned> batch, row, column, term;

  mlir::Value left() const { return axes.left.value; }
  mlir::Value right() const { return axes.right.value; }
  /// Where the result is.
  mlir::Value out() const {
    mlir::linalg::LinalgOp last = op;
    if (follow)
      last = mlir::cast<mlir::linalg::LinalgOp>(mlir::linalg::GenericOp(follow).getOperation());
    return last.getDpsInits().front();
  }
};

/// The product that `contraction` and `follow` (null: nothing) are, if the library computes it:
/// a contraction, from zeros, of f32, f64, or f16 or bf16 into f32; then bias, residual and
/// activation in that type; then one rounding to the type of the inputs, or none.
std::optional<LibraryProduct> matchProduct(mlir::linalg::LinalgOp contraction,
                                           mlir::linalg::GenericOp follow);

/// The product of matrices that `contraction` is with operand `lhs` on the left, whatever the types
/// of its factors are.
std::optional<LibraryProduct> matchMatrices(mlir::linalg::LinalgOp contraction, unsigned lhs);

/// The epilogue `follow` is on `sums`, one of its inputs, of a product whose columns are these
/// dimensions of the sums.
std::optional<LibraryEpilogue> matchEpilogue(mlir::linalg::GenericOp follow, mlir::Value sums,
                                             llvm::ArrayRef<unsigned> columnDims);

/// The product a kernel function (on tensors or memrefs) is, if it is one and nothing else: then
/// its operands are arguments of the function, the factors perhaps slices of them.
std::optional<LibraryProduct> matchLibraryProduct(mlir::func::FuncOp kernel);

/// False if it is known to have fewer than `least` multiplications.
bool mayHave(const LibraryProduct &product, int64_t least);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_LIBRARYPRODUCT_H
