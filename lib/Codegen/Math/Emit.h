// Formulas over SSA values, written as formulas: operators that create arith and math operations.
#ifndef FORGE_LIB_CODEGEN_MATH_EMIT_H
#define FORGE_LIB_CODEGEN_MATH_EMIT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <initializer_list>

namespace forge::emit {

/// A value (a scalar or a vector of float or integer) and the place where operations on it are
/// created. Operands of an operator have one type; a number on either side is a constant of the
/// other side's type.
struct Val {
  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;

  Val wrap(mlir::Value v) const { return {builder, loc, v}; }
  mlir::Type type() const { return value.getType(); }
  bool isFloat() const;
  /// Bits of one element.
  unsigned width() const;
  /// The type of this shape with elements of `element`.
  mlir::Type withElement(mlir::Type element) const;
};

Val constant(Val like, double number);
/// An integer constant of the type of `like`, by its low bits.
Val constantBits(Val like, uint64_t bits);

Val operator+(Val a, Val b);
Val operator-(Val a, Val b);
Val operator*(Val a, Val b);
Val operator/(Val a, Val b);
Val operator-(Val a);
inline Val operator+(Val a, double b) { return a + constant(a, b); }
inline Val operator-(Val a, double b) { return a - constant(a, b); }
inline Val operator*(Val a, double b) { return a * constant(a, b); }
inline Val operator+(double a, Val b) { return constant(b, a) + b; }
inline Val operator-(double a, Val b) { return constant(b, a) - b; }
inline Val operator*(double a, Val b) { return constant(b, a) * b; }
inline Val operator/(double a, Val b) { return constant(b, a) / b; }

/// a * b + c with one rounding.
Val fma(Val a, Val b, Val c);
inline Val fma(Val a, double b, Val c) { return fma(a, constant(a, b), c); }
inline Val fma(Val a, double b, double c) { return fma(a, constant(a, b), constant(a, c)); }
Val sqrt(Val a);
/// NaN if either is.
Val minimum(Val a, Val b);
Val maximum(Val a, Val b);
/// a / b within 2 units in the last place: arith.divf with fastmath<afn>.
Val approximateQuotient(Val a, Val b);
/// 2^a by the processor's instruction: math.exp2 with fastmath<afn>. Within 2 units in the last
/// place, exact for integers.
Val hardwareExp2(Val a);
/// The same where neither a nor 2^a is subnormal, or 0 may stand for it.
Val normalExp2(Val a);
/// 1 / a within 1 unit in the last place, by the processor's instruction; 0 for |a| above 2^126.
Val normalReciprocal(Val a);
Val trunc(Val a);
Val abs(Val a);
/// The magnitude of `a` with the sign bit of `b`.
Val copySign(Val a, Val b);

// Integers. Shifts are by a constant below the width.
Val operator&(Val a, Val b);
Val operator|(Val a, Val b);
Val operator^(Val a, Val b);
Val operator<<(Val a, unsigned amount);
Val shiftRightSigned(Val a, unsigned amount);
Val shiftRightUnsigned(Val a, unsigned amount);

/// Comparisons of floats are ordered: false with a NaN. Of integers they are signed, `below` is
/// unsigned.
Val less(Val a, Val b);
Val equal(Val a, Val b);
Val isNaN(Val a);
Val below(Val a, Val b);
inline Val less(Val a, double b) { return less(a, constant(a, b)); }
inline Val less(double a, Val b) { return less(constant(b, a), b); }
inline Val equal(Val a, double b) { return equal(a, constant(a, b)); }
Val logicalNot(Val a);
Val select(Val condition, Val a, Val b);
inline Val select(Val condition, double a, Val b) { return select(condition, constant(b, a), b); }
inline Val select(Val condition, Val a, double b) { return select(condition, a, constant(a, b)); }
/// `a` held within [low, high]; a NaN stays a NaN.
Val clamp(Val a, double low, double high);

/// The bits of a float as an integer of its width, and back.
Val bitsOf(Val a);
Val floatOf(Val bits);
/// The number as a float of the width of the integer `a` (signed).
Val toFloat(Val a);
Val convertFloat(Val a, mlir::Type element);
Val toDouble(Val a);
Val toSingle(Val a);
/// Zero-extends or truncates an integer.
Val resizeInt(Val a, unsigned width);

/// coefficients[0] + coefficients[1] x + ..., by Horner's rule with fma.
Val polynomial(Val x, std::initializer_list<double> coefficients);

/// The integer nearest to a float: as a float, and in the low bits of an integer (modulo 2^22 for
/// f32, 2^51 for f64).
struct Rounded {
  Val number;
  Val integer;
};
/// Rounds x * factor to an integer by adding 1.5 * 2^(mantissa bits): no conversion to integer,
/// which would be undefined for NaN. |x * factor| must be below 2^22 (f32) or 2^51 (f64), or the
/// result is of no use.
Rounded roundProduct(Val x, double factor);

/// 2^n as a float of the width of the integer n; n + bias must be a normal exponent.
Val powerOfTwo(Val n);

} // namespace forge::emit

#endif // FORGE_LIB_CODEGEN_MATH_EMIT_H
