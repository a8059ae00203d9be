// Whether another schedule changes the bits of a kernel's results.
#ifndef FORGE_CODEGEN_SAMEBITS_H
#define FORGE_CODEGEN_SAMEBITS_H

#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace forge {

/// Why results of `kernel`, a kernel function on tensors, may have other bits by `schedule` than by
/// `other`, both complete: "another strategy" or "n = 64 instead of 128". Nothing where the bits
/// are the same whatever the inputs are: by the same strategy, where the kernel adds up nothing, or
/// the fields agree that decide in which order terms are added (Strategy::orderFields).
std::optional<std::string> whyOtherBits(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                        ScheduleAttr other);

} // namespace forge

#endif // FORGE_CODEGEN_SAMEBITS_H
