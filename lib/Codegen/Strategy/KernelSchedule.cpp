// The schedule of a kernel function as an attribute, and what is checked of every one.
#include "ScheduleReader.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"

using namespace mlir;
using namespace forge;

FailureOr<std::optional<KernelSchedule>> forge::getKernelSchedule(func::FuncOp kernel,
                                                                  StringRef name) {
  if (!kernel->getDiscardableAttr(name))
    return std::optional<KernelSchedule>();
  ScheduleReader reader(kernel, name);
  KernelSchedule schedule{reader.text("strategy"), reader.text("tier"), reader.numbers("tile"),
                          reader.number("threads")};
  if (failed(reader.finish()))
    return failure();
  return std::optional(std::move(schedule));
}

Attribute forge::scheduleAttribute(MLIRContext *context, const KernelSchedule &schedule) {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("strategy", builder.getStringAttr(schedule.strategy)),
       builder.getNamedAttr("tier", builder.getStringAttr(schedule.tier)),
       builder.getNamedAttr("tile", builder.getDenseI64ArrayAttr(schedule.tile)),
       builder.getNamedAttr("threads", builder.getI64IntegerAttr(schedule.threads))});
}

void forge::setKernelSchedule(func::FuncOp kernel, const KernelSchedule &schedule) {
  kernel->setDiscardableAttr(kScheduleAttr, scheduleAttribute(kernel.getContext(), schedule));
}

LogicalResult forge::verifyKernelSchedule(func::FuncOp kernel, const KernelSchedule &schedule,
                                          const GPUChip &chip) {
  const Strategy *strategy = findStrategy(schedule.strategy);
  if (!strategy) {
    InFlightDiagnostic error = emitScheduleError(kernel) << "expected one of the strategies";
    for (const Strategy *known : strategies())
      error << " '" << known->name << "'";
    return error << ", but got '" << schedule.strategy << "'";
  }
  if (schedule.threads < 1 || schedule.threads > chip.maxThreads)
    return emitScheduleError(kernel)
           << "expected 1 to " << chip.maxThreads << " threads, but got " << schedule.threads;
  if (schedule.tier != "correctness" && schedule.tier != "optimized" &&
      schedule.tier != "production")
    return emitScheduleError(kernel)
           << "expected tier correctness, optimized or production, but got '" << schedule.tier
           << "'";
  if (llvm::any_of(schedule.tile, [](int64_t size) { return size < 0; }))
    return emitScheduleError(kernel) << "expected tile sizes of 0 or more";
  return strategy->verify(kernel, schedule, chip);
}

std::string forge::describe(const KernelSchedule &schedule) {
  std::string text = schedule.strategy + "; tile ";
  for (auto [number, size] : llvm::enumerate(schedule.tile))
    text += (number ? "x" : "") + std::to_string(size);
  return text + ", " + std::to_string(schedule.threads) +
         (schedule.threads == 1 ? " thread" : " threads");
}
