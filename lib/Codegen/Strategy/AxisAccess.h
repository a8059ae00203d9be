// Where an operand has the axes of a kernel: strides of a contiguous argument along them.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_AXISACCESS_H
#define FORGE_LIB_CODEGEN_STRATEGY_AXISACCESS_H

#include "OperandView.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace forge {

/// Elements of a tensor or buffer along the axes of a kernel.
struct AxisAccess {
  mlir::Value root;
  /// Of the root's elements: where it begins, and from one index of each axis to the next; 0 along
  /// axes that it does not have.
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 8> strides;
  /// What is added to `offset`: `value`, of the kernel and below `size`, times `elements` of the
  /// root.
  struct Term {
    mlir::Value value;
    int64_t elements, size;
  };
  llvm::SmallVector<Term, 1> terms = {};

  int64_t elementBytes() const {
    return llvm::divideCeil(getElementTypeOrSelf(root.getType()).getIntOrFloatBitWidth(), 8);
  }
  /// The widest access along `axis`, of `widest` bytes or fewer, that every index keeps aligned;
  /// 0 if no two elements, of `bytes` each, can be accessed at once.
  int64_t alignmentAlong(std::optional<unsigned> axis, int64_t bytes, int64_t widest) const;
};

/// One dimension of a buffer that `castToAxes` makes.
struct AxisExtent {
  /// None: a dimension of one element.
  std::optional<unsigned> axis;
  int64_t size = 1;
};

/// On buffers: the elements of `access` as a buffer of these dimensions, behind one for each term,
/// whose index is the term's value.
mlir::Value castToAxes(mlir::ImplicitLocOpBuilder &b, const AxisAccess &access,
                       llvm::ArrayRef<AxisExtent> dims);

/// `access` begins where `view` does. False if a size of the root is not known that this takes: a
/// stride is the product of the sizes of all inner dimensions.
bool beginAt(AxisAccess &access, const OperandView &view);

/// Of `value`, whose dimensions `map` takes from loops, the strides along the axes: loop i is along
/// axis `axes[i]` of `numAxes`. Nothing if a dimension is not one loop or constant, or if strides
/// are not known, or where it begins: a constant, and terms if it may have them.
std::optional<AxisAccess> axisAccessOf(mlir::Value value, mlir::AffineMap map,
                                       llvm::ArrayRef<unsigned> axes, size_t numAxes,
                                       bool mayHaveTerms = false);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_AXISACCESS_H
