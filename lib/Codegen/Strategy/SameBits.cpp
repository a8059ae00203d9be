#include "forge/Codegen/SameBits.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace forge;

/// Whether elements of the result depend on the order of something: reductions, of whatever kind,
/// and loops that carry values.
static bool hasOrder(func::FuncOp kernel) {
  WalkResult found = kernel.walk([](Operation *op) {
    auto linalg = dyn_cast<linalg::LinalgOp>(op);
    bool isOrdered = linalg ? linalg.getNumReductionLoops() > 0 : isa<LoopLikeOpInterface>(op);
    return isOrdered ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

static std::string valueOf(ScheduleAttr schedule, StringRef field) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (Attribute value = schedule.getFields().get(field))
    value.print(os, /*elideType=*/true);
  return text;
}

std::optional<std::string> forge::whyOtherBits(func::FuncOp kernel, ScheduleAttr schedule,
                                               ScheduleAttr other) {
  if (schedule.strategy() != other.strategy())
    return "another strategy";
  if (!hasOrder(kernel))
    return std::nullopt;
  for (StringLiteral field : findStrategy(schedule.strategy())->orderFields)
    if (schedule.getFields().get(field) != other.getFields().get(field))
      return (field + " = " + valueOf(schedule, field) + " instead of " + valueOf(other, field))
          .str();
  return std::nullopt;
}
