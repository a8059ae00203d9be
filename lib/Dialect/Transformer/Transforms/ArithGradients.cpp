// Gradients of arithmetic on whole tensors.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

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
  if (!isDifferentiableType(op.getIn().getType()))
    return op.emitError("'") << op->getName() << "' is not differentiable for "
                             << op.getIn().getType();
  c.add(b, op.getIn(),
        convertTo(b, c.lookup(op.getOut()), getElementTypeOrSelf(op.getIn().getType())));
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

/// Each operand that is active gets the cotangent times the slope by it.
template <typename Op>
static LogicalResult slopeGradients(Op op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  for (OpOperand &operand : op->getOpOperands())
    if (c.isActive(operand.get())) {
      Value slope = slopeAt(b, op, operand.getOperandNumber());
      c.add(b, operand.get(), matchPattern(slope, m_OneFloat()) ? dy : multiply(b, dy, slope));
    }
  return success();
}
template <typename... Ops> static void attachBySlope(MLIRContext *context) {
  (attachGradient<Ops, slopeGradients<Ops>>(context), ...);
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
  attachGradient<arith::MaxNumFOp, chooseGradients<arith::MaxNumFOp, arith::CmpFPredicate::OGE>>(
      context);
  attachGradient<arith::MinNumFOp, chooseGradients<arith::MinNumFOp, arith::CmpFPredicate::OLE>>(
      context);
  attachBySlope<arith::RemFOp>(context);
  attachConstant<arith::CmpFOp, arith::CmpIOp>(context);
}

void attachMathModels(MLIRContext *context) {
  attachBySlope<math::AbsFOp, math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
                math::Atan2Op, math::AtanOp, math::AtanhOp, math::CbrtOp, math::CosOp, math::CoshOp,
                math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op, math::ExpM1Op, math::FmaOp,
                math::LogOp, math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp,
                math::RsqrtOp, math::SinOp, math::SinhOp, math::SqrtOp, math::TanOp, math::TanhOp>(
      context);
  attachConstant<math::CeilOp, math::FloorOp, math::RoundOp, math::RoundEvenOp, math::TruncOp>(
      context);
}

} // namespace forge::transformer
