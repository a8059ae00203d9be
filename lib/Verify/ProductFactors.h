// What numbers an operation multiplies before it adds up their products.
#ifndef FORGE_LIB_VERIFY_PRODUCTFACTORS_H
#define FORGE_LIB_VERIFY_PRODUCTFACTORS_H

#include "forge/Support/DType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace forge {

struct MatrixArithmetic;

/// Whether the body of `op` has an operation of this name.
bool bodyHas(mlir::linalg::LinalgOp op, llvm::StringRef name);

/// The type, f16 or bf16, of the factors of the product that forge-narrow-factors may make of `op`.
std::optional<mlir::FloatType> narrowFactorType(mlir::Operation *op);
/// Of f16 or bf16.
DType dtypeOf16Bits(mlir::FloatType type);

/// The type of the factors, 16 bits or fewer, whose products `op` adds up, if they are; bf16 for
/// 8-bit floats whose products a matrix unit may not add up (kUnitSumsAttr,
/// stablehlo::allowsUnitSums).
std::optional<DType> factorsOf(mlir::Operation *op);

/// What adds up products of `factors` on `chip`, if it has a matrix unit that does and is not
/// exact.
const MatrixArithmetic *matrixUnitOf(std::optional<DType> factors, llvm::StringRef chip);

} // namespace forge

#endif // FORGE_LIB_VERIFY_PRODUCTFACTORS_H
