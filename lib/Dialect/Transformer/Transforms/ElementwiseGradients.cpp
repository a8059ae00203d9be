// Gradients of activations, sums and embedding.
#include "GradientBuilders.h"

using namespace mlir;

namespace forge::transformer {

static LogicalResult activationGradients(ActivationOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getInput(),
        ActivationGradOp::create(b, op.getKind(), c.lookup(op.getResult()), op.getInput()));
  return success();
}

static LogicalResult addGradients(AddOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  c.add(b, op.getLhs(), dy);
  c.add(b, op.getRhs(), dy);
  return success();
}

static LogicalResult embeddingGradients(EmbeddingOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(
      b, op.getTable(),
      EmbeddingGradOp::create(b, c.lookup(op.getResult()), op.getIds(), op.getTable(), TypeAttr()));
  return success();
}

static LogicalResult multiplyGradients(MultiplyOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  if (c.isActive(op.getLhs()))
    c.add(b, op.getLhs(), MultiplyOp::create(b, dy, op.getRhs()));
  if (c.isActive(op.getRhs()))
    c.add(b, op.getRhs(), MultiplyOp::create(b, dy, op.getLhs()));
  return success();
}

/// The cotangent of a sum goes to every term.
static LogicalResult sumGradients(SumOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  c.add(b, op.getInput(),
        broadcastLike(b, c.lookup(op.getResult()), op.getInput(), op.getDimensions()));
  return success();
}

void attachElementwiseModels(MLIRContext *context) {
  attachGradient<ActivationOp, activationGradients>(context);
  attachGradient<AddOp, addGradients>(context);
  attachConstant<ArgmaxOp, SampleOp>(context);
  attachGradient<EmbeddingOp, embeddingGradients>(context);
  attachGradient<MultiplyOp, multiplyGradients>(context);
  attachGradient<SumOp, sumGradients>(context);
}

} // namespace forge::transformer
