// Choices among scores, experts, and the loss of given classes.
#include "TransformerOperands.h"

#include "forge/Reference/SelectionGrad.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static Outcome selected(Result<reference::Selected> result) {
  if (!result)
    return Result<Tensors>(result.error());
  Tensors tensors;
  tensors.push_back(std::move(result->values));
  tensors.push_back(std::move(result->indices));
  return Result<Tensors>(std::move(tensors));
}

static Outcome evaluateSample(const OpCall &call, transformer::SampleOp op) {
  reference::SampleOptions options;
  options.temperature = optionalOperand(call, op, 3);
  options.topK = optionalOperand(call, op, 4);
  options.topP = optionalOperand(call, op, 5);
  bool isWide = call.declaredOperandType(0) == DType::F64;
  return single(reference::sample(call.operand(0), call.operand(1), call.operand(2), options,
                                  isWide ? DType::F64 : DType::F32, call.resultType(0)));
}

/// Of the loss and of its gradient.
template <typename OpTy> static reference::CrossEntropyOptions lossOptions(OpTy op) {
  reference::CrossEntropyOptions options;
  switch (op.getReduction()) {
  case transformer::LossReduction::None:
    options.reduction = reference::LossReduction::None;
    break;
  case transformer::LossReduction::Mean:
    options.reduction = reference::LossReduction::Mean;
    break;
  case transformer::LossReduction::Sum:
    options.reduction = reference::LossReduction::Sum;
    break;
  }
  if (op.getIgnoreIndex())
    options.ignoreIndex = static_cast<int64_t>(*op.getIgnoreIndex());
  if (op.getLabelSmoothing())
    options.labelSmoothing = op.getLabelSmoothing()->convertToDouble();
  return options;
}

/// Of routing and of its gradient.
template <typename OpTy> static reference::RouteOptions scoreOptions(OpTy op) {
  reference::RouteOptions options;
  options.score = op.getScore() == transformer::RouterScore::Softmax
                      ? reference::RouterScore::Softmax
                      : reference::RouterScore::Sigmoid;
  options.normalize = op.getNormalize();
  if (op.getScale())
    options.scale = op.getScale()->convertToDouble();
  return options;
}

static Outcome evaluateMoeRoute(const OpCall &call, transformer::MoeRouteOp op) {
  reference::RouteOptions options = scoreOptions(op);
  options.k = static_cast<int64_t>(op.getK());
  options.groups = op.getGroups().value_or(1);
  options.topGroups = op.getTopGroups().value_or(1);
  options.groupScore = op.getGroups() && op.getGroupScore() == transformer::GroupScore::Top2
                           ? reference::GroupScore::Top2
                           : reference::GroupScore::Max;
  options.bias = optionalOperand(call, op, 1);
  // Ties of rounded scores are part of what the operation means.
  options.scoreType = elementTypeOf(op.getAccumulationType());
  return selected(reference::moeRoute(call.operand(0), options, call.resultType(1)));
}

Outcome interpreter::evaluateTransformerSelection(const OpCall &call) {
  if (isa<transformer::ArgmaxOp>(call.operation()))
    return single(reference::argmax(call.operand(0), call.resultType(0)));
  if (auto op = dyn_cast<transformer::TopKOp>(call.operation()))
    return selected(
        reference::largest(call.operand(0), static_cast<int64_t>(op.getK()), call.resultType(1)));
  if (auto op = dyn_cast<transformer::SampleOp>(call.operation()))
    return evaluateSample(call, op);
  if (auto op = dyn_cast<transformer::CrossEntropyOp>(call.operation()))
    return single(reference::crossEntropy(call.operand(0), call.operand(1), lossOptions(op),
                                          call.resultType(0)));
  if (auto op = dyn_cast<transformer::MoeRouteOp>(call.operation()))
    return evaluateMoeRoute(call, op);
  if (auto op = dyn_cast<transformer::CrossEntropyGradOp>(call.operation()))
    return single(reference::crossEntropyGrad(call.operand(0), call.operand(1), call.operand(2),
                                              lossOptions(op)));
  if (auto op = dyn_cast<transformer::MoeRouteGradOp>(call.operation()))
    return single(reference::moeRouteGrad(call.operand(0), call.operand(1), call.operand(2),
                                          scoreOptions(op)));
  if (isa<transformer::TopKGradOp>(call.operation()))
    return single(
        reference::topKGrad(call.operand(0), call.operand(1), call.operand(2).dims().back()));
  return std::nullopt;
}
