// Between the files of lib/Tune: asks for schedules of one kernel, and reads what comes.
#ifndef FORGE_LIB_TUNE_PROPOSER_H
#define FORGE_LIB_TUNE_PROPOSER_H

#include "forge/Codegen/Explain.h"
#include "forge/Tune/Proposals.h"
#include "forge/Tune/Search.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// A schedule that a model wrote, with what it leaves out chosen, checked as a plan's is. `line` is
/// a kernel's line of a plan; fails where it is none, is one of another kernel, or has a schedule
/// that does not fit `kernel`, a kernel function on tensors with a schedule.
Result<ScheduleAttr> readProposal(llvm::StringRef line, mlir::func::FuncOp kernel,
                                  llvm::StringRef hash, const GPUChip &chip);

/// What a model is told about all kernels, and about this one before anything was tried.
std::string proposalInstructions();
std::string describeForProposals(mlir::func::FuncOp kernel, const KernelExplanation &explanation,
                                 const GPUChip &chip);

/// Asks for schedules of a kernel, round by round.
class Proposer {
public:
  /// Questions that are asked about a kernel; schedules that are read of an answer.
  static constexpr size_t kMostRounds = 3, kMostProposals = 8;
  /// Letters of a line that is read.
  static constexpr size_t kMostLetters = 1000;

  using Tried = llvm::ArrayRef<std::pair<ScheduleAttr, std::optional<double>>>;

  /// All that is given outlives the proposer.
  Proposer(mlir::func::FuncOp kernel, const KernelExplanation &explanation, const GPUChip &chip,
           const Asker &ask)
      : kernel(kernel), explanation(explanation), chip(chip), ask(ask) {}

  /// Asks once, telling what was tried. Gives the schedules that were not tried and fit; asks again
  /// where an answer has none, as long as there are rounds. None where there are no rounds left, or
  /// the endpoint failed.
  std::vector<ScheduleAttr> propose(Tried tried);

  /// What came of schedules: `reason` for one that computes something else or does not run.
  void reject(ScheduleAttr schedule, const std::string &reason);
  /// Costs of what was tried since.
  void settle(Tried tried);

  /// Why the last question had no answer, or empty.
  const std::string &problem() const { return failure; }
  double waitedSeconds() const { return waited; }
  const std::vector<Exchange> &exchanges() const { return rounds; }

private:
  bool askOnce(Tried tried);
  void readAnswer(Exchange &round, Tried tried);
  Proposal readLine(llvm::StringRef line, Tried tried) const;
  bool isProposed(ScheduleAttr schedule) const;
  std::string question(Tried tried) const;

  mlir::func::FuncOp kernel;
  const KernelExplanation &explanation;
  const GPUChip &chip;
  const Asker &ask;
  std::vector<Exchange> rounds;
  std::string failure;
  double waited = 0;
};

} // namespace forge

#endif // FORGE_LIB_TUNE_PROPOSER_H
