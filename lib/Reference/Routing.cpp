#include "forge/Reference/Activation.h"
#include "forge/Reference/Rounding.h"
#include "forge/Reference/Selection.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::reference;

static std::vector<double> scoresOf(const std::vector<double> &logits,
                                    const RouteOptions &options) {
  std::vector<double> scores;
  if (options.score == RouterScore::Sigmoid) {
    for (double x : logits)
      scores.push_back(roundToType(options.scoreType, activation(Activation::Sigmoid, x)));
    return scores;
  }
  double largest = logits[fallingOrder(logits).front()];
  Sum sum;
  for (double x : logits) {
    scores.push_back(approximated(std::exp(rounded(x - largest))));
    sum += scores.back();
  }
  double whole = sum.value();
  for (double &score : scores)
    score = roundToType(options.scoreType, rounded(score / whole));
  return scores;
}

/// Whether each expert is in one of the best groups.
static std::vector<bool> candidates(const std::vector<double> &choice,
                                    const RouteOptions &options) {
  size_t size = choice.size() / options.groups;
  std::vector<double> groups;
  for (int64_t g = 0; g < options.groups; ++g) {
    std::vector<double> members(choice.begin() + g * size, choice.begin() + (g + 1) * size);
    std::vector<int64_t> order = fallingOrder(members);
    double score = members[order[0]];
    if (options.groupScore == GroupScore::Top2)
      score = roundToType(options.scoreType, score + members[order[1]]);
    groups.push_back(score);
  }
  std::vector<int64_t> order = fallingOrder(groups);
  std::vector<bool> kept(choice.size());
  for (int64_t j = 0; j < options.topGroups; ++j)
    for (size_t i = 0; i < size; ++i)
      kept[order[j] * size + i] = true;
  return kept;
}

/// The experts of one row, first choice first.
static std::vector<int64_t> choose(const std::vector<double> &scores, const RouteOptions &options) {
  std::vector<double> choice = scores;
  for (size_t j = 0; options.bias && j < choice.size(); ++j)
    choice[j] = roundToType(options.scoreType,
                            choice[j] + options.bias->getDouble(static_cast<int64_t>(j)));
  std::vector<bool> kept = candidates(choice, options);
  std::vector<int64_t> chosen;
  for (int64_t expert : fallingOrder(choice))
    if (kept[expert] && static_cast<int64_t>(chosen.size()) < options.k)
      chosen.push_back(expert);
  return chosen;
}

static Result<void> check(const HostTensor &logits, const RouteOptions &options) {
  if (logits.rank() != 2 || !isFloat(logits.type()))
    return Error{"expected logits of rank 2, but got " + typeString(logits)};
  int64_t experts = logits.dims()[1];
  bool fits = options.groups >= 1 && experts % options.groups == 0 && options.topGroups >= 1 &&
              options.topGroups <= options.groups && options.k >= 1 &&
              options.k <= experts / options.groups * options.topGroups;
  fits &=
      options.groupScore == GroupScore::Max || experts / std::max<int64_t>(options.groups, 1) > 1;
  if (!fits || (options.bias && options.bias->dims() != Dims{experts}))
    return Error{"cannot choose " + std::to_string(options.k) + " of " + std::to_string(experts) +
                 " experts in " + std::to_string(options.topGroups) + " of " +
                 std::to_string(options.groups) + " groups"};
  return {};
}

Result<Selected> reference::moeRoute(const HostTensor &logits, const RouteOptions &options,
                                     DType indexType) {
  if (Result<void> ok = check(logits, options); !ok)
    return ok.error();
  int64_t rows = logits.dims()[0], experts = logits.dims()[1], k = options.k;
  Result<HostTensor> weights = HostTensor::create(logits.type(), {rows, k});
  Result<HostTensor> indices = HostTensor::create(indexType, {rows, k});
  if (!weights || !indices)
    return weights ? indices.error() : weights.error();
  for (int64_t n = 0; n < rows; ++n) {
    std::vector<double> row;
    for (int64_t j = 0; j < experts; ++j)
      row.push_back(logits.getDouble(n * experts + j));
    std::vector<double> scores = scoresOf(row, options);
    std::vector<int64_t> chosen = choose(scores, options);
    Sum sum;
    for (int64_t expert : chosen)
      sum += scores[expert];
    double whole = options.normalize ? rounded(sum.value() + 1e-20) : 1;
    for (int64_t i = 0; i < k; ++i) {
      double weight = rounded(rounded(scores[chosen[i]] / whole) * options.scale);
      weights->setDouble(n * k + i, weight);
      setInteger(*indices, n * k + i, static_cast<uint64_t>(chosen[i]));
    }
  }
  return Selected{std::move(*weights), std::move(*indices)};
}
