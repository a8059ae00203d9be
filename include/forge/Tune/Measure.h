// Kernels of a module by the device's clock, one by one: how long they take, and what that time is
// made of.
#ifndef FORGE_TUNE_MEASURE_H
#define FORGE_TUNE_MEASURE_H

#include "forge/Codegen/CostModel.h"
#include "forge/Codegen/Explain.h"
#include "forge/Execution/Executable.h"

#include <optional>
#include <string>
#include <vector>

namespace forge {

/// Whether `offer` is predicted to take more than four times the least prediction of `offers`, with
/// kLaunchSeconds added to both: then it is not worth trying.
bool isFarWorse(const Offer &offer, llvm::ArrayRef<Offer> offers);

/// What the time of a launch is made of: seconds of 0 or more, which add up to it.
struct TimeParts {
  /// As long as memory or arithmetic take at the least; all of the time where it is less.
  double floor = 0;
  /// Of what is above, as much as kLaunchSeconds.
  double launch = 0;
  /// Of what is above, as much as the strategy is predicted to take longer than the floor.
  double strategy = 0;
  /// What nothing above explains.
  double rest = 0;
};
TimeParts partsOf(double seconds, double floorSeconds, std::optional<double> predictedSeconds);

struct KernelMeasurement {
  /// Of one launch by the schedule in force; nothing if it was not measured.
  std::optional<double> seconds;
  /// By the schedule of each offer, in their order; nothing for one that is far worse, or does not
  /// compile or run.
  std::vector<std::optional<double>> offerSeconds;
  /// Of all elements of the results those whose bits are not those by the default schedule; nothing
  /// where that is in force.
  std::optional<int64_t> otherElements;
  int64_t elements = 0;
  /// Schedules that did not compile or run, with what failed.
  std::vector<std::string> failures;
  /// Why nothing was measured, or empty.
  std::string whyNot;
};

/// `kernel`, a kernel function on tensors with the schedule that `explanation` says, on inputs that
/// are made up by `seed`. Times are the device's, as in a search (docs/tune.md).
KernelMeasurement measureKernel(mlir::func::FuncOp kernel, const KernelExplanation &explanation,
                                const TargetDevice &machine, Tier tier, uint64_t seed);

} // namespace forge

#endif // FORGE_TUNE_MEASURE_H
