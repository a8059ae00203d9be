#include "ExplainMeasure.h"

#include "Progress.h"

#include "forge/Bench/Bench.h"
#include "forge/Codegen/KernelWork.h"
#include "forge/Support/ErrorDetails.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

Result<TargetDevice> tool::openMeasuredTarget(const std::string &target) {
  Result<TargetDevice> machine = openTimedTarget(target);
  if (!machine)
    return withDetails(Error{"--measure: " + machine.error().message},
                       knownDetails(machine.error().message));
  return machine;
}

Measurements tool::measureKernels(mlir::ModuleOp module,
                                  const std::vector<KernelExplanation> &kernels,
                                  const TargetDevice &machine, Tier tier) {
  Measurements measurements;
  Progress progress("measuring");
  for (const KernelExplanation &kernel : kernels) {
    progress.step("measuring " + kernel.name);
    measurements.push_back(measureKernel(module.lookupSymbol<mlir::func::FuncOp>(kernel.name),
                                         kernel, machine, tier, /*seed=*/0));
  }
  return measurements;
}

std::string tool::microseconds(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g us", seconds * 1e6);
  return text;
}

/// By the prediction for the strategy in force, where there is one.
static TimeParts partsOfKernel(const KernelExplanation &kernel,
                               const KernelMeasurement &measurement, const GPUChip &chip) {
  std::optional<double> predicted;
  for (const Offer &offer : kernel.offers)
    if (offer.strategy->name == kernel.schedule.strategy())
      predicted = offer.seconds;
  return forge::partsOf(*measurement.seconds, floorSeconds(kernel, chip), predicted);
}

static std::string percent(double share) { return llvm::formatv("{0:f0} %", share * 100).str(); }

void tool::printMeasurement(const KernelExplanation &kernel, const KernelMeasurement &measurement,
                            const GPUChip &chip) {
  for (const std::string &failure : measurement.failures)
    llvm::outs() << "  failed: " << failure << "\n";
  if (!measurement.seconds) {
    llvm::outs() << "  not measured: " << measurement.whyNot << "\n";
    return;
  }
  TimeParts parts = partsOfKernel(kernel, measurement, chip);
  llvm::outs() << "  measured " << microseconds(*measurement.seconds) << ", the floor is "
               << percent(floorSeconds(kernel, chip) / *measurement.seconds)
               << " of it; above the floor: launch " << microseconds(parts.launch)
               << ", predicted of " << kernel.schedule.strategy() << " "
               << microseconds(parts.strategy) << ", not explained " << microseconds(parts.rest)
               << "\n";
  if (measurement.otherElements)
    llvm::outs() << "  " << *measurement.otherElements << " of " << measurement.elements
                 << " elements have other bits than by default\n";
}

void tool::printMeasuredSum(const std::vector<KernelExplanation> &kernels,
                            const Measurements &measurements, const GPUChip &chip) {
  double seconds = 0, floor = 0;
  size_t measured = 0;
  for (auto [kernel, measurement] : llvm::zip_equal(kernels, measurements)) {
    if (!measurement.seconds)
      continue;
    ++measured;
    seconds += *measurement.seconds * double(kernel.launches);
    floor += floorSeconds(kernel, chip) * double(kernel.launches);
  }
  llvm::outs() << measured << " of " << kernels.size() << " measured";
  if (seconds > 0)
    llvm::outs() << ", one by one " << microseconds(seconds)
                 << " with all their launches, of which floors are " << percent(floor / seconds);
  llvm::outs() << "\n";
}

Json tool::measurementJson(const KernelExplanation &kernel, const KernelMeasurement &measurement,
                           const GPUChip &chip) {
  Json json = {{"us", Json()}};
  if (measurement.seconds) {
    TimeParts parts = partsOfKernel(kernel, measurement, chip);
    json["us"] = *measurement.seconds * 1e6;
    json["floor_share"] = floorSeconds(kernel, chip) / *measurement.seconds;
    json["parts_us"] = {{"floor", parts.floor * 1e6},
                        {"launch", parts.launch * 1e6},
                        {"strategy", parts.strategy * 1e6},
                        {"rest", parts.rest * 1e6}};
  } else {
    json["why_not"] = measurement.whyNot;
  }
  if (measurement.otherElements) {
    json["other_elements"] = *measurement.otherElements;
    json["elements"] = measurement.elements;
  }
  json["failures"] = measurement.failures;
  return json;
}
