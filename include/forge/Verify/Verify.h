// Compiles a module, runs it on made-up inputs and compares with the reference; finds the phase and
// the op that differ.
#ifndef FORGE_VERIFY_VERIFY_H
#define FORGE_VERIFY_VERIFY_H

#include "forge/Pipelines/Phases.h"
#include "forge/Support/Result.h"
#include "forge/Verify/Compare.h"
#include "forge/Verify/Inputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace forge {

/// Compiles `function` of `module` up to and including the named phase ("" means all of them),
/// lowers the rest in the plainest way, runs it on `inputs` and returns the results. May change
/// `module`: it is handed a clone.
using Executor = std::function<Result<std::vector<HostTensor>>(
    mlir::ModuleOp module, llvm::StringRef function, llvm::StringRef phase,
    const std::vector<HostTensor> &inputs)>;

struct VerifyOptions {
  std::string function;       // empty: the entry function
  std::string target = "cpu"; // what to compile for
  std::string tier = "hybrid";
  Phase from = Phase::Import;                        // the phase the module is at
  uint64_t seed = 0;                                 // of the inputs that are made
  int64_t dynamicSize = 5;                           // of every `?` in the arguments
  Distribution distribution = Distribution::Uniform; // of floats in the inputs that are made
  std::vector<HostTensor> inputs;                    // used instead of made ones when not empty
  /// Also execute the IR after every phase.
  bool eachStage = false;
  /// The folder in which the smallest failing function and its data get a folder; empty: nothing is
  /// written.
  std::string reproducerDir;
  /// The command a reproducer's rerun line starts with.
  std::string command = "forge verify";
  /// How code is compiled and run; empty: through forge/Execution, for `target` and `tier`.
  Executor executor;
  /// The phases of eachStage, in order; empty: those of the target.
  std::vector<std::string> phases;
  /// Told what is going on ("reference", "phase fuse"), for progress on a terminal.
  std::function<void(llvm::StringRef)> progress;
};

/// One execution compared with the reference.
struct StageReport {
  std::string phase;               // "" for the whole pipeline
  std::string error;               // it did not compile or run
  bool refused = false;            // since a schedule in the module is wrong: reported at its place
  std::vector<Comparison> results; // per result of the function
  double milliseconds = 0;         // compile and run
  bool agree() const;
  /// It ran, and there were results to compare.
  bool ran() const { return error.empty(); }
};

struct VerifyReport {
  std::vector<Tolerance> tolerances; // per result
  std::vector<StageReport>
      stages; // with eachStage: every phase in order; always last: the whole pipeline
  std::string firstDiffering; // the first phase that differs; empty when all agree
  std::string reproducer;     // the written file, when one was
  std::string rerun;          // the command that repeats the failure on it
  std::string notWritten;     // why no file was written, when that failed
  bool agree() const;
};

/// Verifies one function. Fails (with a diagnostic on the module) only when there is no reference
/// to compare with: no such function, an op the reference does not have, inputs that do not fit.
/// Differences and compile errors of the compiler under test are in the report.
mlir::FailureOr<VerifyReport> verify(mlir::ModuleOp module, const VerifyOptions &options);

/// The report as text, one line per result and stage; with `verbose` a second one with the numbers
/// behind the verdict.
std::string describe(const VerifyReport &report, bool verbose = false);

} // namespace forge

#endif // FORGE_VERIFY_VERIFY_H
