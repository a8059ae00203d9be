#include "forge/Codegen/Schedule.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace forge {

FailureOr<std::optional<Schedule>> getSchedule(Operation *op) {
  Attribute attr = op->getDiscardableAttr(kScheduleAttr);
  if (!attr)
    return std::optional<Schedule>();
  auto dict = dyn_cast<DictionaryAttr>(attr);
  auto strategy = dict ? dict.getAs<StringAttr>("strategy") : StringAttr();
  auto tile = dict ? dict.getAs<DenseI64ArrayAttr>("tile") : DenseI64ArrayAttr();
  if (!strategy || !tile)
    return op->emitOpError("expected forge.schedule to hold a string 'strategy' and an array<i64> "
                           "'tile', but got ")
           << attr;
  return std::optional(Schedule{strategy.str(), SmallVector<int64_t>(tile.asArrayRef())});
}

void setSchedule(Operation *op, const Schedule &schedule) {
  Builder builder(op->getContext());
  op->setDiscardableAttr(
      kScheduleAttr,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("strategy", builder.getStringAttr(schedule.strategy)),
           builder.getNamedAttr("tile", builder.getDenseI64ArrayAttr(schedule.tile))}));
}

} // namespace forge
