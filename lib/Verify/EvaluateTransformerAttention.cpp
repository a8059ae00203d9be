// Attention, over one tensor and over pages.
#include "TransformerOperands.h"

#include "forge/Reference/Attention.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static HostTensor scalar(DType type, double value) {
  HostTensor tensor = *HostTensor::create(type, {});
  tensor.setDouble(0, value);
  return tensor;
}

/// What both operations say of scores, and their regions.
template <typename OpTy> static reference::AttentionOptions optionsOf(const OpCall &call, OpTy op) {
  reference::AttentionOptions options;
  if (op.getScale())
    options.scale = op.getScale()->convertToDouble();
  options.causal = op.getCausal();
  if (op.getWindow())
    options.window = *op.getWindow();
  if (op.getSoftCap())
    options.softCap = op.getSoftCap()->convertToDouble();
  if (op.getScore().empty())
    return options;
  DType number = carried(elementTypeOf(op.getAccumulationType()), call.isDouble());
  options.score = [&call, number](double score, int64_t b, int64_t h, int64_t s,
                                  int64_t t) -> Result<double> {
    Tensors arguments = {scalar(number, score)};
    for (int64_t index : {b, h, s, t})
      arguments.push_back(scalar(DType::I64, static_cast<double>(index)));
    Result<Tensors> changed = call.region(0, arguments, call.isDouble());
    if (!changed)
      return changed.error();
    return changed->front().getDouble(0);
  };
  return options;
}

template <typename OpTy>
static Outcome resultsOf(OpTy op, Result<reference::AttentionResult> computed) {
  if (!computed)
    return Result<Tensors>(computed.error());
  Tensors results;
  results.push_back(std::move(computed->result));
  if (op.getLse())
    results.push_back(std::move(computed->lse));
  return Result<Tensors>(std::move(results));
}

template <typename OpTy> static DType lseType(const OpCall &call, OpTy op) {
  return carried(elementTypeOf(op.getAccumulationType()), call.isDouble());
}

Outcome interpreter::evaluateTransformerAttention(const OpCall &call) {
  if (auto op = dyn_cast<transformer::AttentionOp>(call.operation())) {
    reference::AttentionOptions options = optionsOf(call, op);
    options.mask = optionalOperand(call, op, 3);
    options.lengths = optionalOperand(call, op, 4);
    options.offsets = optionalOperand(call, op, 5);
    options.sinks = optionalOperand(call, op, 6);
    return resultsOf(op, reference::attention(call.operand(0), call.operand(1), call.operand(2),
                                              options, lseType(call, op)));
  }
  if (auto op = dyn_cast<transformer::PagedAttentionOp>(call.operation())) {
    reference::AttentionOptions options = optionsOf(call, op);
    options.lengths = &call.operand(4);
    options.offsets = optionalOperand(call, op, 5);
    options.sinks = optionalOperand(call, op, 6);
    return resultsOf(op,
                     reference::pagedAttention(call.operand(0), call.operand(1), call.operand(2),
                                               call.operand(3), options, lseType(call, op)));
  }
  return std::nullopt;
}
