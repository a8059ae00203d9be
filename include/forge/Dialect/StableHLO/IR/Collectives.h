// Operations of stablehlo between devices. Only import reads them, hence a header of their own.
#ifndef FORGE_DIALECT_STABLEHLO_IR_COLLECTIVES_H
#define FORGE_DIALECT_STABLEHLO_IR_COLLECTIVES_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge::stablehlo {
/// The text of a future of values of these types: "future<tensor<4xf32>>".
std::string describeFuture(mlir::TypeRange types);
bool isFuture(mlir::Type type);
} // namespace forge::stablehlo

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/CollectiveOps.h.inc"

#endif // FORGE_DIALECT_STABLEHLO_IR_COLLECTIVES_H
