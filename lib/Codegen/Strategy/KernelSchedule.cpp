// The schedule of a kernel function as an attribute, and what is checked of every one.
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/Kernel.h"

using namespace mlir;
using namespace forge;

FailureOr<const Strategy *> forge::strategyOf(func::FuncOp kernel, ScheduleAttr schedule) {
  const Strategy *strategy = findStrategy(schedule.strategy());
  if (!strategy) {
    InFlightDiagnostic error = emitScheduleError(kernel) << "expected one of the strategies";
    for (const Strategy *known : strategies())
      error << " '" << known->name << "'";
    error << ", but got '" << schedule.strategy() << "'";
    return failure();
  }
  SmallVector<StringLiteral> fields(strategy->fields);
  fields.push_back("library");
  if (failed(checkFields(kernel, schedule, strategy->name, fields)))
    return failure();
  return strategy;
}

LogicalResult forge::verifyKernelSchedule(func::FuncOp kernel, ScheduleAttr schedule,
                                          const GPUChip &chip) {
  FailureOr<const Strategy *> strategy = strategyOf(kernel, schedule);
  if (failed(strategy))
    return failure();
  for (StringLiteral field : (*strategy)->fields)
    if (!schedule.has(field))
      return emitScheduleError(kernel, "expected field '")
             << field << "' of strategy '" << (*strategy)->name
             << "': behind phase 'kernels' schedules are complete";
  int64_t threads = schedule.findSize("threads").value_or(1);
  if (threads < 1 || threads > chip.maxThreads)
    return emitScheduleError(kernel)
           << "expected 1 to " << chip.maxThreads << " threads, but got " << threads;
  return (*strategy)->verify(kernel, schedule, chip);
}

LogicalResult forge::verifyKernelSchedules(ModuleOp module, const GPUChip &chip) {
  UserErrorScope scope(module.getContext());
  for (func::FuncOp kernel : module.getOps<func::FuncOp>())
    for (StringRef name : {kScheduleAttr, kFallbackScheduleAttr})
      if (ScheduleAttr schedule = getSchedule(kernel, name);
          schedule && isKernel(kernel) && failed(verifyKernelSchedule(kernel, schedule, chip)))
        return failure();
  return success();
}
