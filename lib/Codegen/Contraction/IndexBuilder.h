// Index arithmetic that folds constants, and loops written as lambdas.
#ifndef FORGE_LIB_CODEGEN_CONTRACTION_INDEXBUILDER_H
#define FORGE_LIB_CODEGEN_CONTRACTION_INDEXBUILDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace forge::contraction {

/// An index that may be known.
struct Index {
  mlir::Value value;             // null while only `number` is needed
  std::optional<int64_t> number; // set if known

  bool is(int64_t n) const { return number == n; }
};

class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}

  mlir::OpBuilder &b;
  mlir::Location loc;

  Index of(int64_t number) const { return {mlir::Value(), number}; }
  Index of(mlir::Value value) const;
  /// The SSA value; makes the constant if need be.
  mlir::Value value(Index i);

  Index add(Index x, Index y);
  Index sub(Index x, Index y);
  Index mul(Index x, Index y);
  Index min(Index x, Index y);
  Index max(Index x, Index y);
  /// For x >= 0, y > 0.
  Index ceilDiv(Index x, Index y);
  Index div(Index x, Index y);
  Index rem(Index x, Index y);
  Index add(Index x, int64_t y) { return add(x, of(y)); }
  Index mul(Index x, int64_t y) { return mul(x, of(y)); }

  /// for i = from; i < to; i += step.
  void loop(Index from, Index to, int64_t step, llvm::function_ref<void(Index)> body);
  void loop(Index from, Index to, Index step, llvm::function_ref<void(Index)> body);
  /// The same with values carried from one iteration to the next.
  llvm::SmallVector<mlir::Value>
  loopCarrying(Index from, Index to, int64_t step, mlir::ValueRange initial,
               llvm::function_ref<llvm::SmallVector<mlir::Value>(Index, mlir::ValueRange)> body);
  /// Iterations in any order, on all cores; a plain loop if there is one iteration or `parallel` is
  /// false.
  void parallelLoop(Index count, bool parallel, llvm::function_ref<void(Index)> body);
  /// i < j as i1.
  mlir::Value less(Index x, Index y);
  void ifThenElse(mlir::Value condition, llvm::function_ref<void()> thenBody,
                  llvm::function_ref<void()> elseBody);

  template <typename Op, typename... Args> auto make(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
};

} // namespace forge::contraction

#endif // FORGE_LIB_CODEGEN_CONTRACTION_INDEXBUILDER_H
