// A function of a module, compiled for a target and ready to run on host tensors.
#ifndef FORGE_EXECUTION_EXECUTABLE_H
#define FORGE_EXECUTION_EXECUTABLE_H

#include "forge/Execution/TargetDevice.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Support/TensorSource.h"
#include "forge/Support/TensorSpec.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace forge {

class CodeCache;
struct ObjectCode;

namespace rt {
class PendingRun;
class Resident;
} // namespace rt

struct CompileOptions {
  /// The function to compile; empty: "main", or the only public function.
  std::string function;
  /// "cpu", "cuda", "cuda:sm_90a", "hip:gfx942", "sim:sm_90a" ...
  std::string target = "cpu";
  Tier tier = Tier::Hybrid;
  /// The phase the module is at.
  Phase from = Phase::Import;
  /// Run the phases up to this one as the optimized tier has them and the naive tail after it
  /// (`--each-stage`).
  std::optional<Phase> naiveAfter;
  /// Verify the IR between passes.
  bool verifyEach = false;
  /// The folder in which the reproducer of an internal pass failure gets a folder; empty: none is
  /// written.
  std::string reproducerDir;
  /// Where to take the signature from if `module` no longer tells signedness; empty: from the
  /// module.
  std::optional<FunctionSignature> signature;
  /// Where code is looked for first and kept (forge/Execution/CodeCache.h); null: everything is
  /// compiled.
  CodeCache *cache = nullptr;
  /// Kernels of a GPU take time stamps where stages of their roles begin (forge/Codegen/Stamps.h):
  /// for runs while a trace is recorded.
  bool stamps = false;
};

/// Wall time of one phase of compilation. After the phases of Phases.h come "codegen" (LLVM IR to
/// machine code).
struct PhaseTime {
  std::string name;
  double ms = 0;
};

/// One kernel of the compiled function, for `--stats`. Counts are per run, from static shapes; 0
/// where unknown.
struct KernelInfo {
  std::string name;
  /// "rows", "contraction", "generic" ...
  std::string strategy;
  /// The schedule, as text: tiles, vector width, parallel or not.
  std::string schedule;
  int64_t flops = 0;
  int64_t bytes = 0;
  /// "model.mlir:12:8": of the source's operations that it computes.
  std::vector<std::string> places = {};
  /// Places in the host code that launch it (on a GPU).
  int64_t launches = 1;
  /// Where it takes time stamps, names of its stages and of rows (forge/Codegen/Stamps.h).
  std::vector<std::string> stages = {}, stageRows = {};
  /// What the machine code takes on a GPU: registers of a thread, bytes of a block's shared memory,
  /// of a thread's stack, and spilled; -1 where unknown. Scalar registers are AMD's.
  int64_t registers = -1, scalarRegisters = -1, sharedBytes = -1, stackBytes = -1, spillBytes = -1;
};

/// What one run gave.
struct RunResult {
  std::vector<HostTensor> results;
  /// Wall time inside compiled code: without argument checks and copies in and out.
  double runMs = 0;
  /// The check.* operations that did not hold, in the order they ran; each message names the check,
  /// the first element that differs, expected and actual.
  std::vector<std::string> failedChecks;
  /// How many check.* operations ran.
  int64_t numChecks = 0;
  /// The most bytes of temporaries alive at once.
  int64_t peakTemporaryBytes = 0;
  /// On a device: launches that were issued one by one, graphs captured and replayed; on a
  /// simulated one, its threads. All of this run alone.
  int64_t launchesIssued = 0, graphCaptures = 0, graphReplays = 0, threadsSimulated = 0;
};

class Executable {
public:
  /// Compiles a function of `module`, which is left unchanged. Diagnostics go to the handler of the
  /// module's context; the Error repeats the first of them in one line, with its location.
  /// With `machine`, for that one instead of `options.target`: tensors that are kept on its device
  /// are shared.
  static Result<Executable> compile(mlir::ModuleOp module, const CompileOptions &options,
                                    const TargetDevice *machine = nullptr);
  /// Loads code that was compiled for `machine` (forge/Execution/ObjectCode.h).
  static Result<Executable> load(ObjectCode code, const TargetDevice &machine);

  Executable(Executable &&) noexcept;
  Executable &operator=(Executable &&) noexcept;
  ~Executable();

  const FunctionSignature &signature() const;
  /// What it was compiled for, and runs on.
  const TargetDevice &machine() const;
  /// Empty where the code was in a cache.
  const std::vector<PhaseTime> &phaseTimes() const;
  const std::vector<KernelInfo> &kernels() const;
  /// The most bytes of temporaries alive at once in a run, of sizes known when it was compiled;
  /// without the results.
  int64_t temporaryBytes() const;
  /// Of the machine code, a device's included: two executables of one hash do the same.
  uint64_t codeHash() const;

  /// Checks `inputs` against the signature and runs. Inputs whose argument is donated may be
  /// overwritten (they are ours: move them in to save the copy). Fails on inputs that do not fit,
  /// on run-time shape errors and when out of memory; the executable can be run again afterwards.
  Result<RunResult> run(std::vector<HostTensor> inputs);

  /// Copies a tensor to where compiled code reads it. It must not outlive the executable.
  Result<rt::Resident> keep(HostTensor tensor);
  Result<rt::Resident> keep(const TensorSource &source);
  /// Gives such a tensor other elements, of the same type and shape.
  Result<void> write(rt::Resident &tensor, HostTensor elements);
  /// Runs on kept tensors where they are: those whose argument is donated may be overwritten. Per
  /// result `kept` has the number of the argument that is this result from then on, or none; the
  /// others are the results of the run.
  Result<RunResult> run(std::span<rt::Resident *const> arguments,
                        std::span<const std::optional<size_t>> kept);

  /// Begins such a run, which a device does while the host goes on; `finish` waits for it. Runs are
  /// done in the order in which they were begun, and all else waits for them.
  Result<rt::PendingRun> begin(std::span<rt::Resident *const> arguments,
                               std::span<const std::optional<size_t>> kept);
  Result<std::vector<HostTensor>> finish(rt::PendingRun run);

  /// The same, but every result stays where compiled code reads it. Fails when a check.* operation
  /// of the module does not hold.
  Result<std::vector<rt::Resident>> runKept(std::span<rt::Resident *const> arguments);

  /// Between runs: gives memory that the next would use back to the device; true if there was any.
  bool giveBack();

  /// Runs as runKept does, for timing on a device: milliseconds by its own clock that all launches
  /// together take, those of the vendor's library included. Drops the results. Fails for the CPU.
  Result<double> timeLaunches(std::span<rt::Resident *const> arguments);

  /// Runs on `inputs` where they lie and drops the results; milliseconds inside compiled code. For
  /// timing: no copy in or out passes through the caches between two calls. Donated inputs may be
  /// overwritten; fails as `run` does.
  Result<double> timeRun(std::vector<HostTensor> &inputs);

private:
  struct Impl;
  explicit Executable(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace forge

#endif // FORGE_EXECUTION_EXECUTABLE_H
