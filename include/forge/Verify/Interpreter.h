// Executes StableHLO, op by op, with the plain-loop reference (forge/Reference): the semantics
// everything else is compared with. Shares no code with the compiler.
#ifndef FORGE_VERIFY_INTERPRETER_H
#define FORGE_VERIFY_INTERPRETER_H

#include "forge/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <memory>
#include <vector>

namespace forge {

/// Tensors in the interpreter are immutable and shared.
using TensorRef = std::shared_ptr<const HostTensor>;

/// Stands between the ops of an execution and may change what they take and what they give. Sees
/// every op that computes, also inside called functions and in regions of while, if and case, but
/// not calls, loops and branches themselves, nor scalar bodies of reductions and the like.
class InterpreterHook {
public:
  virtual ~InterpreterHook() = default;
  virtual void before(mlir::Operation *op, std::vector<TensorRef> &operands) {}
  virtual void after(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands,
                     std::vector<TensorRef> &results) {}
  /// Asked after `before`: whether the execution is to end there, as a failure.
  virtual bool stops() const { return false; }
};

struct InterpreterOptions {
  enum class Precision {
    /// Every op computes in double and rounds its results to their element type: what StableHLO
    /// means.
    Storage,
    /// Float tensors are carried as f64 throughout: how the result would be without rounding.
    Double
  };
  Precision precision = Precision::Storage;
  /// Stands between the ops; not owned.
  InterpreterHook *hook = nullptr;
  /// Called after every executed op with its results, also inside called functions and in regions
  /// of while, if and case (not in scalar bodies of reductions and the like).
  std::function<void(mlir::Operation *, const std::vector<TensorRef> &)> observer;
  /// Keep the last value of everything computed in the entry function and its callees (see
  /// Interpreter::valueOf).
  bool keepValues = false;
  /// Ops executed before giving up, so that a loop without end is an error.
  int64_t maxSteps = 1'000'000'000;
};

/// Walks a module. Every failure is reported as a diagnostic at the op's location: unsupported ops,
/// sizes that do not fit at run time, failed checks (check.*) and shape assertions, too many steps.
class Interpreter {
public:
  explicit Interpreter(mlir::ModuleOp module, InterpreterOptions options = {});
  ~Interpreter();

  /// Runs `function` on `inputs` (types and shapes must fit its arguments; a float input may also
  /// come as a wider float and is rounded) and returns its results.
  mlir::FailureOr<std::vector<HostTensor>> run(mlir::func::FuncOp function,
                                               const std::vector<HostTensor> &inputs);

  /// The last value computed for `value`; null when it was never computed or keepValues is off.
  TensorRef valueOf(mlir::Value value) const;

  /// Checks (check.expect_*) executed so far.
  int64_t checksRun() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// The element type of a tensor type, as the host stores it; fails on types Forge does not have
/// (complex, quantized).
mlir::FailureOr<DType> dtypeOf(mlir::Type elementType);
/// The inverse.
mlir::Type typeOf(DType type, mlir::MLIRContext *context);

} // namespace forge

#endif // FORGE_VERIFY_INTERPRETER_H
