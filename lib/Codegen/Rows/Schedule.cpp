#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "../Strategy/ScheduleReader.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace forge {

FailureOr<std::optional<Schedule>> getSchedule(Operation *op) {
  if (!op->getDiscardableAttr(kScheduleAttr))
    return std::optional<Schedule>();
  ScheduleReader reader(op, kScheduleAttr);
  Schedule schedule{reader.text("strategy"), reader.numbers("tile")};
  if (failed(reader.finish()))
    return failure();
  return std::optional(std::move(schedule));
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
