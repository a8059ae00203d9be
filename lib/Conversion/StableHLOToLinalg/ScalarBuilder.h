// StableHLO's ops on scalars, by family; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARBUILDER_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARBUILDER_H

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/ScalarBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace forge {

/// True if an integer of this (original) type counts as unsigned; i1 does.
inline bool isUnsignedType(mlir::Type type) {
  return type.isUnsignedInteger() || type.isSignlessInteger(1);
}

/// What an op means for one element, once its operands' original types are known.
struct ScalarContext {
  mlir::TypeRange inputTypes; // of the operands, may be unsigned
  mlir::Type resultType;      // may be unsigned
  bool isUnsigned() const { return isUnsignedType(inputTypes.front()); }
};

// Each returns null for ops outside its family.

/// add, subtract ... on integers and booleans.
mlir::Value emitIntegerOp(ScalarBuilder &s, mlir::Operation *op, mlir::ValueRange args,
                          const ScalarContext &context);
/// add, subtract, exponential ... on floats (stablehlo).
mlir::Value emitFloatOp(ScalarBuilder &s, mlir::Operation *op, mlir::ValueRange args);
/// Float functions of chlo, on compute types.
mlir::Value emitChloOp(ScalarBuilder &s, mlir::Operation *op, mlir::ValueRange args);
/// chlo.next_after, on the type itself.
mlir::Value emitNextAfter(ScalarBuilder &s, mlir::Value from, mlir::Value to);
/// compare, select, clamp, is_finite.
mlir::Value emitSelectionOp(ScalarBuilder &s, mlir::Operation *op, mlir::ValueRange args,
                            const ScalarContext &context);
/// convert, bitcast_convert of equal width, reduce_precision.
mlir::Value emitConversionOp(ScalarBuilder &s, mlir::Operation *op, mlir::ValueRange args,
                             const ScalarContext &context);

/// f32 for narrow floats, otherwise `type`: what arithmetic on `type` is done in.
mlir::Type getComputeType(mlir::Type type);
/// `value` as its compute type.
mlir::Value widen(ScalarBuilder &s, mlir::Value value);
/// `value` (of a compute type) as `type`.
mlir::Value narrow(ScalarBuilder &s, mlir::Value value, mlir::Type type);
/// stablehlo.convert of one element; types may be unsigned.
mlir::Value convertScalar(ScalarBuilder &s, mlir::Value value, mlir::Type from, mlir::Type to);
/// The f32 that the bits of a stored float of `type` (stablehlo::isStoredElementType) are.
mlir::Value decodeStored(ScalarBuilder &s, mlir::Value bits, mlir::Type type);
/// The bits of the stored float of `type` nearest to an f32: as forge::encodeFloat.
mlir::Value encodeStored(ScalarBuilder &s, mlir::Value value, mlir::Type type);
/// -1, 0 or 1 by sign of x, for floats NaN and zeros stay.
mlir::Value emitSign(ScalarBuilder &s, mlir::Value x, bool isUnsigned);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARBUILDER_H
