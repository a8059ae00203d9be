// The schedule of an operation: an attribute that says how it will be tiled. Heuristics write it
// where none stands, so a schedule written by hand in the file wins.
//
//   linalg.generic {...} {forge.schedule = {strategy = "rows", tile = array<i64: 8, 0>}}
//
// `tile` holds one size per loop of the operation, in elements; 0 leaves that loop whole.
#ifndef FORGE_CODEGEN_SCHEDULE_H
#define FORGE_CODEGEN_SCHEDULE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace mlir {
class Diagnostic;
class InFlightDiagnostic;
class Operation;
} // namespace mlir

namespace forge {

struct Schedule {
  std::string strategy;
  llvm::SmallVector<int64_t> tile;
};

/// The name of the attribute.
inline constexpr llvm::StringLiteral kScheduleAttr = "forge.schedule";

/// A unit attribute of a parallel loop: every iteration is worth a task of its own, no matter what its
/// body looks like (it may be a call).
inline constexpr llvm::StringLiteral kShareOutAttr = "forge.share_out";

/// On operations on tensors: those with the same number (i64) in a function become one kernel.
inline constexpr llvm::StringLiteral kClusterAttr = "forge.cluster";

/// Attributes of a kernel function: floating-point operations and bytes read and written per call,
/// as i64, where sizes are known.
inline constexpr llvm::StringLiteral kFlopsAttr = "forge.flops";
inline constexpr llvm::StringLiteral kBytesAttr = "forge.bytes";

/// An error about a schedule of `op`, at its place, without the text of the operation.
mlir::InFlightDiagnostic emitScheduleError(mlir::Operation *op, const llvm::Twine &message = {});

/// The strategy that the schedule of `op` names, by which its other keys are known; empty if it has
/// none. A schedule that names no strategy is an error.
mlir::FailureOr<llvm::StringRef> scheduledStrategy(mlir::Operation *op);

/// Reads the schedule of `op`, which has strategy "rows"; nothing if it has none. A schedule of
/// another form is an error.
mlir::FailureOr<std::optional<Schedule>> getSchedule(mlir::Operation *op);

/// Writes a schedule on `op`.
void setSchedule(mlir::Operation *op, const Schedule &schedule);

} // namespace forge

#endif // FORGE_CODEGEN_SCHEDULE_H
