// Between the files of lib/Tune: one kernel alone, run by different schedules.
#ifndef FORGE_LIB_TUNE_KERNELBENCH_H
#define FORGE_LIB_TUNE_KERNELBENCH_H

#include "KernelCompiler.h"

#include "forge/Codegen/KernelWork.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Execution/Executable.h"
#include "forge/Runtime/Resident.h"
#include "forge/Verify/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace forge {

class FileLock;

/// A kernel function on tensors of static sizes, as the entry of a module of its own, on inputs
/// that are made up.
class KernelBench {
public:
  /// Floating-point operations up to which the reference interpreter runs a kernel, and a simulated
  /// device does: some seconds of each.
  static constexpr int64_t kMostReferenceOps = 1'000'000, kMostSimulatedOps = 100'000'000;

  /// `kernel` has a schedule, and outlives the bench.
  KernelBench(mlir::func::FuncOp kernel, const TargetDevice &machine, Tier tier, uint64_t seed)
      : kernel(kernel), machine(machine), tier(tier), seed(seed), compiler(kernel, machine, tier) {}
  ~KernelBench();

  /// Seconds on the device by each schedule, means of the middle half of runs in rotated order, the
  /// device's cache overwritten before each; nothing for one that does not compile or run. They are
  /// compiled by several threads; meanwhile another process may time kernels on the device,
  /// afterwards none.
  std::vector<std::optional<double>> seconds(llvm::ArrayRef<ScheduleAttr> schedules);

  /// Keeps the code of so many schedules for calls to come; by default only that of those that may
  /// come again.
  void keepCode(size_t schedules) { mostKept = schedules; }

  /// Of schedules without a time: what failed, each once, in order.
  const std::vector<std::string> &failures() const { return faults; }

  /// Computes what the results have to be, once, by the reference. For a kernel of more than
  /// kMostReferenceOps that is what the last strategy of the table, a thread for each element,
  /// computes on the same device or, where that does not take it, the CPU, within estimated
  /// tolerances.
  Result<void> computeExpected();
  /// Whether the results by `schedule` are that, within the error model.
  Result<void> check(ScheduleAttr schedule);
  /// What it computes by `schedule`.
  Result<std::vector<HostTensor>> results(ScheduleAttr schedule);
  /// Whether there is time for that: simulated devices are too slow for more than
  /// kMostSimulatedOps.
  static bool canCheck(const KernelWork &work, const TargetDevice &machine);

private:
  Result<void> makeInputs();
  Result<void> prepare(ScheduleAttr schedule);
  Result<void> keepInputs(Executable &executable);
  Result<std::vector<HostTensor>> expectedByReference();
  Result<std::vector<HostTensor>> expectedByThreads();
  Result<std::vector<HostTensor>> expectedOnHost();
  Result<std::vector<HostTensor>> runOnDevice(Executable &executable);
  void compileAhead(llvm::ArrayRef<ScheduleAttr> schedules);
  /// Of one that was used lately, what is there.
  Executable *findOrCompile(ScheduleAttr schedule);
  Result<double> timeOnce(Executable &executable);
  void noteFailure(ScheduleAttr schedule, const Error &error);
  Result<void> overwriteCache();
  void takeTurn(FileLock &turn);

  mlir::func::FuncOp kernel;
  const TargetDevice &machine;
  Tier tier;
  uint64_t seed;
  KernelCompiler compiler;
  std::vector<HostTensor> inputs, expected;
  std::vector<Tolerance> tolerances;
  std::vector<std::string> faults;
  llvm::DenseMap<ScheduleAttr, std::unique_ptr<Executable>> executables;
  size_t mostKept = 0;
  /// The inputs on the device, kept by `keeper`, which goes last.
  std::unique_ptr<Executable> keeper;
  std::vector<rt::Resident> residents;
  std::unique_ptr<rt::Stream> stream;
  void *scratch = nullptr;
};

} // namespace forge

#endif // FORGE_LIB_TUNE_KERNELBENCH_H
