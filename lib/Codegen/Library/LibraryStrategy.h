// The strategy *library*: a product, with what it does to its sums, done by the vendor's library.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H
#define FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// On a kernel of strategy "library": the schedule of another strategy, by which it is compiled
/// too, for where the library is missing or does not offer the product.
inline constexpr llvm::StringLiteral kFallbackScheduleAttr = "forge.fallback_schedule";

/// Checks what strategy "library" wants of `kernel` and its schedule, with a diagnostic there.
mlir::LogicalResult verifyLibrarySchedule(mlir::func::FuncOp kernel,
                                          const KernelSchedule &schedule);
/// As verifyKernelSchedule, for the other schedule: it makes device code.
mlir::LogicalResult verifyFallbackSchedule(mlir::func::FuncOp kernel,
                                           const KernelSchedule &schedule, const GPUChip &chip);

/// Only where it is asked for (tiers hybrid and production). Schedule: tile = {least}, the fewest
/// multiplications for which the library is called; 1 thread. forge-call-library makes calls of the
/// runtime of it.
extern const Strategy libraryStrategy;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H
