// The rounding of a product as an operation of its own.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_SPLITROUNDING_H
#define FORGE_LIB_CODEGEN_LIBRARY_SPLITROUNDING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Where all that reads the result of `contraction` rounds it to the type of the factors before it
/// does anything else with it, that becomes an operation of its own, given back; null if it does
/// not.
mlir::linalg::GenericOp splitRounding(mlir::linalg::LinalgOp contraction);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_SPLITROUNDING_H
