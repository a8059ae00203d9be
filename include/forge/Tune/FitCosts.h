// Costs of strategies fitted to measured times, and how well they tell others.
#ifndef FORGE_TUNE_FITCOSTS_H
#define FORGE_TUNE_FITCOSTS_H

#include "forge/Codegen/CostModel.h"
#include "forge/Support/Result.h"
#include "forge/Tune/ModelError.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace forge {

/// What was measured on one chip.
struct CostSamples {
  std::string chip;
  /// By kernel and strategy; `predicted` as the compiler that measured them had it.
  std::vector<Prediction> samples;
};

/// Reads what `forge explain --measure --json` or `forge tune --json` printed: of each kernel those
/// "ways" that have a "measured_us". Fails where `text` is neither, or has none; `file` is for
/// messages, and where kernels are told apart.
Result<CostSamples> readCostSamples(llvm::StringRef text, llvm::StringRef file);

/// By the names of strategies.
using StrategyCosts = std::map<std::string, StrategyCost>;

/// For each strategy of the samples the cost with the least sum of squared logarithms of measured
/// over predicted time, kLaunchSeconds added to predictions; an overhead of 0 or more. Of a
/// strategy with less than kLeastCostSamples kernels only the factor is fitted.
StrategyCosts fitCosts(llvm::ArrayRef<Prediction> samples);
inline constexpr size_t kLeastCostSamples = 4;

/// `samples` as `costs` predict them.
std::vector<Prediction> predictBy(const StrategyCosts &costs, llvm::ArrayRef<Prediction> samples);

/// `samples`, each as the costs predict it that are fitted to all other kernels.
std::vector<Prediction> crossValidate(llvm::ArrayRef<Prediction> samples);

/// What choosing by predictions costs, over kernels that were measured by several strategies.
struct ChoiceError {
  size_t kernels = 0;
  /// The time of the strategy that is predicted to take least, over the fastest one's: geometric
  /// mean, and the largest; 1 without such kernels.
  double mean = 1, most = 1;
  /// The kernel of the largest, by the strategy chosen.
  Prediction worst;
};

/// Of equal predictions the first counts that is not the vendor's library, as where strategies are
/// chosen.
ChoiceError choiceErrorOf(llvm::ArrayRef<Prediction> predictions);

} // namespace forge

#endif // FORGE_TUNE_FITCOSTS_H
