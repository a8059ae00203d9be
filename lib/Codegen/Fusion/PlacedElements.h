// Elements of an elementwise operation, each computed where it is put to its place.
#ifndef FORGE_LIB_CODEGEN_FUSION_PLACEDELEMENTS_H
#define FORGE_LIB_CODEGEN_FUSION_PLACEDELEMENTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace forge {

/// A slice of a tensor, some of whose dimensions of one element what is put there does not have.
struct PlaceOfSlice {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
  llvm::SmallBitVector dropped;
};

/// The indices, in what `view`, a reshape or slice, is of, of its element at `indices`.
llvm::SmallVector<mlir::Value> placeBefore(mlir::OpBuilder &b, mlir::Location loc,
                                           mlir::Operation *view,
                                           llvm::ArrayRef<mlir::Value> indices);

/// Whether `op` is a reshape of known sizes or a slice.
bool isElementView(mlir::Operation *op);

/// Makes `extract` read what reshapes and slices are of instead of them.
void readThroughViews(mlir::tensor::ExtractOp extract);

/// An elementwise operation, and the reshapes and slices through which one reader sees its result.
class PlacedElements {
public:
  /// The elements that `tensor` is made of, if it has one use.
  static std::optional<PlacedElements> of(mlir::Value tensor);
  /// The elements of the one result of `op`, whoever uses it.
  static std::optional<PlacedElements> of(mlir::linalg::GenericOp op);

  /// Whether they can be computed where `reader`, which writes `dests`, stands: nothing that they
  /// are computed from is overwritten before, or by it.
  bool canMoveTo(mlir::Operation *reader, mlir::ValueRange dests) const;

  /// The element at `indices` of what is read, computed where `b` inserts.
  mlir::Value at(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::Value> indices) const;

  /// Independent loops that put all of them into `place` of `dest`; null, and nothing is made,
  /// where there is one element.
  mlir::scf::ForOp place(mlir::OpBuilder &b, mlir::Location loc, mlir::Value dest,
                         const PlaceOfSlice &place) const;

  /// Erases what nothing reads any more.
  void eraseUnused() const;

private:
  mutable mlir::linalg::GenericOp producer;
  /// From the reader's side.
  llvm::SmallVector<mlir::Operation *> views;
};

/// Independent loops that compute each element of `op` by itself, in front of it; null if there are
/// none.
mlir::scf::ForOp asLoops(mlir::linalg::GenericOp op);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FUSION_PLACEDELEMENTS_H
