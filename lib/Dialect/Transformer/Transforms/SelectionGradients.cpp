// Gradients of choices among scores, and of the loss.
#include "GradientBuilders.h"

using namespace mlir;

namespace forge::transformer {

static LogicalResult crossEntropyGradients(CrossEntropyOp op, ImplicitLocOpBuilder &b,
                                           Cotangents &c) {
  c.add(b, op.getLogits(),
        CrossEntropyGradOp::create(b, op.getLogits().getType(), op.getReductionAttr(),
                                   c.lookup(op.getResult()), op.getLogits(), op.getTargets(),
                                   op.getIgnoreIndexAttr(), op.getLabelSmoothingAttr(),
                                   op.getAccumulateAttr()));
  return success();
}

/// The bias of a router only decides who is chosen: its gradient is zero.
static LogicalResult routeGradients(MoeRouteOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (c.isActive(op.getLogits()))
    c.add(b, op.getLogits(),
          MoeRouteGradOp::create(b, op.getLogits().getType(), op.getScoreAttr(),
                                 c.lookup(op.getWeights()), op.getLogits(), op.getExperts(),
                                 op.getNormalizeAttr(), op.getScaleAttr(), op.getAccumulateAttr()));
  return success();
}

static LogicalResult topKGradients(TopKOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getInput(),
        TopKGradOp::create(b, op.getInput().getType(), c.lookup(op.getValues()), op.getIndices(),
                           op.getInput(), /*accumulate=*/TypeAttr()));
  return success();
}

void attachSelectionModels(MLIRContext *context) {
  attachGradient<CrossEntropyOp, crossEntropyGradients>(context);
  attachGradient<MoeRouteOp, routeGradients>(context);
  attachGradient<TopKOp, topKGradients>(context);
}

} // namespace forge::transformer
