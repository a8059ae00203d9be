// forge explain --measure: what kernels take on the device, as text and as JSON.
#ifndef FORGE_TOOLS_FORGE_EXPLAINMEASURE_H
#define FORGE_TOOLS_FORGE_EXPLAINMEASURE_H

#include "forge/Execution/TargetDevice.h"
#include "forge/Tune/Measure.h"

#include <nlohmann/json.hpp>

namespace forge::tool {

/// Of each explained kernel, in their order; none where nothing is measured.
using Measurements = std::vector<KernelMeasurement>;

/// Opens the device of `target`. Fails where there is none, or one without a clock.
Result<TargetDevice> openMeasuredTarget(const std::string &target);

/// Measures the kernels of `module`, at phase `kernels`, on the device.
Measurements measureKernels(mlir::ModuleOp module, const std::vector<KernelExplanation> &kernels,
                            const TargetDevice &machine, Tier tier);

/// "12.3 us".
std::string microseconds(double seconds);

/// Lines about a kernel; the last line, about all of them.
void printMeasurement(const KernelExplanation &kernel, const KernelMeasurement &measurement,
                      const GPUChip &chip);
void printMeasuredSum(const std::vector<KernelExplanation> &kernels,
                      const Measurements &measurements, const GPUChip &chip);

/// "measured" of a kernel: "us" is null where it was not.
nlohmann::ordered_json measurementJson(const KernelExplanation &kernel,
                                       const KernelMeasurement &measurement, const GPUChip &chip);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_EXPLAINMEASURE_H
