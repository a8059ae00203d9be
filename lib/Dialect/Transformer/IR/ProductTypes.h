// The element types of a matrix product, which all contractions check alike.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_IR_PRODUCTTYPES_H
#define FORGE_LIB_DIALECT_TRANSFORMER_IR_PRODUCTTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace forge::transformer {

/// The types of one product.
struct ProductTypes {
  mlir::Type lhs, rhs, result;
  std::optional<mlir::Type> accumulate;
  bool hasActivation;
};

bool isFloat8(mlir::Type type);

/// Fails unless
/// 1. the factors have one element type, or are both f8;
/// 2. the accumulation suits them;
/// 3. the result has their type or that of the accumulation (f8: bf16, f16 or f32; i8: i32);
/// 4. no activation follows a product of integers.
llvm::LogicalResult checkProductTypes(mlir::Operation *op, const ProductTypes &types);

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_IR_PRODUCTTYPES_H
