// Calls of LAPACK as JAX writes them for its CPU backend, and of cuSOLVER for its CUDA backend.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_LAPACKCALLS_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_LAPACKCALLS_H

#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// Replaces `custom_call @lapack_{s,d,c,z}NAME_ffi` and `@cusolver_NAME_ffi` of static shapes by
/// operations of StableHLO and calls that are known: potrf (Cholesky), trsm (triangular systems),
/// getrf (LU with pivots), geqrf, orgqr and ungqr (QR); and `@cu_lu_pivots_to_permutation`. Others,
/// and calls of other forms, stay.
void raiseLapackCalls(mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_LAPACKCALLS_H
