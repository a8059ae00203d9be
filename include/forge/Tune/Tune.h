// Searches better schedules for the kernels of a module.
#ifndef FORGE_TUNE_TUNE_H
#define FORGE_TUNE_TUNE_H

#include "forge/Codegen/Explain.h"
#include "forge/Execution/Executable.h"
#include "forge/Tune/ModelError.h"
#include "forge/Tune/Proposals.h"
#include "forge/Tune/TunedSchedules.h"

#include <functional>

namespace forge {

/// What makes a schedule better than another one.
enum class CostBasis {
  /// Seconds that its strategy is predicted to take: other schedules of it cost the same.
  Predicted,
  /// Seconds on the device.
  Measured
};

struct TuneOptions {
  /// Function, target, tier and phase of the module. A plan on the module is where the search
  /// begins.
  CompileOptions compile;
  /// Kernels get shares of it as long as what they take of a run by the schedules in force.
  double budgetSeconds = 60;
  uint64_t seed = 0;
  /// By default what simulated devices are predicted to take, and others take.
  std::optional<CostBasis> basis;
  /// Where results are looked for and kept; null: nowhere.
  const TunedSchedules *known = nullptr;
  /// Asked for schedules of each kernel, too, until it fails; null: no one is. The time of its
  /// answers is not of the budget. What is known is then one of the schedules to begin at.
  Asker ask;
  /// Instead of the search: times all schedules of each kernel that steps lead to, then searches
  /// from this many random ones. 0: no.
  unsigned checkedStarts = 0;
  /// Told what is going on, for progress on a terminal.
  std::function<void(llvm::StringRef)> progress;
};

/// A schedule that was tried, in seconds; nothing where it has no time, or no prediction.
struct TriedSchedule {
  ScheduleAttr schedule;
  std::optional<double> predicted, measured;
};

/// What a search ended with that began at a random schedule.
struct SearchedStart {
  ScheduleAttr start, best;
  /// The time of `best` in that of the fastest of all schedules, taken at the same time; nothing
  /// where one of them has none.
  std::optional<double> ofFastest;
  size_t tried = 0;
};

struct TunedKernel {
  std::string name, hash;
  int64_t launches = 0;
  /// In force before, by default or by a plan, and the best one that was found.
  ScheduleAttr start, best;
  /// Of one launch, taken at the same time; nothing where nothing was measured or predicted.
  std::optional<double> startSeconds, bestSeconds;
  /// In order, and strategies that were not tried since they are predicted to take much longer than
  /// another one.
  std::vector<TriedSchedule> tried;
  /// Of the schedules that strategies offer, those that were measured.
  std::vector<Prediction> offers;
  std::vector<std::string> leftOut;
  /// Schedules with wrong results, with what is wrong: mistakes of Forge.
  std::vector<std::string> wrong;
  /// Schedules that did not compile or run, with what failed.
  std::vector<std::string> failed;
  /// Why the search did not do all: it was not begun, or the time was over. Empty if it did.
  std::string incomplete;
  /// `best` was found by another process.
  bool isKnown = false;
  /// `best` was proposed; schedules that were.
  bool isProposed = false;
  size_t proposed = 0, rejected = 0;
  /// Where searches were checked (TuneOptions::checkedStarts): `tried` are all schedules.
  std::vector<SearchedStart> searchedStarts;
};

struct TuneReport {
  CostBasis basis = CostBasis::Measured;
  /// One for each hash, in the module's order.
  std::vector<TunedKernel> kernels;
  /// Of the strategies' default schedules that were measured; predictions with the time of a
  /// launch.
  ModelError modelError;
  /// Why results were not kept; empty if they were, or were not to be.
  std::string notKept;
  /// All that was asked, in order, and why it ended early; empty if it did not.
  std::vector<Exchange> exchanges;
  std::string noProposals;
};

/// Leaves `module` as it is. Fails as lowering does, and if the device cannot be opened.
Result<TuneReport> tune(mlir::ModuleOp module, const TuneOptions &options);

} // namespace forge

#endif // FORGE_TUNE_TUNE_H
