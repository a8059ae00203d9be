#include "LibraryStrategy.h"

#include "LibraryProduct.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"min_macs"};

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &, ScheduleAttr given,
                                    WhyNot whyNot) {
  if (matchLibraryProduct(kernel))
    return given.orSize("min_macs", 0);
  whyNot(
      "it is not a product of two matrices, perhaps with bias, residual and activation, that the "
      "library computes");
  return failure();
}

LogicalResult forge::verifyLibraryKernel(func::FuncOp kernel) {
  if (matchLibraryProduct(kernel))
    return success();
  return emitScheduleError(kernel,
                           "expected a product of two matrices, perhaps with bias, residual "
                           "and activation, and nothing else for strategy 'library'");
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr, const GPUChip &) {
  return verifyLibraryKernel(kernel);
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr, const GPUChip &) {
  return emitScheduleError(kernel,
                           "strategy 'library' has no device code: forge-call-library comes first");
}

LogicalResult forge::verifyFallbackSchedule(func::FuncOp kernel, ScheduleAttr schedule,
                                            const GPUChip &chip) {
  if (schedule.strategy() == libraryStrategy.name)
    return emitScheduleError(kernel, "expected a strategy with device code in ")
           << kFallbackScheduleAttr << ", but got '" << schedule.strategy() << "'";
  return verifyKernelSchedule(kernel, schedule, chip);
}

constexpr Strategy forge::libraryStrategy = {"library", kFields, plan, verify, lower};
