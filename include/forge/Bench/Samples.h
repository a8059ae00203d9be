// Times of repeated runs, and whether others are longer.
#ifndef FORGE_BENCH_SAMPLES_H
#define FORGE_BENCH_SAMPLES_H

#include <cstddef>
#include <optional>
#include <vector>

namespace forge {

/// The median of samples, and where that of the population is with at least 95 % confidence.
struct MedianInterval {
  double low = 0, median = 0, high = 0;
};

/// The least number of samples that have such an interval.
inline constexpr size_t kLeastSamples = 6;

/// By order statistics, whatever the distribution: the k-th smallest and k-th largest sample, k the
/// largest number for which half of the samples or more are beyond one of them by chance in at
/// most 5 % (David and Nagaraja, "Order Statistics", 7.1). Nothing for less than kLeastSamples.
std::optional<MedianInterval> medianInterval(std::vector<double> samples);

enum class Change { Slower, Faster, None };

/// Slower if all of `now` is beyond all of `before` by more than the share `tolerance` of it.
Change compareIntervals(const MedianInterval &before, const MedianInterval &now, double tolerance);

} // namespace forge

#endif // FORGE_BENCH_SAMPLES_H
