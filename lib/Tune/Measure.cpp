#include "forge/Tune/Measure.h"

#include "KernelBench.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <cstring>

using namespace forge;
using mlir::func::FuncOp;

static constexpr double kMostOfLeast = 4;

bool forge::isFarWorse(const Offer &offer, llvm::ArrayRef<Offer> offers) {
  std::optional<double> least;
  for (const Offer &other : offers)
    if (other && other.seconds)
      least = std::min(least.value_or(*other.seconds), *other.seconds);
  return least && offer.seconds &&
         *offer.seconds + kLaunchSeconds > kMostOfLeast * (*least + kLaunchSeconds);
}

TimeParts forge::partsOf(double seconds, double floorSeconds,
                         std::optional<double> predictedSeconds) {
  auto take = [&](double part) {
    double taken = std::clamp(part, 0.0, seconds);
    seconds -= taken;
    return taken;
  };
  TimeParts parts;
  parts.floor = take(floorSeconds);
  parts.launch = take(kLaunchSeconds);
  parts.strategy = take(predictedSeconds.value_or(floorSeconds) - floorSeconds);
  parts.rest = seconds;
  return parts;
}

/// Elements whose bits differ; tensors of the same types.
static int64_t countOther(const std::vector<HostTensor> &a, const std::vector<HostTensor> &b) {
  int64_t other = 0;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    size_t width = byteWidth(x.type());
    const char *left = static_cast<const char *>(x.data()),
               *right = static_cast<const char *>(y.data());
    for (size_t at = 0; at < x.numBytes(); at += width)
      other += std::memcmp(left + at, right + at, width) != 0;
  }
  return other;
}

/// By the schedule in force and by the default one.
static void compareBits(KernelBench &bench, const KernelExplanation &explanation,
                        KernelMeasurement &measurement) {
  Result<std::vector<HostTensor>> now = bench.results(explanation.schedule),
                                  byDefault = bench.results(explanation.byDefault);
  for (const auto *results : {&now, &byDefault})
    if (!*results) {
      measurement.failures.push_back("comparison with the default: " + results->error().message);
      return;
    }
  measurement.otherElements = countOther(*now, *byDefault);
  for (const HostTensor &result : *now)
    measurement.elements += result.numElements();
}

KernelMeasurement forge::measureKernel(FuncOp kernel, const KernelExplanation &explanation,
                                       const TargetDevice &machine, Tier tier, uint64_t seed) {
  KernelMeasurement measurement;
  measurement.offerSeconds.resize(explanation.offers.size());
  if (!explanation.work) {
    measurement.whyNot = "sizes or numbers of iterations are not known";
    return measurement;
  }
  KernelBench bench(kernel, machine, tier, seed);
  llvm::SetVector<ScheduleAttr> schedules;
  schedules.insert(explanation.schedule);
  for (const Offer &offer : explanation.offers)
    if (offer && !isFarWorse(offer, explanation.offers))
      schedules.insert(offer.schedule);
  std::vector<std::optional<double>> seconds = bench.seconds(schedules.getArrayRef());
  auto secondsBy = [&](ScheduleAttr schedule) -> std::optional<double> {
    const auto *found = llvm::find(schedules, schedule);
    return found == schedules.end() ? std::nullopt : seconds[found - schedules.begin()];
  };
  measurement.seconds = secondsBy(explanation.schedule);
  for (auto [offer, time] : llvm::zip_equal(explanation.offers, measurement.offerSeconds))
    if (offer)
      time = secondsBy(offer.schedule);
  measurement.failures = bench.failures();
  if (!measurement.seconds)
    measurement.whyNot = "it does not compile or run";
  else if (explanation.byDefault)
    compareBits(bench, explanation, measurement);
  return measurement;
}
