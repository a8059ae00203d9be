// Between the files of lib/Tune: the code of one kernel by many schedules.
#ifndef FORGE_LIB_TUNE_KERNELCOMPILER_H
#define FORGE_LIB_TUNE_KERNELCOMPILER_H

#include "forge/Codegen/Schedule.h"
#include "forge/Execution/CodeCache.h"
#include "forge/Execution/Executable.h"
#include "forge/Support/ScratchFolder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Compiles a kernel function as a module of its own, in a context of its own, by each schedule.
class KernelCompiler {
public:
  /// `kernel` and `machine` outlive it.
  KernelCompiler(mlir::func::FuncOp kernel, const TargetDevice &machine, Tier tier)
      : kernel(kernel), machine(machine), tier(tier) {}

  /// Compiles schedules on as many threads as there are processors, without loading them. What
  /// fails does so again when it is asked for.
  void compileAhead(llvm::ArrayRef<ScheduleAttr> schedules);
  /// Loads what was compiled ahead, or compiles.
  Result<Executable> compile(ScheduleAttr schedule);

private:
  /// The module by `schedule`.
  std::string textOf(ScheduleAttr schedule) const;
  Result<Executable> compileText(const std::string &text, const TargetDevice &machine);

  mlir::func::FuncOp kernel;
  const TargetDevice &machine;
  Tier tier;
  /// Where code is kept; empty where there is no room for temporary files.
  std::optional<ScratchFolder> folder;
};

} // namespace forge

#endif // FORGE_LIB_TUNE_KERNELCOMPILER_H
