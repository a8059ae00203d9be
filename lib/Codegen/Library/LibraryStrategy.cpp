#include "LibraryStrategy.h"

#include "LibraryProduct.h"

using namespace mlir;
using namespace forge;

static std::optional<KernelSchedule> plan(func::FuncOp kernel, const GPUChip &) {
  if (!matchLibraryProduct(kernel))
    return std::nullopt;
  return KernelSchedule{"library", "production", {0}, 1};
}

static LogicalResult verify(func::FuncOp kernel, const KernelSchedule &schedule, const GPUChip &) {
  if (schedule.tile.size() != 1)
    return kernel.emitError("expected one number in 'tile' for strategy 'library', the fewest "
                            "multiplications, but got ")
           << schedule.tile.size();
  if (matchLibraryProduct(kernel))
    return success();
  return kernel.emitError("expected a product of two matrices, perhaps with bias, residual and "
                          "activation, and nothing else for strategy 'library'");
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, const KernelSchedule &, const GPUChip &) {
  return kernel.emitError("strategy 'library' has no device code: forge-call-library comes first");
}

constexpr Strategy forge::libraryStrategy = {"library", plan, verify, lower};
