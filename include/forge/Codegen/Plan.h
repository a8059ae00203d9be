// Plans: schedules for kernels that are not named, but known by a hash of what they compute, in a
// file that a person reads and writes.
//
//   forge-plan 1
//   compiler forge 0.1.0 (MLIR 22.1.0)
//   chip sm_90a
//   kernel 5c0f... #forge.schedule<strategy = generic, threads = 128>  // elementwise
//
// `compiler` is the compiler that the schedules were chosen with. A `chip` is that of the kernels
// up to the next. What is left out of a schedule is chosen; `//` begins a comment.
#ifndef FORGE_CODEGEN_PLAN_H
#define FORGE_CODEGEN_PLAN_H

#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace forge {

/// On a module that is to be compiled by a plan: of each chip, and there of each kernel by its
/// hash, {place = loc(...), schedule = #forge.schedule<...>}. `forge-schedule-kernels` takes it
/// away.
inline constexpr llvm::StringLiteral kPlanAttr = "forge.plan";

/// 32 hexadecimal digits: of what `kernel`, a kernel function on tensors, computes, without names,
/// locations and schedules.
std::string kernelHash(mlir::func::FuncOp kernel);

/// Reads a plan. Fails, with a diagnostic at its line of `file`, where it is none, where it is of
/// another compiler than `compiler`, and where a schedule is none.
mlir::FailureOr<mlir::DictionaryAttr> parsePlan(llvm::StringRef text, llvm::StringRef file,
                                                llvm::StringRef compiler,
                                                mlir::MLIRContext *context);

/// A schedule of a plan, and where the plan has it.
struct PlannedSchedule {
  ScheduleAttr schedule;
  mlir::LocationAttr place;
};

/// The plan of `module` for one chip; one without kernels where the module has none. Fails, with a
/// diagnostic, where the attribute is no plan, and where it has nothing for the chip.
mlir::FailureOr<mlir::DictionaryAttr> planFor(mlir::ModuleOp module, llvm::StringRef chip);
/// The same of a plan that parsePlan gave; null where it has nothing for the chip.
mlir::DictionaryAttr planFor(mlir::DictionaryAttr plan, llvm::StringRef chip);

/// What a chip's plan says of a kernel; nothing where it says nothing, or `plan` is null.
std::optional<PlannedSchedule> findPlanned(mlir::DictionaryAttr plan, llvm::StringRef hash);

/// A line of a plan that is written.
struct PlanLine {
  std::string hash, name;
  ScheduleAttr schedule;
};

/// A plan for one chip, as parsePlan reads it, without lines for a hash that has one.
void writePlan(llvm::raw_ostream &os, llvm::StringRef compiler, llvm::StringRef chip,
               llvm::ArrayRef<PlanLine> lines);

} // namespace forge

#endif // FORGE_CODEGEN_PLAN_H
