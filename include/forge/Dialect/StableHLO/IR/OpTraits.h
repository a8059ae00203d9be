// Traits of stablehlo ops, each a check of operand and result types.
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace forge::stablehlo::OpTrait {

namespace detail {
mlir::LogicalResult verifySupportedTypes(mlir::Operation *op);
mlir::LogicalResult verifySameTypes(mlir::Operation *op);
mlir::LogicalResult verifySameShapes(mlir::Operation *op);
mlir::LogicalResult verifySameElementTypes(mlir::Operation *op);
} // namespace detail

/// Refuses, as `unsupported stablehlo op`, what Forge does not compute with: complex and quantized
/// elements, unusual widths, and tensors whose size in bytes does not fit in 63 bits.
template <typename Op> struct SupportedTypes : mlir::OpTrait::TraitBase<Op, SupportedTypes> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySupportedTypes(op);
  }
};

/// One element type and one shape for all operands and results; dynamic sizes go with any.
template <typename Op> struct SameTypes : mlir::OpTrait::TraitBase<Op, SameTypes> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameTypes(op);
  }
};

/// One shape for all operands and results; dynamic sizes go with any.
template <typename Op> struct SameShapes : mlir::OpTrait::TraitBase<Op, SameShapes> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameShapes(op);
  }
};

/// One element type for all operands and results.
template <typename Op> struct SameElementTypes : mlir::OpTrait::TraitBase<Op, SameElementTypes> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameElementTypes(op);
  }
};

} // namespace forge::stablehlo::OpTrait
