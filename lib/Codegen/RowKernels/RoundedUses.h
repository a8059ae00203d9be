// Which values of a kernel are only seen rounded to 16 bits or fewer.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROUNDEDUSES_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROUNDEDUSES_H

#include "RowProgram.h"

namespace forge {

/// The operations in the bodies of `program` whose f32 result may be off by a few units in the last
/// of its upper 16 bits of precision: exponentials, hyperbolic tangents, complementary error
/// functions and quotients that, with their relative error kept, end in conversions to floats of 16
/// bits or fewer.
///
/// A relative error passes through products, quotients, tanh (x tanh'(x) / tanh(x) is at most 1),
/// and sums of terms of one sign: an exponential plus a positive constant, and the sum of a row's
/// exponentials.
llvm::DenseSet<mlir::Operation *> roundedUses(const RowProgram &program);

/// True if every use of `value`, in the body of an operation whose results are seen as they are,
/// ends in such a conversion with its relative error kept.
bool endsRounded(mlir::Value value);

/// Such operations in the body of one operation.
llvm::DenseSet<mlir::Operation *> roundedUses(mlir::linalg::GenericOp elementwise);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROUNDEDUSES_H
