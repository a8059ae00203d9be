// Functions of complex numbers written with operations on their real and imaginary parts.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_COMPLEXMATH_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_COMPLEXMATH_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Builders.h"

namespace forge::stablehlo {

/// Two tensors of floats, of one type.
struct Complex {
  mlir::Value re, im;
};

/// Branch cuts are those of StableHLO: arguments lie in (-pi, pi], the sign of a zero decides on a
/// cut. Each function is accurate to some units in the last place of the absolute value of its
/// result, over the whole range where that is finite.
class ComplexMath {
public:
  ComplexMath(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  Complex multiply(Complex a, Complex b);
  /// Smith, "Algorithm 116: Complex division", CACM 5 (1962): no overflow in between.
  Complex divide(Complex a, Complex b);
  /// The absolute value, without overflow in between.
  mlir::Value abs(Complex z);
  Complex exp(Complex z);
  Complex expm1(Complex z);
  Complex log(Complex z);
  Complex log1p(Complex z);
  Complex sqrt(Complex z);
  Complex rsqrt(Complex z);
  Complex sine(Complex z);
  Complex cosine(Complex z);
  Complex tan(Complex z);
  Complex tanh(Complex z);
  Complex logistic(Complex z);
  Complex sinh(Complex z);
  Complex cosh(Complex z);
  Complex asin(Complex z);
  Complex acos(Complex z);
  Complex atan(Complex z);
  Complex asinh(Complex z);
  Complex acosh(Complex z);
  Complex atanh(Complex z);
  Complex square(Complex z) { return multiply(z, z); }
  /// exp(b log a); 0 to the power of 0 is 1.
  Complex power(Complex a, Complex b);
  /// z / |z|, or 0.
  Complex sign(Complex z);
  /// By real parts, and by imaginary ones where these are equal.
  Complex maximum(Complex a, Complex b);
  Complex minimum(Complex a, Complex b);
  /// Whether a = b (`equal`), or not.
  mlir::Value compare(Complex a, Complex b, bool equal);
  mlir::Value constant(mlir::Value like, double value);

private:
  /// e^x as a product of two, both finite where e^x times a cosine can be.
  struct Scale {
    mlir::Value first, second;
  };
  Scale scaleOf(mlir::Value x);
  Complex divideSpecial(Complex a, Complex b, Complex quotient);
  Complex directions(Complex z);
  mlir::Value hasInfinity(Complex z);
  mlir::Value realAsinh(mlir::Value x);
  mlir::Value angle(mlir::Value y, mlir::Value x);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value neg(mlir::Value a);
  mlir::Value scale(mlir::Value a, double factor) { return mul(a, constant(a, factor)); }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  Complex select(mlir::Value condition, Complex a, Complex b);
  mlir::Value is(ComparisonDirection direction, mlir::Value a, mlir::Value b);
  mlir::Value is(ComparisonDirection direction, mlir::Value a, double b) {
    return is(direction, a, constant(a, b));
  }
  /// Whether a comes before b, by real parts and then by imaginary ones.
  mlir::Value less(Complex a, Complex b);
  mlir::Value isInfinite(mlir::Value a);
  /// |a| with the sign of b.
  mlir::Value copySign(mlir::Value a, mlir::Value b);
  mlir::Value sinh(mlir::Value x);
  mlir::Value cosh(mlir::Value x);
  /// log |x + iy|.
  mlir::Value logAbs(mlir::Value x, mlir::Value y);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_COMPLEXMATH_H
