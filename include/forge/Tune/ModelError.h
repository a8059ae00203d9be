// How well predicted times agree with measured ones.
#ifndef FORGE_TUNE_MODELERROR_H
#define FORGE_TUNE_MODELERROR_H

#include <optional>
#include <string>
#include <vector>

namespace forge {

/// A kernel by one strategy, in seconds above 0.
struct Prediction {
  std::string kernel, strategy;
  double predicted = 0, measured = 0;
  /// The work alone, as the strategy predicts it, without a launch and what was fitted.
  double work = 0;
};

struct ModelError {
  /// Spearman's: the correlation of ranks, equal times sharing theirs. Nothing for less than two
  /// predictions, or where all times on one side are equal.
  std::optional<double> rankCorrelation;
  /// Where measured over predicted, or its inverse, is largest; nothing without predictions.
  std::optional<Prediction> worst;
  /// e to the root of the mean square of the logarithm of that ratio; 1 without predictions.
  double typicalFactor = 1;
  size_t predictions = 0;
};

ModelError modelErrorOf(const std::vector<Prediction> &predictions);

} // namespace forge

#endif // FORGE_TUNE_MODELERROR_H
