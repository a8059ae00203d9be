// Attention, over one tensor and over pages.
#include "TransformerOperands.h"

#include "forge/Reference/AttentionGrad.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static HostTensor scalar(DType type, double value) {
  HostTensor tensor = *HostTensor::create(type, {});
  tensor.setDouble(0, value);
  return tensor;
}

/// What region number `region` of `op` yields for one score.
static Result<Tensors> scoreRegion(const OpCall &call, unsigned region, DType number, double score,
                                   const Dims &index) {
  Tensors arguments = {scalar(number, score)};
  for (int64_t i : index)
    arguments.push_back(scalar(DType::I64, static_cast<double>(i)));
  return call.region(region, arguments, call.isDouble());
}

/// The function of one score that region number `region` of `op` computes; none where it is empty.
template <typename OpTy>
static reference::AttentionOptions::ScoreFunction scoreFunction(const OpCall &call, OpTy op,
                                                                unsigned region) {
  if (op->getRegion(region).empty())
    return {};
  DType number = carried(elementTypeOf(op.getAccumulationType()), call.isDouble());
  return [&call, number, region](double score, int64_t b, int64_t h, int64_t s,
                                 int64_t t) -> Result<double> {
    Result<Tensors> changed = scoreRegion(call, region, number, score, {b, h, s, t});
    if (!changed)
      return changed.error();
    return changed->front().getDouble(0);
  };
}

/// What attributes and regions say of scores.
template <typename OpTy> static reference::AttentionOptions optionsOf(const OpCall &call, OpTy op) {
  reference::AttentionOptions options;
  if (op.getScale())
    options.scale = op.getScale()->convertToDouble();
  options.causal = op.getCausal();
  if (op.getWindow())
    options.window = *op.getWindow();
  if (op.getSoftCap())
    options.softCap = op.getSoftCap()->convertToDouble();
  options.score = scoreFunction(call, op, 0);
  if constexpr (std::is_same_v<OpTy, transformer::AttentionGradOp>) {
    Type element = op.getQuery().getType().getElementType();
    options.slope = scoreFunction(call, op, 1);
    options.roundsWeights = element.isBF16() || element.isF16();
  } else {
    options.roundsWeights = op.getWeightsType() != op.getAccumulationType();
  }
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

/// The tables of gradients, and what the slope region says of reads from them: behind its first
/// value, for each table a derivative and the indices.
static void addTables(const OpCall &call, transformer::AttentionGradOp op,
                      reference::AttentionOptions &options) {
  unsigned first = op.getODSOperandIndexAndLength(9).first;
  for (unsigned i = 0; i < op.getTables().size(); ++i)
    options.tables.push_back(&call.operand(first + i));
  DType number = carried(elementTypeOf(op.getAccumulationType()), call.isDouble());
  options.reads = [&call, number, tables = options.tables](
                      double score, int64_t b, int64_t h, int64_t s,
                      int64_t t) -> Result<std::vector<reference::AttentionOptions::Read>> {
    Result<Tensors> yielded = scoreRegion(call, 1, number, score, {b, h, s, t});
    if (!yielded)
      return yielded.error();
    std::vector<reference::AttentionOptions::Read> reads;
    auto next = yielded->begin() + 1;
    for (const HostTensor *table : tables) {
      double slope = (next++)->getDouble(0);
      int64_t place = 0;
      for (int64_t size : table->dims()) {
        int64_t index = reference::getInteger(*next++, 0);
        // Beyond one dimension, but not beyond the table, is outside too.
        place = index < 0 || index >= size ? table->numElements() : place * size + index;
      }
      reads.push_back({place, slope});
    }
    return reads;
  };
}

static Outcome evaluateGrad(const OpCall &call, transformer::AttentionGradOp op) {
  reference::AttentionOptions options = optionsOf(call, op);
  options.mask = optionalOperand(call, op, 5);
  options.lengths = optionalOperand(call, op, 6);
  options.offsets = optionalOperand(call, op, 7);
  options.sinks = optionalOperand(call, op, 8);
  addTables(call, op, options);
  Result<reference::AttentionGradients> grads =
      reference::attentionGrad(call.operand(0), optionalOperand(call, op, 4), call.operand(1),
                               call.operand(2), call.operand(3), options);
  if (!grads)
    return Result<Tensors>(grads.error());
  Tensors results;
  results.push_back(std::move(grads->query));
  results.push_back(std::move(grads->key));
  results.push_back(std::move(grads->value));
  if (grads->mask)
    results.push_back(std::move(*grads->mask));
  if (grads->sinks)
    results.push_back(std::move(*grads->sinks));
  for (HostTensor &table : grads->tables)
    results.push_back(std::move(table));
  return Result<Tensors>(std::move(results));
}

Outcome interpreter::evaluateTransformerAttention(const OpCall &call) {
  if (auto op = dyn_cast<transformer::AttentionGradOp>(call.operation()))
    return evaluateGrad(call, op);
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
