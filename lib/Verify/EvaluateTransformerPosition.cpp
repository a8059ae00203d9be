// Rotary positions, and the cache of keys and values.
#include "TransformerOperands.h"

#include "forge/Reference/Position.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static reference::RopeScaling scalingOf(transformer::RopeScalingAttr attribute) {
  using Kind = reference::RopeScaling::Kind;
  static const std::pair<transformer::RopeScalingKind, Kind> kinds[] = {
      {transformer::RopeScalingKind::Linear, Kind::Linear},
      {transformer::RopeScalingKind::Dynamic, Kind::Dynamic},
      {transformer::RopeScalingKind::Yarn, Kind::Yarn},
      {transformer::RopeScalingKind::Llama3, Kind::Llama3}};
  reference::RopeScaling scaling;
  for (auto [from, to] : kinds)
    if (from == attribute.getKind())
      scaling.kind = to;
  scaling.factor = attribute.getFactor().convertToDouble();
  scaling.originalLength = static_cast<double>(attribute.getOriginalLength());
  scaling.betaFast = attribute.getBetaFast().convertToDouble();
  scaling.betaSlow = attribute.getBetaSlow().convertToDouble();
  if (attribute.getAttentionFactor().isNonZero())
    scaling.attentionFactor = attribute.getAttentionFactor().convertToDouble();
  scaling.lowFrequencyFactor = attribute.getLowFrequencyFactor().convertToDouble();
  scaling.highFrequencyFactor = attribute.getHighFrequencyFactor().convertToDouble();
  return scaling;
}

static Outcome evaluateRope(const OpCall &call, transformer::RopeOp op) {
  reference::RopeOptions options;
  options.rotaryDims = op.getNumRotated();
  options.interleaved = op.getInterleaved();
  options.inverse = op.getInverse();
  options.base = op.getBaseOrDefault();
  if (op.getScaling())
    options.scaling = scalingOf(*op.getScaling());
  options.frequencies = optionalOperand(call, op, 2);
  // The rounding of angles is what the operation means, not an error: also where all else is
  // computed in double.
  options.angleType = elementTypeOf(op.getAccumulationType());
  return single(reference::rope(call.operand(0), call.operand(1), options));
}

Outcome interpreter::evaluateTransformerPosition(const OpCall &call) {
  if (auto op = dyn_cast<transformer::RopeOp>(call.operation()))
    return evaluateRope(call, op);
  if (auto op = dyn_cast<transformer::KvAppendOp>(call.operation()))
    return single(reference::kvAppend(call.operand(0), call.operand(1), call.operand(2),
                                      optionalOperand(call, op, 3)));
  if (auto op = dyn_cast<transformer::KvAppendGradOp>(call.operation()))
    return single(reference::kvAppendGrad(call.operand(0), call.operand(1), call.operand(2),
                                          optionalOperand(call, op, 3)));
  return std::nullopt;
}
