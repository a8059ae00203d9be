// What an evaluation found of each module: whether results are right, how long it takes, and how
// many planted mistakes verification finds. As JSON, to be compared with what was accepted before.
#ifndef FORGE_EVALUATE_EVALUATION_H
#define FORGE_EVALUATE_EVALUATION_H

#include "forge/Bench/Bench.h"
#include "forge/Mutate/Mutate.h"
#include "forge/Verify/Verify.h"

#include <optional>
#include <string>
#include <vector>

namespace forge {

/// How one result differs from the reference.
struct ResultError {
  double maxAbs = 0, maxRel = 0;
  /// Of the whole tensor: the norm of the difference over that of what was expected.
  double relativeNorm = 0;
  /// The largest difference, in what is allowed there.
  double ofAllowed = 0;
  int64_t differing = 0, elements = 0;
};

struct ModuleTime {
  /// Of each run.
  std::vector<double> ms;
  /// Of a run; 0 where they are not known.
  double flops = 0, bytes = 0;
};

struct MutationScore {
  int64_t possible = 0, planted = 0;
  /// Of those that were planted the ones that change what is executed, and of these the ones that
  /// verification found.
  int64_t counted = 0, killed = 0;

  double score() const { return counted > 0 ? double(killed) / double(counted) : 1; }
};

struct ModuleEvaluation {
  std::string module, function;
  /// Why it does not compile, run or agree; empty if it does.
  std::string error;
  std::vector<ResultError> results;
  /// Nothing where it was not asked for, or failed.
  std::optional<ModuleTime> time;
  std::optional<MutationScore> mutation;
};

struct Evaluation {
  std::string compiler, target, tier;
  std::vector<ModuleEvaluation> modules;

  /// Null if it has none.
  const ModuleEvaluation *find(llvm::StringRef module, llvm::StringRef function) const;
  /// Of the modules' mutants together: killed over those that count.
  std::optional<double> mutationScore() const;
};

/// Of the last stage, the whole pipeline.
std::vector<ResultError> resultErrors(const VerifyReport &report);
/// Of the only tier.
ModuleTime timeOf(const BenchReport &report);
MutationScore scoreOf(const MutationReport &report);

/// JSON: {"forge_evaluation": 1, "compiler": ..., "target": ..., "tier": ..., "mutation_score": ...,
/// "modules": [...]}; docs/evaluate.md has the fields.
std::string writeEvaluation(const Evaluation &evaluation);
/// Fails where `text` is not that; `file` is for messages.
Result<Evaluation> readEvaluation(llvm::StringRef text, llvm::StringRef file);

struct ChangeOptions {
  /// Shares by which a time and an error norm may be larger.
  double timeTolerance = 0.1, normTolerance = 0.5;
  /// By which a mutation score may be less.
  double scoreTolerance = 0.05;
};

/// Of each module of `now` that `before` has what got worse, a line each: it fails, a result's error
/// is larger, it is slower with 95 % confidence, fewer mistakes are found; and modules of `before`
/// that are missing.
std::vector<std::string> whatGotWorse(const Evaluation &before, const Evaluation &now,
                                      const ChangeOptions &options);

} // namespace forge

#endif // FORGE_EVALUATE_EVALUATION_H
