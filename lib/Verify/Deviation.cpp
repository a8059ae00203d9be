#include "Deviation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace forge;

Deviation::Deviation(const HostTensor &tensor)
    : dims(tensor.dims()), centre(static_cast<size_t>(tensor.numElements())), roots(centre.size()),
      counts(centre.size()), largest(centre.size()), logarithmRoots(centre.size()) {
  for (size_t i = 0; i < centre.size(); ++i)
    centre[i] = tensor.getDouble(static_cast<int64_t>(i));
}

void Deviation::add(const HostTensor &sample) {
  if (sample.dims() != dims)
    return;
  for (size_t i = 0; i < centre.size(); ++i) {
    double value = sample.getDouble(static_cast<int64_t>(i)), difference = value - centre[i];
    if (!std::isfinite(difference))
      continue;
    double logarithm = value * centre[i] > 0 ? std::log(value / centre[i])
                                             : std::numeric_limits<double>::infinity();
    logarithmRoots[i] = std::hypot(logarithmRoots[i], logarithm);
    roots[i] = std::hypot(roots[i], difference);
    largest[i] = std::max(largest[i], std::fabs(difference));
    ++counts[i];
  }
}

bool Deviation::lacksSamples() const {
  for (size_t i = 0; i < centre.size(); ++i)
    if (counts[i] == 0 && std::isfinite(centre[i]))
      return true;
  return false;
}

bool Deviation::isZero() const {
  return std::all_of(roots.begin(), roots.end(), [](double root) { return root == 0; });
}

double forge::smallSampleFactor(double count) {
  // z = 6: 1 + (z^2 + 1) / 4n + (5 z^4 + 16 z^2 + 3) / 96 n^2
  return 1 + 9.25 / count + 73.6 / (count * count);
}

namespace {
/// The root of a sum of squares, and of how many. Squares of numbers below 1e-154 are none of f64.
struct Mean {
  double root = 0;
  double count = 0;
  void add(double other, double samples) {
    root = std::hypot(root, other);
    count += samples;
  }
  /// As a standard deviation that few samples do not make too small.
  double deviation() const {
    return count == 0 ? 0 : root / std::sqrt(count) * smallSampleFactor(count);
  }
};
} // namespace

/// Elements of a magnitude: exponents are multiples of this.
static constexpr int kZeroOrder = -2000;

/// Executions beyond which rare events are told from a wide spread.
static constexpr double kFewSamples = 16;

static int orderOf(double value) {
  return value == 0 || !std::isfinite(value) ? kZeroOrder : std::ilogb(value);
}

std::vector<double> Deviation::byMagnitude() const {
  std::map<int, Mean> orders;
  for (size_t i = 0; i < centre.size(); ++i)
    orders[orderOf(centre[i])].add(roots[i], counts[i]);
  // An order with few samples may lean on the next larger ones instead: the smaller of the two
  // says enough, since both are no smaller than the truth.
  constexpr double kEnough = 64;
  std::map<int, double> scales;
  Mean above;
  for (auto order = orders.rbegin(); order != orders.rend(); ++order) {
    double own = order->second.deviation();
    if (above.count >= kEnough)
      above = Mean();
    above.add(order->second.root, order->second.count);
    scales[order->first] = std::min(own, above.deviation());
  }
  std::vector<double> scale(centre.size());
  for (size_t i = 0; i < centre.size(); ++i)
    scale[i] = scales[orderOf(centre[i])];
  return scale;
}

std::vector<double> Deviation::alongLines(const std::vector<double> &scale) const {
  std::vector<double> factor(centre.size(), 1);
  if (dims.size() < 2)
    return factor;
  // Fewer samples than this say little about a line.
  constexpr double kEnough = 24;
  reference::Dims strides = reference::stridesOf(dims);
  for (size_t d = 0; d < dims.size(); ++d) {
    size_t stride = static_cast<size_t>(strides[d]), length = static_cast<size_t>(dims[d]);
    std::vector<double> sums(centre.size() / std::max<size_t>(length, 1)), samples(sums.size());
    auto lineOf = [&](size_t i) { return i / (stride * length) * stride + i % stride; };
    for (size_t i = 0; i < centre.size(); ++i) {
      samples[lineOf(i)] += counts[i];
      if (scale[i] > 0)
        sums[lineOf(i)] += roots[i] / scale[i] * (roots[i] / scale[i]);
    }
    for (size_t i = 0; i < centre.size(); ++i)
      if (samples[lineOf(i)] >= kEnough)
        factor[i] = std::max(factor[i], std::sqrt(sums[lineOf(i)] / samples[lineOf(i)]));
  }
  return factor;
}

std::vector<double> Deviation::rareEvents() const {
  std::map<int, double> orders;
  for (size_t i = 0; i < centre.size(); ++i)
    // One of so few normal samples never holds most of their squares.
    if (counts[i] >= kFewSamples && largest[i] * largest[i] > 0.9 * roots[i] * roots[i])
      orders[orderOf(centre[i])] = std::max(orders[orderOf(centre[i])], largest[i]);
  std::vector<double> events(centre.size());
  for (size_t i = 0; !orders.empty() && i < centre.size(); ++i)
    if (auto found = orders.find(orderOf(centre[i])); found != orders.end())
      events[i] = found->second;
  return events;
}

std::vector<double> Deviation::byFactor(double deviations) const {
  std::vector<double> allowed(centre.size());
  for (size_t i = 0; i < centre.size(); ++i) {
    // Fewer samples may have one sign by chance.
    if (counts[i] < kFewSamples || !std::isfinite(logarithmRoots[i]))
      continue;
    double spread = logarithmRoots[i] / std::sqrt(counts[i]) * smallSampleFactor(counts[i]);
    if (spread > 1)
      allowed[i] = std::fabs(centre[i]) * std::expm1(deviations * spread);
  }
  return allowed;
}

std::vector<double> Deviation::pooled() const {
  std::vector<double> scale = byMagnitude(), factor = alongLines(scale);
  for (size_t i = 0; i < scale.size(); ++i) {
    double own = roots[i] / std::sqrt(std::max(counts[i], 1.0));
    scale[i] = std::max(scale[i] * factor[i], own);
  }
  return scale;
}
