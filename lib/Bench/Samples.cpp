#include "forge/Bench/Samples.h"

#include <algorithm>
#include <cmath>

using namespace forge;

/// The largest k for which at most k - 1 of n fair coins show heads with a probability of at most
/// 2.5 %; 0 if there is none.
static size_t rankOf(size_t n) {
  // The logarithm of C(n, i) / 2^n, from i = 0.
  double logTerm = -double(n) * std::log(2.0), sum = 0;
  size_t k = 0;
  for (size_t i = 0; i < n / 2; ++i) {
    sum += std::exp(logTerm);
    if (sum > 0.025)
      break;
    k = i + 1;
    logTerm += std::log(double(n - i)) - std::log(double(i + 1));
  }
  return k;
}

std::optional<MedianInterval> forge::medianInterval(std::vector<double> samples) {
  size_t n = samples.size(), k = rankOf(n);
  if (k == 0)
    return std::nullopt;
  std::sort(samples.begin(), samples.end());
  double median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  return MedianInterval{samples[k - 1], median, samples[n - k]};
}

Change forge::compareIntervals(const MedianInterval &before, const MedianInterval &now,
                               double tolerance) {
  if (now.low > before.high * (1 + tolerance))
    return Change::Slower;
  if (now.high * (1 + tolerance) < before.low)
    return Change::Faster;
  return Change::None;
}
