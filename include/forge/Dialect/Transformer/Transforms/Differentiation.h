// Reverse-mode differentiation of functions of tensors: the interface of differentiable operations,
// and the function that transformer-differentiate is made of.
#ifndef FORGE_DIALECT_TRANSFORMER_TRANSFORMS_DIFFERENTIATION_H
#define FORGE_DIALECT_TRANSFORMER_TRANSFORMS_DIFFERENTIATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace forge::transformer {

/// The cotangents found so far: for a value v, the derivative of the loss by each element of v, a
/// tensor of v's type.
class Cotangents {
public:
  explicit Cotangents(llvm::DenseSet<mlir::Value> active) : active(std::move(active)) {}

  /// Whether `value` depends on a chosen argument, so that its gradient is worth building.
  bool isActive(mlir::Value value) const { return active.contains(value); }
  /// The cotangent of `value`, or null while it is zero.
  mlir::Value lookup(mlir::Value value) const { return found.lookup(value); }
  /// Adds `gradient`, cast to the static shape of `value`, to its cotangent; nothing if `value` is
  /// not active or `gradient` is null.
  void add(mlir::ImplicitLocOpBuilder &builder, mlir::Value value, mlir::Value gradient);

private:
  llvm::DenseSet<mlir::Value> active;
  llvm::DenseMap<mlir::Value, mlir::Value> found;
};

struct DifferentiationOptions {
  /// Arguments whose gradients are wanted; empty: all that are tensors of floats.
  llvm::SmallVector<int64_t> arguments;
  /// Name of the new function; empty: that of the function with "_grad".
  std::string name;
  /// Return the results of the function before the gradients.
  bool primalResults = false;
};

/// Adds the backward function of `function` behind it and returns it. Fails with a diagnostic at
/// the function, or at the operation that has no gradient; the module is then unchanged.
mlir::FailureOr<mlir::func::FuncOp> differentiate(mlir::func::FuncOp function,
                                                  const DifferentiationOptions &options);

/// Lets `differentiate` go through the operations of the transformer dialect, and through those of
/// arith, linalg, math and tensor that are between them.
void registerDifferentiationModels(mlir::DialectRegistry &registry);

} // namespace forge::transformer

#include "forge/Dialect/Transformer/Transforms/DifferentiableOpInterface.h.inc"

#endif // FORGE_DIALECT_TRANSFORMER_TRANSFORMS_DIFFERENTIATION_H
