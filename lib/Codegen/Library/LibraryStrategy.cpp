#include "LibraryStrategy.h"

#include "LibraryProduct.h"

using namespace mlir;
using namespace forge;

static std::optional<KernelSchedule> plan(func::FuncOp kernel, const GPUChip &) {
  if (!matchLibraryProduct(kernel))
    return std::nullopt;
  return KernelSchedule{"library", "production", {0}, 1};
}

LogicalResult forge::verifyLibrarySchedule(func::FuncOp kernel, const KernelSchedule &schedule) {
  if (schedule.tile.size() != 1 || schedule.tile.front() < 0)
    return emitScheduleError(kernel, "expected one number in 'tile' for strategy 'library', the "
                                     "fewest multiplications, but got [")
           << schedule.tile << "]";
  if (matchLibraryProduct(kernel))
    return success();
  return emitScheduleError(kernel,
                           "expected a product of two matrices, perhaps with bias, residual "
                           "and activation, and nothing else for strategy 'library'");
}

static LogicalResult verify(func::FuncOp kernel, const KernelSchedule &schedule, const GPUChip &) {
  return verifyLibrarySchedule(kernel, schedule);
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, const KernelSchedule &, const GPUChip &) {
  return emitScheduleError(kernel,
                           "strategy 'library' has no device code: forge-call-library comes first");
}

LogicalResult forge::verifyFallbackSchedule(func::FuncOp kernel, const KernelSchedule &schedule,
                                            const GPUChip &chip) {
  if (schedule.strategy == libraryStrategy.name)
    return emitScheduleError(kernel, "expected a strategy with device code in ")
           << kFallbackScheduleAttr << ", but got '" << schedule.strategy << "'";
  return verifyKernelSchedule(kernel, schedule, chip);
}

constexpr Strategy forge::libraryStrategy = {"library", plan, verify, lower};
