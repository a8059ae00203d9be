// Why a kernel has the schedule that it has: what it takes of the chip, beside the schedules one
// step from it.
#ifndef FORGE_CODEGEN_SCHEDULEFIT_H
#define FORGE_CODEGEN_SCHEDULEFIT_H

#include "forge/Codegen/Occupancy.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace forge {

/// What a strategy knows of a schedule before there is machine code.
struct ScheduleFit {
  /// Pieces of work that blocks take, each a tile or a group of rows or columns.
  int64_t tiles = 0;
  /// Of a block; 0: not known.
  int64_t threads = 0, sharedBytes = 0;
  /// Of a thread, by the strategy's estimate; 0: not known.
  int64_t registers = 0;
  /// What tiles compute over what is asked for: beyond edges they compute, too.
  double padding = 1;
  /// By the estimate that the strategy chooses with; nothing where it chooses by rules.
  std::optional<double> seconds;

  /// Blocks that a multiprocessor runs at once at most, and what limits them.
  Occupancy occupancy(const GPUChip &chip) const;
  /// Rounds in which all multiprocessors take their tiles, and the share of the places in the last
  /// one that have none.
  int64_t waves(const GPUChip &chip) const;
  double idleShare(const GPUChip &chip) const;
  /// "128 tiles in 1 wave of 132, 3 % idle; 5 % beyond edges; 1 block at once by shared memory
  /// (230512 bytes)".
  std::string describe(const GPUChip &chip) const;
};

/// A schedule with another value of one field.
struct ScheduleStep {
  std::string field;
  /// Null where that is not legal, with the reason.
  ScheduleAttr schedule;
  std::string refusal;
  std::optional<ScheduleFit> fit;
  /// "n = 64, stages = 8": what differs from the one in force.
  std::string change;
};

struct ScheduleChoice {
  /// By what the strategy chooses; empty where there is nothing to choose.
  std::string rule;
  std::optional<ScheduleFit> fit;
  llvm::SmallVector<ScheduleStep> steps;
};

/// Of `schedule`, a complete one of `kernel`, a kernel function on tensors.
ScheduleChoice explainChoice(mlir::func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip);

/// Of a step: "predicted 1.25 times as long", "not legal: ...", "no estimate tells it apart".
std::string judge(const ScheduleStep &step, const ScheduleChoice &choice);

} // namespace forge

#endif // FORGE_CODEGEN_SCHEDULEFIT_H
