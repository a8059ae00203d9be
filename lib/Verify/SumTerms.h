// How many terms an operation adds up.
#ifndef FORGE_LIB_VERIFY_SUMTERMS_H
#define FORGE_LIB_VERIFY_SUMTERMS_H

#include "forge/Reference/Elements.h"

#include "mlir/IR/Operation.h"

namespace forge {

/// The sizes of operand `i` of an operation.
using OperandShape = llvm::function_ref<reference::Dims(unsigned)>;

/// Terms in the longest sum that `op` forms; 1 when it forms none.
double sumTermsOf(mlir::Operation *op, OperandShape shapeOf);

/// Whether elements of this type (of a tensor, or a number) are floats.
bool holdsFloats(mlir::Type type);

} // namespace forge

#endif // FORGE_LIB_VERIFY_SUMTERMS_H
