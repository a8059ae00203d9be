// Inverse trigonometric and hyperbolic functions of complex numbers, after Kahan, "Branch cuts for
// complex elementary functions" (1987). Signs of zeros decide on the cuts.
#include "ComplexMath.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

using Direction = ComparisonDirection;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value ComplexMath::realAsinh(Value x) {
  return chlo::AsinhOp::create(builder, loc, x.getType(), x);
}

Value ComplexMath::angle(Value y, Value x) { return Atan2Op::create(builder, loc, y, x); }

/// Ones for infinite parts and zeros for others, with their signs.
Complex ComplexMath::directions(Complex z) {
  auto part = [&](Value x) {
    return copySign(select(isInfinite(x), constant(x, 1), constant(x, 0)), x);
  };
  return {part(z.re), part(z.im)};
}

Value ComplexMath::hasInfinity(Complex z) {
  return OrOp::create(builder, loc, isInfinite(z.re), isInfinite(z.im));
}

Complex ComplexMath::asin(Complex z) {
  Value one = constant(z.re, 1);
  Complex a = sqrt({sub(one, z.re), neg(z.im)}), b = sqrt({add(one, z.re), z.im});
  // Both sums are of numbers of one sign.
  Value re = angle(z.re, sub(mul(a.re, b.re), mul(a.im, b.im)));
  Value im = realAsinh(sub(mul(a.re, b.im), mul(a.im, b.re)));
  Complex far = directions(z);
  Complex limit = {angle(far.re, AbsOp::create(builder, loc, far.im)),
                   copySign(constant(z.im, kInfinity), z.im)};
  return select(hasInfinity(z), limit, {re, im});
}

Complex ComplexMath::acos(Complex z) {
  Value one = constant(z.re, 1);
  Complex a = sqrt({sub(one, z.re), neg(z.im)}), b = sqrt({add(one, z.re), z.im});
  Value re = scale(angle(a.re, b.re), 2);
  Value im = realAsinh(sub(mul(b.re, a.im), mul(b.im, a.re)));
  Complex far = directions(z);
  Complex limit = {angle(AbsOp::create(builder, loc, far.im), far.re),
                   neg(copySign(constant(z.im, kInfinity), z.im))};
  return select(hasInfinity(z), limit, {re, im});
}

Complex ComplexMath::acosh(Complex z) {
  Value one = constant(z.re, 1);
  Complex a = sqrt({sub(z.re, one), z.im}), b = sqrt({add(z.re, one), z.im});
  Value re = realAsinh(add(mul(a.re, b.re), mul(a.im, b.im)));
  Value im = scale(angle(a.im, b.re), 2);
  Complex far = directions(z);
  Complex limit = {constant(z.re, kInfinity), angle(far.im, far.re)};
  return select(hasInfinity(z), limit, {re, im});
}

Complex ComplexMath::asinh(Complex z) {
  // -i asin iz
  Complex rotated = asin({neg(z.im), z.re});
  return {rotated.im, neg(rotated.re)};
}

Complex ComplexMath::atanh(Complex z) {
  bool isDouble = cast<RankedTensorType>(z.re.getType()).getElementType().isF64();
  Value x = AbsOp::create(builder, loc, z.re), one = constant(x, 1);
  // 1. log1p(4 x / |1 - z|²) / 4, and where that square vanishes log(2 / |1 - z|) / 2.
  Value distance = abs({sub(one, x), z.im});
  Value quotient = div(scale(x, 4), mul(distance, distance));
  Value re = scale(Log1pOp::create(builder, loc, quotient), 0.25);
  Value close = scale(sub(constant(x, std::log(2.0)), LogOp::create(builder, loc, distance)), 0.5);
  re = select(is(Direction::LT, distance, isDouble ? 1e-100 : 1e-10), close, re);
  Value cosine = sub(mul(sub(one, x), add(one, x)), mul(z.im, z.im));
  Value im = scale(angle(scale(z.im, 2), cosine), 0.5);
  // 2. Far away, 1 / z and a quarter of a turn.
  Value isFar = is(Direction::GT, abs({x, z.im}), isDouble ? 1e9 : 1e4);
  Complex inverse = divide({one, constant(x, 0)}, {x, z.im});
  Complex far = {AbsOp::create(builder, loc, inverse.re),
                 add(copySign(constant(x, M_PI_2), z.im), inverse.im)};
  Complex result = select(isFar, far, {re, im});
  return {copySign(result.re, z.re), result.im};
}

Complex ComplexMath::atan(Complex z) {
  // -i atanh iz
  Complex rotated = atanh({neg(z.im), z.re});
  return {rotated.im, neg(rotated.re)};
}

Complex ComplexMath::sinh(Complex z) {
  // -i sin iz
  Complex rotated = sine({neg(z.im), z.re});
  return {rotated.im, neg(rotated.re)};
}

Complex ComplexMath::cosh(Complex z) { return cosine({neg(z.im), z.re}); }
