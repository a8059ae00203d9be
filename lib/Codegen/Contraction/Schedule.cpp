// Schedules of contractions as #forge.schedule.
#include "forge/Codegen/Contraction.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kPacked[] = {"m",    "n",       "block_m", "block_n", "block_k",
                                            "pack", "stage_b", "swap",    "parallel"};
static constexpr StringLiteral kStream[] = {"m", "n", "k", "block_n", "swap", "parallel"};
static constexpr StringLiteral kDot[] = {"m", "n", "block_n", "swap", "parallel"};

ArrayRef<StringLiteral> forge::contractionFields(StringRef name) {
  if (name == "packed")
    return kPacked;
  if (name == "stream")
    return kStream;
  if (name == "dot")
    return kDot;
  return {};
}

LogicalResult forge::checkContractionFields(Operation *op, ScheduleAttr schedule) {
  StringRef strategy = schedule.strategy();
  if (strategy.empty())
    return checkFields(op, schedule, "packed", kPacked);
  if (!isContractionStrategy(strategy))
    return emitScheduleError(
               op, "expected strategy packed, stream or dot for an operation on memrefs, but got '")
           << strategy << "'";
  return checkFields(op, schedule, strategy, contractionFields(strategy));
}

ScheduleAttr forge::scheduleAttribute(MLIRContext *context, const ContractionSchedule &schedule) {
  ScheduleAttr made = ScheduleAttr::empty(context)
                          .orWord("strategy", schedule.strategy)
                          .orSize("m", schedule.tile[0])
                          .orSize("n", schedule.tile[1])
                          .orSize("block_n", schedule.block[1])
                          .orFlag("swap", schedule.swap)
                          .orFlag("parallel", schedule.parallel);
  if (schedule.strategy == "packed")
    return made.orSize("block_m", schedule.block[0])
        .orSize("block_k", schedule.block[2])
        .orWord("pack", schedule.pack)
        .orFlag("stage_b", schedule.stageB);
  return schedule.strategy == "stream" ? made.orSize("k", schedule.tile[2]) : made;
}
