// Dimensions of a tensor that a reshape splits into several, and these parts.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_SPLITDIMS_H
#define FORGE_LIB_CODEGEN_ATTENTION_SPLITDIMS_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Static sizes only. Dimensions of one element belong to no part.
class SplitDims {
public:
  /// Nothing if no dimension of `whole` is split in `split`, or if a dimension of `split` has one
  /// element or is not part of a single dimension of `whole`.
  static std::optional<SplitDims> of(mlir::RankedTensorType whole, mlir::RankedTensorType split);

  unsigned numParts() const { return parts.size(); }
  /// The whole dimension that a split one is a part of, and its size.
  unsigned wholeOf(unsigned dim) const { return parts[dim].whole; }
  int64_t sizeOf(unsigned whole) const { return shape[whole]; }

  /// Whether of each whole dimension all parts or none are in `dims`.
  bool hasWholes(llvm::ArrayRef<unsigned> dims) const;
  /// The whole dimensions that parts in `dims` are of, in order.
  llvm::SmallVector<unsigned> wholesOf(llvm::ArrayRef<unsigned> dims) const;
  /// Of a tensor with these split dimensions, those that are one whole dimension; nothing if it has
  /// some parts of one alone, or not side by side.
  std::optional<llvm::SmallVector<mlir::ReassociationIndices>>
  groupsOf(llvm::ArrayRef<unsigned> dims) const;
  /// The index along split dimension `dim`, of that along its whole one.
  mlir::Value partIndex(mlir::ImplicitLocOpBuilder &b, unsigned dim, mlir::Value index) const;

private:
  struct Part {
    unsigned whole = 0;
    /// Elements of the whole from one to the next, and how many there are.
    int64_t stride = 1, size = 1;
  };

  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Part> parts;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_SPLITDIMS_H
