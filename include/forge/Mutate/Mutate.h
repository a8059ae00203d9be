// Plants plausible mistakes in a module, one at a time, at every phase of its compilation, and
// tells which of them verification finds. See docs/mutation.md.
#ifndef FORGE_MUTATE_MUTATE_H
#define FORGE_MUTATE_MUTATE_H

#include "forge/Mutate/Mutator.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Support/Result.h"
#include "forge/Verify/Inputs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <string>
#include <vector>

namespace forge {

struct MutateOptions {
  std::string function; // empty: the entry function
  std::string target = "cpu";
  Tier tier = Tier::Hybrid;
  /// The phase that the module is at.
  Phase from = Phase::Import;
  /// Mistakes are planted in what these phases leave; empty: `from` and all that change the IR.
  std::vector<Phase> phases;
  /// Only these kinds; empty: all.
  std::vector<const Mutator *> mutators;
  /// Inputs that mutants are executed on; empty: of every distribution.
  std::vector<std::pair<llvm::StringRef, Distribution>> distributions;
  /// At most so many mutants, of as many kinds and phases as there are; 0: all.
  size_t sample = 0;
  /// Of the choice, and of the inputs.
  uint64_t seed = 0;
  int64_t dynamicSize = 5;
  /// Seconds that one mutant may take to compile and run.
  double timeLimit = 20;
  /// Mutants at a time.
  unsigned jobs = 1;
  /// Told of every mutant that is done: how many of how many.
  std::function<void(size_t, size_t)> progress;
};

/// One mistake at one place.
struct Mutant {
  size_t id = 0;
  Phase phase = Phase::Import;
  const Mutator *mutator = nullptr;
  /// Which op, counted in pre-order over the module of the phase, and which of its sites.
  size_t op = 0;
  unsigned site = 0;
  std::string opName;
  /// "file.mlir:3:8", and the function it is in.
  std::string location;
  std::string function;
};

/// What found a mutant, in the order of what is tried.
enum class Verdict {
  Verifier,   // the IR is invalid
  Pipeline,   // a pass reports an error
  Crash,      // compiler or compiled code die
  TimeLimit,  // neither ends
  Execution,  // the compiled code reports an error
  Comparison, // a result differs from the reference
  Survived,
  Unreached, // what was changed is never executed on these inputs
  SameCode   // the machine code is that of the unchanged module: no mistake at all
};
llvm::StringRef verdictName(Verdict verdict);

struct MutantReport {
  Mutant mutant;
  Verdict verdict = Verdict::Survived;
  /// The message; for Comparison the result and by how much it differs; for Survived why, as far as
  /// it is known.
  std::string detail;
};

struct MutationReport {
  /// Mistakes that could have been planted.
  size_t possible = 0;
  /// In the order of phases and ops.
  std::vector<MutantReport> mutants;
  size_t count(Verdict verdict) const;
  size_t killed() const;
  /// Killed over those that change the code and were reached, 1 when none was.
  double score() const;
};

/// The IR that each phase of options.phases leaves of `module`.
struct PhaseModule {
  Phase phase;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
Result<std::vector<PhaseModule>> lowerToPhases(mlir::ModuleOp module, const MutateOptions &options);

/// All mutants that `options` ask for, sampled.
std::vector<Mutant> planMutants(const std::vector<PhaseModule> &modules,
                                const MutateOptions &options, size_t &possible);

/// Makes the mistake in its phase's module.
void plant(mlir::ModuleOp module, const Mutant &mutant);
/// Puts a trap where the mistake would be seen, to learn whether that is ever executed: before the
/// op, in the body of a loop, before the users of what only computes a value.
void plantTrap(mlir::ModuleOp module, const Mutant &mutant);

/// Executes every mutant in a process of its own and compares with the reference on made-up
/// inputs of every distribution. Fails when the module cannot be
/// lowered or executed by the reference, or does not agree with it to begin with. The context of
/// `module` must not be multithreaded, and nothing compiled may have run in this process.
Result<MutationReport> runMutants(mlir::ModuleOp module, const MutateOptions &options);

/// The report as text: totals, a line per phase, the survivors; with `all` every mutant.
std::string describe(const MutationReport &report, bool all);

} // namespace forge

#endif // FORGE_MUTATE_MUTATE_H
