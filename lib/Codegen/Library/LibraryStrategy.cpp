#include "LibraryStrategy.h"

#include "LibraryProduct.h"

using namespace mlir;
using namespace forge;

std::optional<KernelSchedule> LibraryStrategy::plan(func::FuncOp kernel, const GPUChip &) const {
  if (!matchLibraryProduct(kernel))
    return std::nullopt;
  return KernelSchedule{name().str(), "production", {0}, 1};
}

LogicalResult LibraryStrategy::verify(func::FuncOp kernel, const KernelSchedule &schedule,
                                      const GPUChip &) const {
  if (schedule.tile.size() != 1)
    return kernel.emitError("expected one number in 'tile' for strategy 'library', the fewest "
                            "multiplications, but got ")
           << schedule.tile.size();
  if (matchLibraryProduct(kernel))
    return success();
  return kernel.emitError("expected a product of two matrices, perhaps with bias, residual and "
                          "activation, and nothing else for strategy 'library'");
}

FailureOr<LaunchShape> LibraryStrategy::lower(func::FuncOp kernel, const KernelSchedule &,
                                              const GPUChip &) const {
  return kernel.emitError("strategy 'library' has no device code: forge-call-library comes first");
}
