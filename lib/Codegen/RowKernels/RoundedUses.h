// Which values of a row kernel are only seen rounded to 16 bits or fewer.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROUNDEDUSES_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROUNDEDUSES_H

#include "RowProgram.h"

namespace forge {

/// The operations in the bodies of `program` whose f32 result may be off by a few units in the last
/// of its upper 16 bits of precision: exponentials and quotients that, with their relative error
/// kept, end in conversions to floats of 16 bits or fewer.
///
/// A relative error passes through products, quotients, and sums of terms of one sign: an
/// exponential plus a positive constant, and the sum of a row's exponentials.
llvm::DenseSet<mlir::Operation *> roundedUses(const RowProgram &program);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROUNDEDUSES_H
