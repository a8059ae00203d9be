// Forward-mode differentiation of a block of numbers.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_FORWARDMODE_H
#define FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_FORWARDMODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace forge::transformer {

/// 1. What `roots`, values of a block, are computed from is copied.
/// 2. Once for each number to differentiate by, which has the tangent 1: from the first operation
///    to the last, where an operand has a tangent, the result has one, by the chain rule; what has
///    none does not depend on the number.
class ForwardMode {
public:
  /// Copies to the place of `b`; `mapping` tells what stands for the arguments of `block`, and then
  /// for what was copied. `where` ends messages: "in a score region".
  ForwardMode(mlir::Block &block, mlir::ValueRange roots, mlir::ImplicitLocOpBuilder &b,
              mlir::IRMapping &mapping, llvm::StringRef where);

  /// The derivative of `y` by `x`, both of the block and `y` computed from the roots' operations;
  /// 0 where it does not depend on it. Fails at the operation that has none.
  mlir::FailureOr<mlir::Value> derivative(mlir::Value y, mlir::Value x);

private:
  mlir::Value number(mlir::Type type, double value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value negate(mlir::Value x);

  /// The tangent of operand `i`, or null.
  mlir::Value tangent(mlir::Operation &op, unsigned i);
  /// The same, 0 without one.
  mlir::Value tangentOrZero(mlir::Operation &op, unsigned i);
  /// The tangent of the result of `op`, whose copy is `copy`; null where it is not known.
  mlir::Value tangentOf(mlir::Operation &op, mlir::Operation *copy);
  mlir::Value binaryTangent(mlir::Operation &op, mlir::Operation *copy);
  /// The tangent of the operand that `op`, a maximum or minimum, takes: the first where the
  /// operands compare by `predicate`.
  mlir::Value chosen(mlir::Operation &op, mlir::Operation *copy,
                     mlir::arith::CmpFPredicate predicate);
  /// The sum of the operands' tangents times the slopes by them.
  mlir::Value bySlopes(mlir::Operation &op, mlir::Operation *copy);

  mlir::ImplicitLocOpBuilder &b;
  llvm::StringRef where;
  /// Operations of the block and their copies, in order.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> copies;
  llvm::DenseMap<mlir::Value, mlir::Value> tangents;
};

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_FORWARDMODE_H
