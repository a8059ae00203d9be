// Gradients of attention and rotary positions.
#include "GradientBuilders.h"

using namespace mlir;

namespace forge::transformer {

static LogicalResult attentionGradients(AttentionOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (!op.getScore().empty())
    return op.emitError("'transformer.attention' with a score region is not differentiable");
  Value cotangent = c.lookup(op.getResult());
  if (!cotangent)
    cotangent = zerosLike(b, op.getResult());
  Value lse = op.getLse() ? c.lookup(op.getLse()) : Value();
  bool maskHasGrad = op.getMask() && isFloatTensor(op.getMask().getType());
  SmallVector<Type> more;
  if (maskHasGrad)
    more.push_back(op.getMask().getType());
  if (op.getSinks())
    more.push_back(op.getSinks().getType());
  auto grad = AttentionGradOp::create(
      b, op.getQuery().getType(), op.getKey().getType(), op.getValue().getType(), more, cotangent,
      op.getQuery(), op.getKey(), op.getValue(), lse, op.getMask(), op.getLengths(),
      op.getOffsets(), op.getSinks(), op.getScaleAttr(), op.getCausalAttr(), op.getWindowAttr(),
      op.getSoftCapAttr(), op.getAccumulateAttr());
  c.add(b, op.getQuery(), grad.getQueryGrad());
  c.add(b, op.getKey(), grad.getKeyGrad());
  c.add(b, op.getValue(), grad.getValueGrad());
  if (maskHasGrad)
    c.add(b, op.getMask(), grad.getMaskGrad());
  if (op.getSinks())
    c.add(b, op.getSinks(), grad.getSinksGrad());
  return success();
}

/// A rotation is undone by that with the negated angle; its transpose keeps the factor of yarn.
static LogicalResult ropeGradients(RopeOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (op.getFrequencies() && c.isActive(op.getFrequencies()))
    return op.emitError("'transformer.rope' is not differentiable by its frequencies");
  auto grad = cast<RopeOp>(b.clone(*op));
  grad.getInputMutable().assign(c.lookup(op.getResult()));
  grad.setInverse(!op.getInverse());
  c.add(b, op.getInput(), grad.getResult());
  return success();
}

void attachAttentionModels(MLIRContext *context) {
  attachGradient<AttentionOp, attentionGradients>(context);
  attachGradient<RopeOp, ropeGradients>(context);
}

} // namespace forge::transformer
