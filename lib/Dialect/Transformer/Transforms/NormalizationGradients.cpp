// Gradients of softmax and norms.
#include "GradientBuilders.h"

using namespace mlir;

namespace forge::transformer {

static LogicalResult softmaxGradients(SoftmaxOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getInput(),
        SoftmaxGradOp::create(b, c.lookup(op.getResult()), op.getResult(), op.getDimensionAttr(),
                              op.getAccumulateAttr()));
  return success();
}

static LogicalResult logSoftmaxGradients(LogSoftmaxOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getInput(),
        LogSoftmaxGradOp::create(b, c.lookup(op.getResult()), op.getResult(), op.getDimensionAttr(),
                                 op.getAccumulateAttr()));
  return success();
}

static LogicalResult layerNormGradients(LayerNormOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  RankedTensorType type = op.getInput().getType();
  auto vector = RankedTensorType::get({type.getShape().back()}, type.getElementType());
  auto grad =
      LayerNormGradOp::create(b, type, vector, vector, c.lookup(op.getResult()), op.getInput(),
                              op.getScale(), op.getEpsilonAttr(), op.getAccumulateAttr());
  c.add(b, op.getInput(), grad.getInputGrad());
  if (op.getScale())
    c.add(b, op.getScale(), grad.getScaleGrad());
  if (op.getShift())
    c.add(b, op.getShift(), grad.getShiftGrad());
  return success();
}

static LogicalResult rmsNormGradients(RmsNormOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  RankedTensorType type = op.getInput().getType();
  auto vector = RankedTensorType::get({type.getShape().back()}, type.getElementType());
  auto grad =
      RmsNormGradOp::create(b, type, vector, c.lookup(op.getResult()), op.getInput(), op.getScale(),
                            op.getEpsilonAttr(), op.getUnitOffsetAttr(), op.getAccumulateAttr());
  c.add(b, op.getInput(), grad.getInputGrad());
  if (op.getScale())
    c.add(b, op.getScale(), grad.getScaleGrad());
  return success();
}

void attachNormalizationModels(MLIRContext *context) {
  attachGradient<LayerNormOp, layerNormGradients>(context);
  attachGradient<LogSoftmaxOp, logSoftmaxGradients>(context);
  attachGradient<RmsNormOp, rmsNormGradients>(context);
  attachGradient<SoftmaxOp, softmaxGradients>(context);
}

} // namespace forge::transformer
