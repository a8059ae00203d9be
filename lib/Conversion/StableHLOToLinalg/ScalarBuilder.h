// Shorthand for emitting scalar arithmetic; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARBUILDER_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARBUILDER_H

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// True if an integer of this (original) type counts as unsigned; i1 does.
inline bool isUnsignedType(mlir::Type type) {
  return type.isUnsignedInteger() || type.isSignlessInteger(1);
}

struct ScalarBuilder {
  using Value = mlir::Value;
  using Type = mlir::Type;
  mlir::ImplicitLocOpBuilder b;

  /// Inserts where `builder` does now.
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location loc) : b(loc, builder) {}

  unsigned width(Value v) { return v.getType().getIntOrFloatBitWidth(); }

  Value constant(Type type, const llvm::APInt &value) {
    return mlir::arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  }
  Value constant(Type type, int64_t value) {
    return constant(type, llvm::APInt(type.getIntOrFloatBitWidth(), value, /*isSigned=*/true,
                                      /*implicitTrunc=*/true));
  }
  Value like(Value v, int64_t value) { return constant(v.getType(), value); }
  Value real(Type type, double value) {
    return mlir::arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  Value realLike(Value v, double value) { return real(v.getType(), value); }
  Value infinity(Type type) {
    auto &semantics = mlir::cast<mlir::FloatType>(type).getFloatSemantics();
    return mlir::arith::ConstantOp::create(
        b, b.getFloatAttr(type, llvm::APFloat::getInf(semantics)));
  }
  Value nan(Type type) {
    auto &semantics = mlir::cast<mlir::FloatType>(type).getFloatSemantics();
    return mlir::arith::ConstantOp::create(
        b, b.getFloatAttr(type, llvm::APFloat::getNaN(semantics)));
  }

  template <typename OpTy, typename... Args> Value op(Args &&...args) {
    return b.createOrFold<OpTy>(std::forward<Args>(args)...);
  }
  Value cmp(mlir::arith::CmpIPredicate predicate, Value x, Value y) {
    return op<mlir::arith::CmpIOp>(predicate, x, y);
  }
  Value cmp(mlir::arith::CmpFPredicate predicate, Value x, Value y) {
    return op<mlir::arith::CmpFOp>(predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return op<mlir::arith::SelectOp>(condition, x, y);
  }
  Value bitcast(Value v, Type type) {
    return v.getType() == type ? v : op<mlir::arith::BitcastOp>(type, v);
  }
  /// The bits of a float as a signless integer of its width.
  Value bits(Value v) { return bitcast(v, b.getIntegerType(width(v))); }
  Value isNaN(Value v) { return cmp(mlir::arith::CmpFPredicate::UNO, v, v); }
  Value notOf(Value flag) { return op<mlir::arith::XOrIOp>(flag, like(flag, -1)); }
};

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
/// -1, 0 or 1 by sign of x, for floats NaN and zeros stay.
mlir::Value emitSign(ScalarBuilder &s, mlir::Value x, bool isUnsigned);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCALARBUILDER_H
