// An operand as a strided view of a tensor or buffer that is contiguous.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_OPERANDVIEW_H
#define FORGE_LIB_CODEGEN_STRATEGY_OPERANDVIEW_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace forge {

/// A number of elements, or of bytes: a constant times sizes, known at run time only, of dimensions
/// of a contiguous tensor.
struct ElementCount {
  int64_t known = 1;
  /// Dimensions of the tensor.
  llvm::SmallVector<unsigned, 2> dynamic;

  bool isOne() const { return known == 1 && dynamic.empty(); }
  bool isMultipleOf(int64_t divisor) const { return known % divisor == 0; }
  bool operator==(const ElementCount &other) const {
    return known == other.known && dynamic == other.dynamic;
  }
};

/// What tensor.extract_slice and memref.subview operations take of a tensor or buffer, seen
/// through.
struct OperandView {
  /// What the slices are taken of; every tensor and buffer that a kernel gets is contiguous.
  mlir::Value root;
  struct Dim {
    /// The dimension of the root.
    unsigned root = 0;
    /// In elements of the root's dimension.
    int64_t step = 1;
    /// Dynamic where it is not known.
    int64_t size = 0;
    /// Not sliced.
    bool isWhole = true;
    /// Where zeros surround its elements: how many come before them. The other numbers are those of
    /// the elements.
    std::optional<int64_t> low = std::nullopt;
  };
  llvm::SmallVector<Dim> dims;
  /// Where the view begins in a dimension of the root: a constant, and values times constants.
  struct Begin {
    int64_t known = 0;
    llvm::SmallVector<std::pair<mlir::Value, int64_t>, 1> terms;
  };
  llvm::SmallVector<Begin> begins;

  /// Elements of the root from one element to the next along dimension `dim` of the view.
  ElementCount stride(unsigned dim) const;
  /// Whether the element after the last one along `inner` is the next one along `outer`: then both
  /// are one dimension.
  bool isContinued(unsigned outer, unsigned inner) const;
  /// Whether the first element is known to be a multiple of so many elements into the root.
  bool beginsAtMultipleOf(int64_t elements) const;
  /// Whether where it begins depends on elements of tensors, which the host would have to wait for.
  bool dependsOnElements() const;

  /// On buffers: the first element's number in the root, and `count` as a value.
  mlir::OpFoldResult offsetValue(mlir::OpBuilder &builder, mlir::Location loc) const;
  mlir::OpFoldResult countValue(mlir::OpBuilder &builder, mlir::Location loc,
                                const ElementCount &count) const;

private:
  ElementCount rootStride(unsigned dim) const;
};

/// `value`, a tensor or buffer, as a view; nothing if a slice's steps are not known.
std::optional<OperandView> viewOf(mlir::Value value);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_OPERANDVIEW_H
