// The state of one interpreter.
#ifndef FORGE_LIB_VERIFY_INTERPRETERIMPL_H
#define FORGE_LIB_VERIFY_INTERPRETERIMPL_H

#include "Evaluation.h"
#include "PointsTogether.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {

class Interpreter::Impl {
public:
  using Values = std::vector<TensorRef>;
  /// The values of one activation of a function. Regions see and extend those around them.
  using Frame = llvm::DenseMap<mlir::Value, TensorRef>;

  Impl(mlir::ModuleOp module, InterpreterOptions options)
      : module(module), options(std::move(options)) {}

  /// An Error with this message has been reported at the op where it arose.
  static Error reported() { return Error{""}; }
  static Error report(mlir::Operation *op, const Error &error);

  Result<Values> runFunction(mlir::func::FuncOp function, const Values &arguments, bool inDouble);
  /// Runs a block's ops; returns the operands of its terminator.
  Result<Values> runBlock(mlir::Block &block, const Values &arguments, Frame &frame, bool inDouble);

  mlir::ModuleOp module;
  InterpreterOptions options;
  llvm::DenseMap<mlir::Value, TensorRef> kept;
  int64_t checks = 0;
  /// How many stablehlo.rng the run has executed.
  int64_t draws = 0;

private:
  Result<Values> runOp(mlir::Operation *op, const Values &operands, Frame &frame, bool inDouble);
  /// What computes: neither constants nor control flow.
  Result<Values> evaluate(mlir::Operation *op, const Values &operands, Frame &frame, bool inDouble);
  /// Calls and ops with regions that are not scalar bodies. Nothing if `op` is no such op.
  std::optional<Result<Values>> runControlFlow(mlir::Operation *op, const Values &operands,
                                               Frame &frame, bool inDouble);
  Result<Values> runWhile(mlir::Operation *op, const Values &operands, Frame &frame, bool inDouble);
  Result<Values> runScan(mlir::Operation *op, const Values &operands, Frame &frame, bool inDouble);
  /// scf.while and scf.forall.
  Result<Values> runWhileScf(mlir::Operation *op, const Values &operands, Frame &frame,
                             bool inDouble);
  Result<Values> runForall(mlir::Operation *op, const Values &operands, Frame &frame,
                           bool inDouble);
  Result<Values> runFor(mlir::Operation *op, const Values &operands, Frame &frame, bool inDouble);
  /// A linalg operation, by its body; and linalg.index inside of one.
  Result<Values> runStructured(mlir::Operation *op, const Values &operands, Frame &frame,
                               bool inDouble);
  Result<Values> runIndex(mlir::Operation *op);
  Result<Values> runExtract(mlir::Operation *op, const Values &operands);
  /// `value` for every one of the points that run together.
  Result<TensorRef> forAllPoints(const TensorRef &value) const;
  /// Memory and views of it. Nothing if `op` is of another kind.
  std::optional<Result<Values>> runMemory(mlir::Operation *op, const Values &operands,
                                          bool inDouble);
  Result<TensorRef> globalMemory(mlir::memref::GetGlobalOp op, bool inDouble);
  Result<Values> call(mlir::Operation *op, llvm::StringRef callee, const Values &operands,
                      bool inDouble);
  Result<Values> checkResults(mlir::Operation *op, Result<interpreter::Tensors> results,
                              bool inDouble);

  /// Constants by their op, made once.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, TensorRef> constants;
  int64_t steps = 0;
  int depth = 0;
  /// Inside the scalar body of a reduction, sort and the like, which observers do not see.
  int bodies = 0;
  /// Inside the body of a linalg operation, which observers do not see either; every operation of
  /// it rounds by itself.
  int structured = 0;
  /// Where the loops of the linalg operation around are.
  reference::Dims point;
  /// Of the linalg operation around, the points that run together; none where one runs alone. A
  /// value of the body then has one dimension, unless it is the same for all of them.
  interpreter::Points points;
};

} // namespace forge

#endif // FORGE_LIB_VERIFY_INTERPRETERIMPL_H
