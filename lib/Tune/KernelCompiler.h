// Between the files of lib/Tune: the code of one kernel by many schedules.
#ifndef FORGE_LIB_TUNE_KERNELCOMPILER_H
#define FORGE_LIB_TUNE_KERNELCOMPILER_H

#include "forge/Codegen/Schedule.h"
#include "forge/Execution/ObjectCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Compiles a kernel function as a module of its own by each schedule. Diagnostics are dropped:
/// what fails is said by an Error.
class KernelCompiler {
public:
  /// `kernel` and `machine` outlive it.
  KernelCompiler(mlir::func::FuncOp kernel, const TargetDevice &machine, Tier tier)
      : kernel(kernel), machine(machine), tier(tier) {}

  /// Compiles schedules side by side, without loading them. What fails does so again when it is
  /// asked for.
  void compileAhead(llvm::ArrayRef<ScheduleAttr> schedules);
  /// Loads what was compiled ahead, which is then no longer kept, or compiles.
  Result<Executable> compile(ScheduleAttr schedule);

private:
  CompileOptions options() const;

  mlir::func::FuncOp kernel;
  const TargetDevice &machine;
  Tier tier;
  llvm::DenseMap<ScheduleAttr, ObjectCode> ahead;
};

} // namespace forge

#endif // FORGE_LIB_TUNE_KERNELCOMPILER_H
