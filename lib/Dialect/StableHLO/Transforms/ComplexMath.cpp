#include "ComplexMath.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

using Direction = ComparisonDirection;

Value ComplexMath::constant(Value like, double value) {
  auto type = cast<RankedTensorType>(like.getType());
  FloatAttr element = builder.getFloatAttr(type.getElementType(), value);
  if (!type.hasStaticShape())
    return chlo::ConstantLikeOp::create(builder, loc, type, element, like);
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element.getValue()));
}

Value ComplexMath::add(Value a, Value b) { return AddOp::create(builder, loc, a, b); }
Value ComplexMath::sub(Value a, Value b) { return SubtractOp::create(builder, loc, a, b); }
Value ComplexMath::mul(Value a, Value b) { return MulOp::create(builder, loc, a, b); }
Value ComplexMath::div(Value a, Value b) { return DivOp::create(builder, loc, a, b); }
Value ComplexMath::neg(Value a) { return NegOp::create(builder, loc, a); }

Value ComplexMath::select(Value condition, Value a, Value b) {
  return SelectOp::create(builder, loc, a.getType(), condition, a, b);
}
Complex ComplexMath::select(Value condition, Complex a, Complex b) {
  return {select(condition, a.re, b.re), select(condition, a.im, b.im)};
}
Value ComplexMath::is(Direction direction, Value a, Value b) {
  return CompareOp::create(builder, loc, a, b, direction);
}
Value ComplexMath::isInfinite(Value a) {
  return is(Direction::EQ, AbsOp::create(builder, loc, a), std::numeric_limits<double>::infinity());
}

Value ComplexMath::copySign(Value a, Value b) {
  auto type = cast<RankedTensorType>(b.getType());
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  auto bitsType = type.clone(builder.getIntegerType(width));
  Value bits = BitcastConvertOp::create(builder, loc, bitsType, b);
  Value zero;
  if (type.hasStaticShape())
    zero =
        ConstantOp::create(builder, loc, DenseElementsAttr::get(bitsType, APInt::getZero(width)));
  else
    zero = SubtractOp::create(builder, loc, bits, bits);
  Value magnitude = AbsOp::create(builder, loc, a);
  return select(is(Direction::LT, bits, zero), neg(magnitude), magnitude);
}

Complex ComplexMath::multiply(Complex a, Complex b) {
  return {sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))};
}

Complex ComplexMath::divide(Complex a, Complex b) {
  Value absRe = AbsOp::create(builder, loc, b.re), absIm = AbsOp::create(builder, loc, b.im);
  Value reIsLarger = is(Direction::GE, absRe, absIm);
  // (x + iy) / (large + i small), with the parts of a swapped when those of b are.
  Value large = select(reIsLarger, b.re, b.im), small = select(reIsLarger, b.im, b.re);
  Value ratio = div(small, large);
  Value denominator = add(large, mul(small, ratio));
  Value re = select(reIsLarger, add(a.re, mul(a.im, ratio)), add(mul(a.re, ratio), a.im));
  Value im = select(reIsLarger, sub(a.im, mul(a.re, ratio)), sub(mul(a.im, ratio), a.re));
  Complex quotient = {div(re, denominator), div(im, denominator)};
  return divideSpecial(a, b, quotient);
}

/// As C's annex G and XLA have them: x / 0 is infinite, as are infinity / x, and x / infinity is 0,
/// with the signs of the parts, whatever the other part is.
Complex ComplexMath::divideSpecial(Complex a, Complex b, Complex quotient) {
  auto isNumber = [&](Value x) { return is(Direction::EQ, x, x); };
  auto both = [&](Value x, Value y) -> Value { return AndOp::create(builder, loc, x, y); };
  auto either = [&](Value x, Value y) -> Value { return OrOp::create(builder, loc, x, y); };
  auto isFinite = [&](Complex z) {
    auto part = [&](Value x) {
      return is(Direction::LT, AbsOp::create(builder, loc, x),
                std::numeric_limits<double>::infinity());
    };
    return both(part(z.re), part(z.im));
  };
  // a times the conjugate of b, each part times `factor`.
  auto scaled = [&](Complex x, Complex y, double factor) -> Complex {
    return {scale(add(mul(x.re, y.re), mul(x.im, y.im)), factor),
            scale(sub(mul(x.im, y.re), mul(x.re, y.im)), factor)};
  };
  Complex result = select(both(hasInfinity(b), isFinite(a)), scaled(a, directions(b), 0), quotient);
  double infinity = std::numeric_limits<double>::infinity();
  result = select(both(hasInfinity(a), isFinite(b)), scaled(directions(a), b, infinity), result);
  Value isZero = both(is(Direction::EQ, b.re, 0), is(Direction::EQ, b.im, 0));
  isZero = both(isZero, either(isNumber(a.re), isNumber(a.im)));
  Value infinite = copySign(constant(b.re, infinity), b.re);
  return select(isZero, Complex{mul(infinite, a.re), mul(infinite, a.im)}, result);
}

Value ComplexMath::abs(Complex z) {
  Value a = AbsOp::create(builder, loc, z.re), b = AbsOp::create(builder, loc, z.im);
  Value large = MaxOp::create(builder, loc, a, b), small = MinOp::create(builder, loc, a, b);
  Value ratio = div(small, large);
  Value one = constant(ratio, 1);
  Value result = mul(large, SqrtOp::create(builder, loc, add(one, mul(ratio, ratio))));
  result = select(is(Direction::EQ, large, 0), large, result);
  // An infinite part decides, whatever the other is.
  Value infinite = OrOp::create(builder, loc, isInfinite(z.re), isInfinite(z.im));
  return select(infinite, constant(a, std::numeric_limits<double>::infinity()), result);
}

ComplexMath::Scale ComplexMath::scaleOf(Value x) {
  bool isDouble = cast<RankedTensorType>(x.getType()).getElementType().isF64();
  Value isLarge = is(Direction::GT, x, isDouble ? 709 : 88);
  Value root = ExpOp::create(builder, loc, select(isLarge, scale(x, 0.5), x));
  return {root, select(isLarge, root, constant(x, 1))};
}

Complex ComplexMath::exp(Complex z) {
  auto [first, second] = scaleOf(z.re);
  // Without an imaginary part there is none in the result, an infinite scale or not.
  Value real = is(Direction::EQ, z.im, 0);
  Value re = mul(mul(first, CosineOp::create(builder, loc, z.im)), second);
  Value im = mul(mul(first, SineOp::create(builder, loc, z.im)), second);
  return {re, select(real, z.im, im)};
}

Complex ComplexMath::expm1(Complex z) {
  // (e^x - 1) cos y + (cos y - 1), and cos y - 1 = -2 sin²(y/2).
  Value half = SineOp::create(builder, loc, scale(z.im, 0.5));
  Value re = mul(Expm1Op::create(builder, loc, z.re), CosineOp::create(builder, loc, z.im));
  re = sub(re, scale(mul(half, half), 2));
  Complex whole = exp(z);
  return {select(is(Direction::GT, z.re, 80), whole.re, re), whole.im};
}

Value ComplexMath::logAbs(Value x, Value y) {
  Value a = AbsOp::create(builder, loc, x), b = AbsOp::create(builder, loc, y);
  Value large = MaxOp::create(builder, loc, a, b), small = MinOp::create(builder, loc, a, b);
  // 1. log large + log1p((small / large)²) / 2
  Value ratio = select(is(Direction::EQ, small, large), constant(large, 1), div(small, large));
  ratio = select(is(Direction::EQ, large, 0), large, ratio);
  Value far = add(LogOp::create(builder, loc, large),
                  scale(Log1pOp::create(builder, loc, mul(ratio, ratio)), 0.5));
  // 2. Near the unit circle that cancels: log1p((large - 1)(large + 1) + small²) / 2
  Value one = constant(large, 1);
  Value square = add(mul(sub(large, one), add(large, one)), mul(small, small));
  Value close = scale(Log1pOp::create(builder, loc, square), 0.5);
  Value isClose =
      AndOp::create(builder, loc, is(Direction::GT, large, 0.5), is(Direction::LT, large, 1.5));
  return select(isClose, close, far);
}

Complex ComplexMath::log(Complex z) {
  return {logAbs(z.re, z.im), Atan2Op::create(builder, loc, z.im, z.re)};
}

Complex ComplexMath::log1p(Complex z) {
  Value one = constant(z.re, 1), shifted = add(z.re, one);
  // |1 + z|² - 1 = x (2 + x) + y², where that is small enough to be squared.
  Value square = add(mul(z.re, add(z.re, constant(z.re, 2))), mul(z.im, z.im));
  Value close = scale(Log1pOp::create(builder, loc, square), 0.5);
  Value small =
      AndOp::create(builder, loc, is(Direction::LT, AbsOp::create(builder, loc, z.re), 0.5),
                    is(Direction::LT, AbsOp::create(builder, loc, z.im), 0.5));
  return {select(small, close, logAbs(shifted, z.im)),
          Atan2Op::create(builder, loc, z.im, shifted)};
}

Complex ComplexMath::sqrt(Complex z) {
  // Kahan, "Branch cuts for complex elementary functions" (1987): the part without cancellation
  // first, the other from it.
  Value x = AbsOp::create(builder, loc, z.re);
  Value root = SqrtOp::create(builder, loc, add(scale(abs(z), 0.5), scale(x, 0.5)));
  Value other = scale(div(AbsOp::create(builder, loc, z.im), root), 0.5);
  other = select(is(Direction::EQ, root, 0), root, other);
  Value right = is(Direction::GE, z.re, 0);
  Complex result = {select(right, root, other), copySign(select(right, other, root), z.im)};
  Complex infinite = {constant(x, std::numeric_limits<double>::infinity()), z.im};
  return select(isInfinite(z.im), infinite, result);
}

Complex ComplexMath::rsqrt(Complex z) {
  Value one = constant(z.re, 1);
  return divide({one, constant(one, 0)}, sqrt(z));
}

Value ComplexMath::sinh(Value x) {
  // (e + e / (e + 1)) / 2 with e = e^x - 1 does not cancel near zero.
  Value e = Expm1Op::create(builder, loc, x);
  Value small = scale(add(e, div(e, add(e, constant(e, 1)))), 0.5);
  Value large = sub(scale(ExpOp::create(builder, loc, x), 0.5),
                    scale(ExpOp::create(builder, loc, neg(x)), 0.5));
  return select(is(Direction::LT, AbsOp::create(builder, loc, x), 1), small, large);
}

Value ComplexMath::cosh(Value x) {
  return add(scale(ExpOp::create(builder, loc, x), 0.5),
             scale(ExpOp::create(builder, loc, neg(x)), 0.5));
}

Complex ComplexMath::sine(Complex z) {
  Value im = mul(CosineOp::create(builder, loc, z.re), sinh(z.im));
  Value re = mul(SineOp::create(builder, loc, z.re), cosh(z.im));
  return {select(is(Direction::EQ, z.re, 0), z.re, re),
          select(is(Direction::EQ, z.im, 0), z.im, im)};
}

Complex ComplexMath::cosine(Complex z) {
  Value im = neg(mul(SineOp::create(builder, loc, z.re), sinh(z.im)));
  return {mul(CosineOp::create(builder, loc, z.re), cosh(z.im)), im};
}

Complex ComplexMath::tan(Complex z) {
  // tan z = -i tanh iz
  Complex rotated = tanh({neg(z.im), z.re});
  return {rotated.im, neg(rotated.re)};
}

Complex ComplexMath::tanh(Complex z) {
  // sinh x cosh x / (sinh² x + cos² y) + i sin y cos y / (sinh² x + cos² y); from |x| = 20 on the
  // real part is 1 and the imaginary one 4 sin y cos y e^(-2 |x|).
  Value sin = SineOp::create(builder, loc, z.im), cos = CosineOp::create(builder, loc, z.im);
  Value x = AbsOp::create(builder, loc, z.re), far = is(Direction::GT, x, 20);
  Value bounded = select(far, constant(x, 20), z.re);
  Value hyperbolicSine = sinh(bounded), angle = mul(sin, cos);
  Value denominator = add(mul(hyperbolicSine, hyperbolicSine), mul(cos, cos));
  Complex near = {div(mul(hyperbolicSine, cosh(bounded)), denominator), div(angle, denominator)};
  // Without a real part that is infinite, that of an angle that is no number is none, either.
  Value sign = copySign(constant(x, 1), z.re), none = sub(angle, angle);
  Value isLimit = isInfinite(x);
  Complex limit = {select(isLimit, sign, add(sign, none)),
                   select(isLimit, copySign(constant(x, 0), angle),
                          mul(scale(angle, 4), ExpOp::create(builder, loc, scale(x, -2))))};
  Complex result = select(far, limit, near);
  return {result.re, select(is(Direction::EQ, z.im, 0), z.im, result.im)};
}

Complex ComplexMath::logistic(Complex z) {
  // 1 / (1 + e^-z)
  Complex e = exp({neg(z.re), neg(z.im)});
  Value one = constant(z.re, 1);
  return divide({one, constant(z.re, 0)}, {add(e.re, one), e.im});
}

Complex ComplexMath::power(Complex a, Complex b) {
  Complex result = exp(multiply(b, log(a)));
  // Of zero, the logarithm says nothing.
  Value zero = constant(a.re, 0), one = constant(a.re, 1);
  Value baseIsZero =
      AndOp::create(builder, loc, is(Direction::EQ, a.re, zero), is(Direction::EQ, a.im, zero));
  Value exponentIsZero =
      AndOp::create(builder, loc, is(Direction::EQ, b.re, zero), is(Direction::EQ, b.im, zero));
  Value vanishes = AndOp::create(builder, loc, baseIsZero, is(Direction::GT, b.re, zero));
  result = select(vanishes, Complex{zero, zero}, result);
  return select(exponentIsZero, Complex{one, zero}, result);
}

Complex ComplexMath::sign(Complex z) {
  Value size = abs(z);
  return select(is(Direction::EQ, size, 0), z, Complex{div(z.re, size), div(z.im, size)});
}

Value ComplexMath::less(Complex a, Complex b) {
  Value first = is(Direction::LT, a.re, b.re);
  Value second =
      AndOp::create(builder, loc, is(Direction::EQ, a.re, b.re), is(Direction::LT, a.im, b.im));
  return OrOp::create(builder, loc, first, second);
}
Complex ComplexMath::maximum(Complex a, Complex b) { return select(less(a, b), b, a); }
Complex ComplexMath::minimum(Complex a, Complex b) { return select(less(b, a), b, a); }

Value ComplexMath::compare(Complex a, Complex b, bool equal) {
  if (equal)
    return AndOp::create(builder, loc, is(Direction::EQ, a.re, b.re),
                         is(Direction::EQ, a.im, b.im));
  return OrOp::create(builder, loc, is(Direction::NE, a.re, b.re), is(Direction::NE, a.im, b.im));
}
