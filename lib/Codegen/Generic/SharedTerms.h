// Terms of sums of which much is the same for several results.
#ifndef FORGE_LIB_CODEGEN_GENERIC_SHAREDTERMS_H
#define FORGE_LIB_CODEGEN_GENERIC_SHAREDTERMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Whether the parallel `loop` of a reduction is short enough that a thread has all results along
/// it, and all outputs have it.
bool mayShareTerms(mlir::linalg::LinalgOp op, unsigned loop);

/// What is worth being computed once for several results, in operations such as an addition of
/// floats.
inline constexpr int64_t kLeastSharedCost = 16;

/// The parallel loop of the reduction `op` whose results a thread computes together, since what its
/// body makes without it is at least kLeastSharedCost: the components of the forces of all pairs of
/// points, of which each pair has one distance. Nothing if there is none.
std::optional<unsigned> loopOfSharedTerms(mlir::linalg::LinalgOp op);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_SHAREDTERMS_H
