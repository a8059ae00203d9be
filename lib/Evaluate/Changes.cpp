#include "forge/Evaluate/Evaluation.h"

#include "forge/Bench/Samples.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace forge;

namespace {
/// Compares one module; lines begin with its name.
class Changes {
public:
  Changes(const ModuleEvaluation &before, const ModuleEvaluation &now, const ChangeOptions &options,
          std::vector<std::string> &worse)
      : before(before), now(now), options(options), worse(worse) {}

  void compare() {
    if (!now.error.empty()) {
      if (before.error.empty())
        say(now.error);
      return;
    }
    compareResults();
    compareTimes();
    compareScores();
  }

private:
  void say(const std::string &what) { worse.push_back(now.module + ": " + what); }

  void compareResults() {
    for (size_t i = 0; i < std::min(now.results.size(), before.results.size()); ++i) {
      const ResultError &was = before.results[i], &is = now.results[i];
      if (is.relativeNorm > was.relativeNorm * (1 + options.normTolerance) &&
          is.ofAllowed > was.ofAllowed)
        say(llvm::formatv("the error of result {0} grew: norm {1:e1} of the result's, before {2:e1}; "
                          "{3:f2} of what is allowed, before {4:f2}",
                          i, is.relativeNorm, was.relativeNorm, is.ofAllowed, was.ofAllowed)
                .str());
    }
  }

  void compareTimes() {
    if (!now.time || !before.time)
      return;
    std::optional<MedianInterval> was = medianInterval(before.time->ms),
                                  is = medianInterval(now.time->ms);
    if (was && is && compareIntervals(*was, *is, options.timeTolerance) == Change::Slower)
      say(llvm::formatv("slower: {0:f4} ms, {1:f4} to {2:f4}; before {3:f4} ms, {4:f4} to {5:f4}",
                        is->median, is->low, is->high, was->median, was->low, was->high)
              .str());
  }

  void compareScores() {
    if (now.mutation && before.mutation &&
        now.mutation->score() < before.mutation->score() - options.scoreTolerance)
      say(llvm::formatv("the mutation score fell: {0:f3}, before {1:f3}", now.mutation->score(),
                        before.mutation->score())
              .str());
  }

  const ModuleEvaluation &before, &now;
  const ChangeOptions &options;
  std::vector<std::string> &worse;
};
} // namespace

std::vector<std::string> forge::whatGotWorse(const Evaluation &before, const Evaluation &now,
                                             const ChangeOptions &options) {
  std::vector<std::string> worse;
  for (const ModuleEvaluation &module : now.modules)
    if (const ModuleEvaluation *was = before.find(module.module, module.function))
      Changes(*was, module, options, worse).compare();
    else if (!module.error.empty())
      worse.push_back(module.module + ": " + module.error);
  for (const ModuleEvaluation &module : before.modules)
    if (!now.find(module.module, module.function))
      worse.push_back(module.module + ": missing");
  return worse;
}
