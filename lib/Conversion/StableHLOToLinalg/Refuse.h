// The diagnostic for what is not lowered; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_REFUSE_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_REFUSE_H

#include "mlir/IR/Operation.h"

namespace forge {

/// Emits "unsupported stablehlo op 'stablehlo.fft'" (or custom_call target) at `op`, with the
/// reason behind it if there is one, and fails. For the pattern that is an op's only one: the
/// framework drops what notifyMatchFailure is told in a release build.
llvm::LogicalResult refuseOp(mlir::Operation *op, const llvm::Twine &reason = "");

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_REFUSE_H
