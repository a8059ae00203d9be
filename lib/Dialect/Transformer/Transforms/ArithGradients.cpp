// Gradients of arithmetic on whole tensors.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

using namespace mlir;

namespace forge::transformer {

static LogicalResult addGradients(arith::AddFOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  c.add(b, op.getLhs(), dy);
  c.add(b, op.getRhs(), dy);
  return success();
}

static Value multiply(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::MulFOp::create(b, x, y);
}

static LogicalResult subtractGradients(arith::SubFOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  c.add(b, op.getLhs(), dy);
  if (c.isActive(op.getRhs()))
    c.add(b, op.getRhs(), arith::NegFOp::create(b, dy));
  return success();
}

static LogicalResult multiplyGradients(arith::MulFOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  if (c.isActive(op.getLhs()))
    c.add(b, op.getLhs(), multiply(b, dy, op.getRhs()));
  if (c.isActive(op.getRhs()))
    c.add(b, op.getRhs(), multiply(b, dy, op.getLhs()));
  return success();
}

/// d(x / y) = dx / y - (x / y) dy / y
static LogicalResult divideGradients(arith::DivFOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value share = arith::DivFOp::create(b, c.lookup(op.getResult()), op.getRhs());
  c.add(b, op.getLhs(), share);
  if (c.isActive(op.getRhs()))
    c.add(b, op.getRhs(), arith::NegFOp::create(b, multiply(b, share, op.getResult())));
  return success();
}

static LogicalResult negateGradients(arith::NegFOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getOperand(), arith::NegFOp::create(b, c.lookup(op.getResult())));
  return success();
}

/// The cotangent goes back to the wider or narrower type it came from.
template <typename Op>
static LogicalResult convertGradients(Op op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (!isFloatTensor(op.getIn().getType()))
    return op.emitError("'") << op->getName() << "' is not differentiable for "
                             << op.getIn().getType();
  c.add(b, op.getIn(), convertTo(b, c.lookup(op.getOut()), typeOf(op.getIn()).getElementType()));
  return success();
}

static LogicalResult selectGradients(arith::SelectOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  Value none = zerosLike(b, dy);
  if (c.isActive(op.getTrueValue()))
    c.add(b, op.getTrueValue(), arith::SelectOp::create(b, op.getCondition(), dy, none));
  if (c.isActive(op.getFalseValue()))
    c.add(b, op.getFalseValue(), arith::SelectOp::create(b, op.getCondition(), none, dy));
  return success();
}

/// `value` where `condition`, elsewhere 0.
static Value where(ImplicitLocOpBuilder &b, Value condition, Value value) {
  return arith::SelectOp::create(b, condition, value, zerosLike(b, value));
}

/// The operand that a maximum or minimum takes gets the cotangent, of equal ones the first.
template <typename Op, arith::CmpFPredicate takesFirst>
static LogicalResult chooseGradients(Op op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult()), none = zerosLike(b, dy);
  Value first = arith::CmpFOp::create(b, takesFirst, op.getLhs(), op.getRhs());
  if (c.isActive(op.getLhs()))
    c.add(b, op.getLhs(), arith::SelectOp::create(b, first, dy, none));
  if (c.isActive(op.getRhs()))
    c.add(b, op.getRhs(), arith::SelectOp::create(b, first, none, dy));
  return success();
}

/// d |x| = dx, or -dx for x < 0
static LogicalResult absGradients(math::AbsFOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult()), zero = zerosLike(b, dy);
  Value below = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, op.getOperand(), zero);
  Value negated = arith::NegFOp::create(b, dy);
  c.add(b, op.getOperand(), arith::SelectOp::create(b, below, negated, dy));
  return success();
}

/// d erf(x) = 2 / sqrt(pi) exp(-x^2) dx
static LogicalResult erfGradients(math::ErfOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value square = multiply(b, op.getOperand(), op.getOperand());
  Value gauss = math::ExpOp::create(b, arith::NegFOp::create(b, square));
  Value slope = multiply(b, gauss, splatLike(b, gauss, 2.0 * std::numbers::inv_sqrtpi));
  c.add(b, op.getOperand(), multiply(b, c.lookup(op.getResult()), slope));
  return success();
}

/// d x^y = y x^(y - 1) dx + x^y log(x) dy. Where y is 0, x^y does not change with x; where x is not
/// above 0, it has no derivative by y, and 0 is taken.
static LogicalResult powGradients(math::PowFOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value x = op.getLhs(), y = op.getRhs(), dy = c.lookup(op.getResult()), zero = zerosLike(b, dy);
  if (c.isActive(x)) {
    Value less = arith::SubFOp::create(b, y, splatLike(b, y, 1.0));
    Value slope = multiply(b, y, Value(math::PowFOp::create(b, x, less)));
    Value changes = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, y, zero);
    c.add(b, x, multiply(b, dy, where(b, changes, slope)));
  }
  if (c.isActive(y)) {
    Value slope = multiply(b, op.getResult(), Value(math::LogOp::create(b, x)));
    Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, zero);
    c.add(b, y, multiply(b, dy, where(b, above, slope)));
  }
  return success();
}

/// d x^(-1/2) = -x^(-1/2) / (2 x) dx
static LogicalResult rsqrtGradients(math::RsqrtOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value half = multiply(b, op.getResult(), splatLike(b, op.getResult(), -0.5));
  Value slope = arith::DivFOp::create(b, half, op.getOperand());
  c.add(b, op.getOperand(), multiply(b, c.lookup(op.getResult()), slope));
  return success();
}

static LogicalResult expGradients(math::ExpOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getOperand(), multiply(b, c.lookup(op.getResult()), op.getResult()));
  return success();
}

static LogicalResult logGradients(math::LogOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getOperand(), arith::DivFOp::create(b, c.lookup(op.getResult()), op.getOperand()));
  return success();
}

/// d sqrt(x) = dx / (2 sqrt(x))
static LogicalResult sqrtGradients(math::SqrtOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value half = multiply(b, c.lookup(op.getResult()), splatLike(b, op.getResult(), 0.5));
  c.add(b, op.getOperand(), arith::DivFOp::create(b, half, op.getResult()));
  return success();
}

/// d tanh(x) = (1 - tanh(x)^2) dx
static LogicalResult tanhGradients(math::TanhOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value square = multiply(b, op.getResult(), op.getResult());
  Value slope = arith::SubFOp::create(b, splatLike(b, square, 1.0), square);
  c.add(b, op.getOperand(), multiply(b, c.lookup(op.getResult()), slope));
  return success();
}

/// d sin(x) = cos(x) dx
static LogicalResult sinGradients(math::SinOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value cosine = math::CosOp::create(b, op.getOperand());
  c.add(b, op.getOperand(), multiply(b, c.lookup(op.getResult()), cosine));
  return success();
}

/// d cos(x) = -sin(x) dx
static LogicalResult cosGradients(math::CosOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value sine = arith::NegFOp::create(b, math::SinOp::create(b, op.getOperand()));
  c.add(b, op.getOperand(), multiply(b, c.lookup(op.getResult()), sine));
  return success();
}

void attachArithModels(MLIRContext *context) {
  attachGradient<arith::AddFOp, addGradients>(context);
  attachGradient<arith::SubFOp, subtractGradients>(context);
  attachGradient<arith::MulFOp, multiplyGradients>(context);
  attachGradient<arith::DivFOp, divideGradients>(context);
  attachGradient<arith::NegFOp, negateGradients>(context);
  attachGradient<arith::ExtFOp, convertGradients<arith::ExtFOp>>(context);
  attachGradient<arith::TruncFOp, convertGradients<arith::TruncFOp>>(context);
  attachGradient<arith::SelectOp, selectGradients>(context);
  attachGradient<arith::MaximumFOp, chooseGradients<arith::MaximumFOp, arith::CmpFPredicate::OGE>>(
      context);
  attachGradient<arith::MinimumFOp, chooseGradients<arith::MinimumFOp, arith::CmpFPredicate::OLE>>(
      context);
  attachConstant<arith::CmpFOp, arith::CmpIOp>(context);
}

void attachMathModels(MLIRContext *context) {
  attachGradient<math::AbsFOp, absGradients>(context);
  attachGradient<math::ErfOp, erfGradients>(context);
  attachGradient<math::PowFOp, powGradients>(context);
  attachGradient<math::RsqrtOp, rsqrtGradients>(context);
  attachGradient<math::ExpOp, expGradients>(context);
  attachGradient<math::LogOp, logGradients>(context);
  attachGradient<math::SqrtOp, sqrtGradients>(context);
  attachGradient<math::TanhOp, tanhGradients>(context);
  attachGradient<math::SinOp, sinGradients>(context);
  attachGradient<math::CosOp, cosGradients>(context);
}

} // namespace forge::transformer
