// What forge explain says of kernels, as JSON.
#ifndef FORGE_TOOLS_FORGE_EXPLAINJSON_H
#define FORGE_TOOLS_FORGE_EXPLAINJSON_H

#include "ExplainMeasure.h"
#include "ExplainOccupancy.h"

namespace forge::tool {

/// What is known of the kernels besides what explains them, where it was asked for.
struct Findings {
  Measurements measurements;
  std::vector<KernelOccupancy> occupancies;

  const KernelMeasurement *measurement(size_t number) const {
    return measurements.empty() ? nullptr : &measurements[number];
  }
  const KernelOccupancy *occupancy(llvm::StringRef name) const {
    auto found = llvm::find_if(occupancies,
                               [&](const KernelOccupancy &kernel) { return kernel.name == name; });
    return found == occupancies.end() ? nullptr : &*found;
  }
};
bool isBoundByMemory(const KernelWork &work, const GPUChip &chip);

nlohmann::ordered_json explainJson(const std::vector<KernelExplanation> &kernels,
                                   const GPUChip &chip, bool alternatives,
                                   const Findings &findings);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_EXPLAINJSON_H
