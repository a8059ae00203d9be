// Other schedules that a kernel could have: what a search for a better one tries.
#ifndef FORGE_CODEGEN_ALTERNATIVES_H
#define FORGE_CODEGEN_ALTERNATIVES_H

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace forge {

/// The schedules one step from `schedule`, a complete one of `kernel`, a kernel function on
/// tensors: a size halved or doubled, a count one less or more, or a flag turned; the other fields
/// as they are, and as the strategy chooses them then. Only those that verifyKernelSchedule allows,
/// each once, in the order of scheduleFields, the smaller value first.
llvm::SmallVector<ScheduleAttr> neighboursOf(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                             const GPUChip &chip);

/// A step from a schedule, legal or not.
struct SteppedSchedule {
  llvm::StringRef field;
  ScheduleAttr schedule;
  /// Why it is not legal; else empty.
  std::string refusal;
};

/// For each step of each field of `schedule` the schedule with the others as they are, if that is
/// legal, else as the strategy chooses them then; where neither is legal the first, and why.
llvm::SmallVector<SteppedSchedule> stepsOf(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                           const GPUChip &chip);

/// The schedules with such a step in two fields at once, the others as they are: where one of the
/// steps alone is not legal, or is worse.
llvm::SmallVector<ScheduleAttr> pairNeighboursOf(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                                 const GPUChip &chip);

/// What every strategy offers for `kernel`, in the table's order, and behind each offer its
/// neighbours; `library` as in schedules. Each schedule once.
llvm::SmallVector<ScheduleAttr> alternativesFor(mlir::func::FuncOp kernel, const GPUChip &chip,
                                                llvm::StringRef library);

} // namespace forge

#endif // FORGE_CODEGEN_ALTERNATIVES_H
