// Words of two numbers of 16 bits, as matrix instructions take them.
#ifndef FORGE_LIB_CODEGEN_GEMV_WORDHALVES_H
#define FORGE_LIB_CODEGEN_GEMV_WORDHALVES_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// The low halves of two words of i32, that of `low` first.
mlir::Value lowHalves(mlir::ImplicitLocOpBuilder &b, mlir::Value low, mlir::Value high);
/// Their high halves.
mlir::Value highHalves(mlir::ImplicitLocOpBuilder &b, mlir::Value low, mlir::Value high);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_WORDHALVES_H
