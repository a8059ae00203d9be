// Elementwise StableHLO and CHLO ops. Floats are computed in double and rounded once to the
// result's type; integers are exact, modulo 2^width. No MLIR.
#ifndef FORGE_REFERENCE_ELEMENTWISE_H
#define FORGE_REFERENCE_ELEMENTWISE_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

/// Ops with one operand and a result of the operand's type, save the three is-tests and IsFinite,
/// which give i1.
enum class UnaryOp {
  // StableHLO
  Abs,
  Cbrt,
  Ceil,
  CountLeadingZeros,
  Cosine,
  Exponential,
  ExponentialMinusOne,
  Floor,
  IsFinite,
  Log,
  LogPlusOne,
  Logistic,
  Negate,
  Not,
  PopulationCount,
  RoundNearestAfz,
  RoundNearestEven,
  Rsqrt,
  Sign,
  Sine,
  Sqrt,
  Tan,
  Tanh,
  // CHLO
  Acos,
  Acosh,
  Asin,

  Asinh,
  Atan,
  Atanh,
  BesselI1e,
  Cosh,
  Digamma,
  Erf,
  ErfInv,
  Erfc,
  IsInf,
  IsNegInf,
  IsPosInf,
  Lgamma,
  Sinh,
  Square
};

/// Ops with two operands and a result of one type.
enum class BinaryOp {
  // StableHLO
  Add,
  And,
  Atan2,
  Divide,
  Maximum,
  Minimum,
  Multiply,
  Or,
  Power,
  Remainder,
  ShiftLeft,
  ShiftRightArithmetic,
  ShiftRightLogical,
  Subtract,
  Xor,
  // CHLO
  MultiplyHigh,
  NextAfter,
  Polygamma,
  Zeta
};

enum class Direction { EQ, NE, GE, GT, LE, LT };

/// f(x). Fails where the op is not defined for the element type ("sine of an integer").
Result<HostTensor> unary(UnaryOp op, const HostTensor &operand);

/// f(x, y), both of one type and shape. On integers: division by zero gives all ones and leaves the
/// dividend as the remainder, the smallest value over -1 wraps, shifts of the width or more give 0
/// (arithmetic right: the sign), and a negative power is 0 but for bases 1 and -1 — as XLA has
/// them; the specification leaves them open. On i1: add, maximum are or; multiply, minimum are and.
Result<HostTensor> binary(BinaryOp op, const HostTensor &lhs, const HostTensor &rhs);

/// The same on single elements: what reductions fold with.
double binaryFloat(BinaryOp op, double lhs, double rhs);
int64_t binaryInteger(BinaryOp op, DType type, int64_t lhs, int64_t rhs);
/// Whether `op` is defined for elements of `type`.
bool isDefined(BinaryOp op, DType type);
bool isDefined(UnaryOp op, DType type);

/// Element `i` of `lhs` compared with element `k` of `rhs`, both of one element type, as `compare`
/// does.
bool compareElements(Direction direction, bool totalOrder, const HostTensor &lhs, int64_t i,
                     const HostTensor &rhs, int64_t k);

/// i1 tensor. Comparisons with NaN are false but for NE; with `totalOrder`, -NaN < -inf < … < -0 <
/// +0 < … < NaN.
Result<HostTensor> compare(Direction direction, bool totalOrder, const HostTensor &lhs,
                           const HostTensor &rhs);

/// predicate ? onTrue : onFalse; the predicate is a scalar or of their shape.
Result<HostTensor> select(const HostTensor &predicate, const HostTensor &onTrue,
                          const HostTensor &onFalse);

/// min(max(operand, low), high); `low` and `high` are scalars or of the operand's shape.
Result<HostTensor> clamp(const HostTensor &low, const HostTensor &operand, const HostTensor &high);

/// Value conversion. Float to integer truncates and saturates, NaN gives 0; integer to integer
/// wraps; integer to float rounds once to nearest even; to i1: non-zero.
Result<HostTensor> convert(const HostTensor &operand, DType type);

/// The same bits as another type; a last dimension appears or goes when the widths differ, lowest
/// bits first.
Result<HostTensor> bitcastConvert(const HostTensor &operand, DType type);

/// Rounds to `mantissaBits` (ties to even), then to the exponent range of `exponentBits` (at least
/// 1): overflow gives infinity, what would be subnormal gives zero, both signed. NaN
/// stays, but is infinity without mantissa bits.
Result<HostTensor> reducePrecision(const HostTensor &operand, int exponentBits, int mantissaBits);

} // namespace forge::reference

#endif // FORGE_REFERENCE_ELEMENTWISE_H
