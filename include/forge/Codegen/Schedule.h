// Schedules on operations and kernels: #forge.schedule, as `forge.schedule`. Heuristics write it
// where there is none and add what one leaves out, so a schedule written by hand in the file wins.
//
//   linalg.generic {...} {forge.schedule = #forge.schedule<strategy = rows, tile = [8, 0]>}
#ifndef FORGE_CODEGEN_SCHEDULE_H
#define FORGE_CODEGEN_SCHEDULE_H

#include "forge/Dialect/Forge/IR/Forge.h"

#include "mlir/IR/Operation.h"

namespace forge {

/// Hears why a way of computing does not take something.
using WhyNot = llvm::function_ref<void(const llvm::Twine &)>;

/// A unit attribute of a parallel loop: every iteration is worth a task of its own, no matter what
/// its body looks like (it may be a call).
inline constexpr llvm::StringLiteral kShareOutAttr = "forge.share_out";

/// On operations on tensors: those with the same number (i64) in a function become one kernel.
inline constexpr llvm::StringLiteral kClusterAttr = "forge.cluster";

/// Attributes of a kernel function: floating-point operations and bytes read and written per call,
/// as i64, where sizes are known.
inline constexpr llvm::StringLiteral kFlopsAttr = "forge.flops";
inline constexpr llvm::StringLiteral kBytesAttr = "forge.bytes";

/// An error about a schedule of `op`, at its place, without the text of the operation.
mlir::InFlightDiagnostic emitScheduleError(mlir::Operation *op, const llvm::Twine &message = {});

/// The schedule that attribute `name` of `op` holds; null if there is none.
ScheduleAttr getSchedule(mlir::Operation *op, llvm::StringRef name = kScheduleAttr);

/// The value of a field of integers; nothing if it is left out, or `schedule` is null.
std::optional<int64_t> givenSize(ScheduleAttr schedule, llvm::StringRef field);

/// Checks that `strategy`, whose fields these are besides `strategy`, knows every field of
/// `schedule`, with a diagnostic at `op`.
mlir::LogicalResult checkFields(mlir::Operation *op, ScheduleAttr schedule,
                                llvm::StringRef strategy,
                                llvm::ArrayRef<llvm::StringLiteral> fields);

} // namespace forge

#endif // FORGE_CODEGEN_SCHEDULE_H
