#include "forge/Verify/ErrorModel.h"

#include <algorithm>

using namespace mlir;
using namespace forge;

std::vector<Comparison> forge::compareResults(func::FuncOp function,
                                              const std::vector<HostTensor> &inputs,
                                              const std::vector<HostTensor> &actual,
                                              const std::vector<HostTensor> &expected,
                                              std::vector<Tolerance> &tolerances,
                                              const ErrorModelOptions &options) {
  // Not of another shape, or infinite on one side.
  auto isNear = [](const Comparison &comparison) {
    constexpr double near = 4;
    return !comparison.agree && comparison.maxOfAllowed > 1 && comparison.maxOfAllowed < near;
  };
  std::vector<Comparison> comparisons;
  for (auto [left, right, tolerance] : llvm::zip_equal(actual, expected, tolerances))
    comparisons.push_back(compare(left, right, tolerance));
  if (llvm::none_of(comparisons, isNear))
    return comparisons;
  ErrorModelOptions more = options;
  more.samples = 256;
  more.mostWork = std::min(more.mostWork, 2e8);
  std::vector<Tolerance> measured = measureTolerances(function, inputs, more);
  for (auto [i, comparison] : llvm::enumerate(comparisons)) {
    // What is not measured is estimated.
    if (!isNear(comparison) || !measured[i].elements)
      continue;
    tolerances[i] = measured[i];
    comparison = compare(actual[i], expected[i], tolerances[i]);
  }
  return comparisons;
}
