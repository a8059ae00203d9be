// Shorthand for emitting scalar arithmetic.
#ifndef FORGE_CONVERSION_UTILS_SCALARBUILDER_H
#define FORGE_CONVERSION_UTILS_SCALARBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

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
    return mlir::arith::ConstantOp::create(b,
                                           b.getFloatAttr(type, llvm::APFloat::getInf(semantics)));
  }
  Value nan(Type type) {
    auto &semantics = mlir::cast<mlir::FloatType>(type).getFloatSemantics();
    return mlir::arith::ConstantOp::create(b,
                                           b.getFloatAttr(type, llvm::APFloat::getNaN(semantics)));
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

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_SCALARBUILDER_H
