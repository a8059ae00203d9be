// The derivatives of functions of numbers, for both directions of differentiation.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numbers>

using namespace mlir;

namespace forge::transformer {
namespace {

/// y = f(x), or of x and more, and arithmetic on numbers or tensors like y.
struct Function {
  ImplicitLocOpBuilder &b;
  Value x, y;

  Value number(double value) { return splatLike(b, y, value); }
  Value add(Value u, Value v) { return arith::AddFOp::create(b, u, v); }
  Value subtract(Value u, Value v) { return arith::SubFOp::create(b, u, v); }
  Value multiply(Value u, Value v) { return arith::MulFOp::create(b, u, v); }
  Value divide(Value u, Value v) { return arith::DivFOp::create(b, u, v); }
  Value negate(Value u) { return arith::NegFOp::create(b, u); }
  Value where(arith::CmpFPredicate predicate, Value u, Value slope) {
    Value holds = arith::CmpFOp::create(b, predicate, u, number(0.0));
    return arith::SelectOp::create(b, holds, slope, number(0.0));
  }
  Value rsqrt(Value u) { return math::RsqrtOp::create(b, u); }
  Value square(Value u) { return multiply(u, u); }
  Value one() { return number(1.0); }
  /// factor / (x + offset)
  Value inverse(double factor, double offset = 0) {
    return divide(number(factor), offset == 0 ? x : add(x, number(offset)));
  }
  /// factor * exp(-x^2)
  Value gauss(double factor) {
    return multiply(number(factor), Value(math::ExpOp::create(b, negate(square(x)))));
  }
};

/// atan2(u, v): v / (u^2 + v^2) by u, -u / (u^2 + v^2) by v.
Value atan2Slope(Function f, math::Atan2Op op, unsigned i) {
  Value square = f.add(f.square(op.getLhs()), f.square(op.getRhs()));
  return f.divide(i == 0 ? op.getRhs() : f.negate(op.getLhs()), square);
}

/// x^p: p x^(p - 1) by x, x^p log(x) by p. Where p is 0, x^p does not change with x; where x is not
/// above 0, it has no derivative by p, and 0 is taken.
Value powSlope(Function f, math::PowFOp op, unsigned i) {
  Value x = op.getLhs(), p = op.getRhs();
  if (i == 1)
    return f.where(arith::CmpFPredicate::OGT, x, f.multiply(f.y, math::LogOp::create(f.b, x)));
  Value less = math::PowFOp::create(f.b, x, f.subtract(p, f.one()));
  return f.where(arith::CmpFPredicate::UNE, p, f.multiply(p, less));
}

/// x - n v, where the whole number n = (x - y) / v does not change: 1 by x, -n by v.
Value remainderSlope(Function f, arith::RemFOp op, unsigned i) {
  return i == 0 ? f.one() : f.divide(f.subtract(f.y, op.getLhs()), op.getRhs());
}

Value unarySlope(Function f, Operation *op) {
  ImplicitLocOpBuilder &b = f.b;
  Value x = f.x, y = f.y;
  using namespace std::numbers;
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](math::AbsFOp) -> Value {
        Value below = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, f.number(0.0));
        return arith::SelectOp::create(b, below, f.number(-1.0), f.one());
      })
      .Case([&](math::AcosOp) { return f.negate(f.rsqrt(f.subtract(f.one(), f.square(x)))); })
      .Case([&](math::AcoshOp) { return f.rsqrt(f.subtract(f.square(x), f.one())); })
      .Case([&](math::AsinOp) { return f.rsqrt(f.subtract(f.one(), f.square(x))); })
      .Case([&](math::AsinhOp) { return f.rsqrt(f.add(f.square(x), f.one())); })
      .Case([&](math::AtanOp) { return f.divide(f.one(), f.add(f.square(x), f.one())); })
      .Case([&](math::AtanhOp) { return f.divide(f.one(), f.subtract(f.one(), f.square(x))); })
      .Case([&](math::CbrtOp) { return f.divide(f.number(1.0 / 3.0), f.square(y)); })
      .Case([&](math::CosOp) { return f.negate(math::SinOp::create(b, x)); })
      .Case([&](math::CoshOp) -> Value { return math::SinhOp::create(b, x); })
      .Case([&](math::ErfOp) { return f.gauss(2 * inv_sqrtpi); })
      .Case([&](math::ErfcOp) { return f.gauss(-2 * inv_sqrtpi); })
      .Case([&](math::ExpOp) { return y; })
      .Case([&](math::Exp2Op) { return f.multiply(y, f.number(ln2)); })
      .Case([&](math::ExpM1Op) -> Value { return math::ExpOp::create(b, x); })
      .Case([&](math::LogOp) { return f.inverse(1.0); })
      .Case([&](math::Log10Op) { return f.inverse(log10e); })
      .Case([&](math::Log1pOp) { return f.inverse(1.0, 1.0); })
      .Case([&](math::Log2Op) { return f.inverse(log2e); })
      .Case([&](math::RsqrtOp) { return f.divide(f.multiply(y, f.number(-0.5)), x); })
      .Case([&](math::SinOp) -> Value { return math::CosOp::create(b, x); })
      .Case([&](math::SinhOp) -> Value { return math::CoshOp::create(b, x); })
      .Case([&](math::SqrtOp) { return f.divide(f.number(0.5), y); })
      .Case([&](math::TanOp) { return f.add(f.square(y), f.one()); })
      .Case([&](math::TanhOp) { return f.subtract(f.one(), f.square(y)); })
      .Default([](Operation *) { return Value(); });
}

} // namespace

Value slopeAt(ImplicitLocOpBuilder &b, Operation *op, unsigned i) {
  Function f{b, op->getOperand(0), op->getResult(0)};
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::RemFOp remainder) { return remainderSlope(f, remainder, i); })
      .Case([&](math::Atan2Op atan) { return atan2Slope(f, atan, i); })
      .Case([&](math::FmaOp) { return i == 2 ? f.one() : op->getOperand(1 - i); })
      .Case([&](math::PowFOp pow) { return powSlope(f, pow, i); })
      .Default(
          [&](Operation *) { return op->getNumOperands() == 1 ? unarySlope(f, op) : Value(); });
}

} // namespace forge::transformer
