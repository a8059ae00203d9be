// The schedule of a kernel function as an attribute.
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"

using namespace mlir;
using namespace forge;

FailureOr<std::optional<KernelSchedule>> forge::getKernelSchedule(func::FuncOp kernel) {
  Attribute attribute = kernel->getDiscardableAttr(kScheduleAttr);
  if (!attribute)
    return std::optional<KernelSchedule>();
  auto dict = dyn_cast<DictionaryAttr>(attribute);
  auto strategy = dict ? dict.getAs<StringAttr>("strategy") : StringAttr();
  auto tier = dict ? dict.getAs<StringAttr>("tier") : StringAttr();
  auto tile = dict ? dict.getAs<DenseI64ArrayAttr>("tile") : DenseI64ArrayAttr();
  auto threads = dict ? dict.getAs<IntegerAttr>("threads") : IntegerAttr();
  if (!strategy || !tier || !tile || !threads)
    return kernel->emitOpError("expected forge.schedule to hold strings 'strategy' and 'tier', an "
                               "array<i64> 'tile' and "
                               "an integer 'threads', but got ")
           << attribute;
  return std::optional(KernelSchedule{strategy.str(), tier.str(),
                                      SmallVector<int64_t>(tile.asArrayRef()), threads.getInt()});
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

std::string forge::describe(const KernelSchedule &schedule) {
  std::string text = schedule.strategy + "; tile ";
  for (auto [number, size] : llvm::enumerate(schedule.tile))
    text += (number ? "x" : "") + std::to_string(size);
  return text + ", " + std::to_string(schedule.threads) +
         (schedule.threads == 1 ? " thread" : " threads");
}
