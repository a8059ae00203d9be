// Gradients of arithmetic on whole tensors.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

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
  attachConstant<arith::CmpFOp, arith::CmpIOp>(context);
}

void attachMathModels(MLIRContext *context) {
  attachGradient<math::ExpOp, expGradients>(context);
  attachGradient<math::LogOp, logGradients>(context);
  attachGradient<math::SqrtOp, sqrtGradients>(context);
  attachGradient<math::TanhOp, tanhGradients>(context);
  attachGradient<math::SinOp, sinGradients>(context);
  attachGradient<math::CosOp, cosGradients>(context);
}

} // namespace forge::transformer
