// Ops of dynamic shape that frameworks write as custom calls, because the specification's op takes
// as an attribute what they know only at run time.
#ifndef FORGE_DIALECT_STABLEHLO_IR_DYNAMICCALLS_H
#define FORGE_DIALECT_STABLEHLO_IR_DYNAMICCALLS_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge::stablehlo {

/// The targets, as they are printed.
inline constexpr llvm::StringLiteral kDynamicReduceWindow = "stablehlo.dynamic_reduce_window";
inline constexpr llvm::StringLiteral kDynamicRngBitGenerator =
    "stablehlo.dynamic_rng_bit_generator";
inline constexpr llvm::StringLiteral kDynamicTopK = "stablehlo.dynamic_top_k";

/// Where the operands of `dynamic_reduce_window(inputs..., init_values..., window_dimensions,
/// window_strides, base_dilations, window_dilations, padding)` stand: reduce_window with its
/// attributes as tensors, `[rank]` and for padding `[rank, 2]`, and the function named in
/// called_computations as its body.
struct DynamicReduceWindow {
  explicit DynamicReduceWindow(CustomCallOp op) : inputs(op->getNumResults()) {}

  size_t inputs; ///< how many; the first operands
  size_t initValues() const { return inputs; }
  size_t windowDimensions() const { return 2 * inputs; }
  size_t windowStrides() const { return 2 * inputs + 1; }
  size_t baseDilations() const { return 2 * inputs + 2; }
  size_t windowDilations() const { return 2 * inputs + 3; }
  size_t padding() const { return 2 * inputs + 4; }
  size_t numOperands() const { return 2 * inputs + 5; }
};

/// The algorithm of `dynamic_rng_bit_generator(initial_state, output_shape)`.
RngAlgorithm getDynamicRngAlgorithm(CustomCallOp op);

/// What CustomCallOp's verifier checks of these targets; success for all others.
mlir::LogicalResult verifyDynamicCall(CustomCallOp op);

/// The function in called_computations; an error at `op` unless there is exactly one, with a body
/// that takes `numArguments` and returns `numResults` tensors of rank 0.
mlir::FailureOr<mlir::func::FuncOp> getCalledComputation(CustomCallOp op, size_t numArguments,
                                                         size_t numResults);

} // namespace forge::stablehlo

#endif // FORGE_DIALECT_STABLEHLO_IR_DYNAMICCALLS_H
