// How long a strategy takes for a kernel: what its own prediction says of the work, and what was
// fitted to measured times (lib/Codegen/TargetInfo/Costs.def, docs/tune.md).
#ifndef FORGE_CODEGEN_COSTMODEL_H
#define FORGE_CODEGEN_COSTMODEL_H

#include "forge/Codegen/Strategy.h"

#include <optional>

namespace forge {

/// What events measure of the shortest kernels on an H200: predictions are without it.
inline constexpr double kLaunchSeconds = 3e-6;

/// Of a strategy on a chip: seconds = work * factor + overhead.
struct StrategyCost {
  double overhead = 0;
  double factor = 1;

  double seconds(double work) const { return work * factor + overhead; }
};

/// What was fitted for the chip, or else work as it is.
StrategyCost strategyCost(llvm::StringRef chip, llvm::StringRef strategy);

struct PredictedTime {
  /// By the strategy alone; what costs are fitted to.
  double work = 0;
  double seconds = 0;
};

/// Nothing if sizes are not known.
std::optional<PredictedTime> predictTime(const Strategy &strategy, mlir::func::FuncOp kernel,
                                         const GPUChip &chip);

} // namespace forge

#endif // FORGE_CODEGEN_COSTMODEL_H
