// The types in which factors of products may be multiplied.
#ifndef FORGE_DIALECT_STABLEHLO_IR_FACTORTYPES_H
#define FORGE_DIALECT_STABLEHLO_IR_FACTORTYPES_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge::stablehlo {

/// Whether rounding `factor` to `type` changes nothing: it is of that type, or was widened from it,
/// perhaps by way of reshapes, transposes and broadcasts.
bool isExactIn(mlir::Value factor, mlir::FloatType type);

/// The type of 16 bits to which both factors of `dot`, which gives f32, may be rounded; nothing
/// where one has to stay as it is:
///  1. both were widened from it, so that nothing is rounded;
///  2. the algorithm of `dot` names it for both, with one component of each; or
///  3. one was widened from bf16, `dot` asks for no precision, and it is one of the gradients of
///     attention. With S = Q K^T, P = softmax(S) and dP = dO V^T the other one is then
///       dS, what elementwise operations make of exp(S - base) and dP, in dQ = dS K, dK = dS^T Q;
///       or P in dV = P^T dO, a sum over rows.
///     S and dP are products of matrices, each with rows and columns of its own. Forward products
///     of P stay in f32, and so do those of another softmax's gradient, as that of a loss.
std::optional<mlir::FloatType> narrowFactorType(DotGeneralOp dot);

/// Whether products of `dot`, whose factors are 8-bit floats, may be added up as matrix units do
/// it: it asks for no precision, or its algorithm allows imprecise accumulation.
bool allowsUnitSums(DotGeneralOp dot);
bool allowsUnitSums(DotOp dot);

/// Whether `reduce` adds up P * dP over the keys, with dP as above and of factors of 16 bits. A
/// kernel may take the sum of O * dO over columns instead, O being the result rounded to bf16.
bool sumsWeightedGradients(ReduceOp reduce);

} // namespace forge::stablehlo

#endif // FORGE_DIALECT_STABLEHLO_IR_FACTORTYPES_H
