// cuDNN takes attention as the operations that it is made of, and knows its kernels by their form
// (NVIDIA cuDNN documentation 9.19, "Graph patterns", fused flash attention forward and backward;
// the order of the backward operations is that of NVIDIA/cudnn-frontend, sdpa_backward).
//   forward:  scores = query * key^T; scaled; where masked -inf; weights = softmax over keys, by
//             maximum, exponential and sum; out = weights * value.
//   backward: weights = exp(scaled and masked scores - statistics); dValue = weights^T * dOut;
//             dScores = weights * (dOut * value^T - sum over columns of dOut * out), scaled;
//             dKey = dScores^T * query; dQuery = dScores * key.
// Numbers between are virtual: they have sizes and no memory. The logarithm of the sum plus the
// maximum is part of the forward pattern, even where nothing reads it.
#include "CudnnGraph.h"

#include <limits>

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cudnn;

namespace {
using Dims = GraphBuilder::Dims;

/// Scores and what is computed of them.
class Attention {
public:
  Attention(GraphBuilder &builder, const AttentionCall &call)
      : builder(builder), call(call), type(dataTypeOf(call.type)) {}

  void forward();
  void backward(const AttentionGradientCall &gradient);

private:
  /// A number for each score, or for each row.
  void *scores(int of = kFloat) { return builder.between(of, sizesOfScores()); }
  void *ofRows() { return builder.between(kFloat, {call.batch, call.heads, call.rows, 1}); }
  Dims sizesOfScores() const { return {call.batch, call.heads, call.rows, call.keys}; }

  /// An operation of one or two numbers for each score.
  void *scoresBy(int mode, void *x, void *b, int of = kFloat) {
    void *y = scores(of);
    builder.pointwise(mode, kFloat, x, b, nullptr, y);
    return y;
  }
  void *product(void *a, void *b) {
    void *c = scores();
    builder.multiply(a, b, c);
    return c;
  }
  void *sumOfRows(int how, void *x) {
    void *y = ofRows();
    builder.reduce(how, x, y);
    return y;
  }
  void *maskCausally(void *x);
  void *transposedScores(void *x);
  void addGradientOfKeys(void *numbers, void *factor, int64_t inner, void *result);

  /// Products take keys, and in the backward pattern values, transposed.
  static DnnTensor transposed(DnnTensor tensor) {
    std::swap(tensor.sizes[2], tensor.sizes[3]);
    std::swap(tensor.strides[2], tensor.strides[3]);
    return tensor;
  }

  GraphBuilder &builder;
  const AttentionCall &call;
  int type;
};
} // namespace

void *Attention::maskCausally(void *x) {
  void *row = scores(kInt32), *key = scores(kInt32), *isSeen = scores(kBool), *seen = scores();
  builder.pointwise(kIndex, kFloat, x, nullptr, nullptr, row, /*axis=*/2);
  builder.pointwise(kIndex, kFloat, x, nullptr, nullptr, key, /*axis=*/3);
  builder.pointwise(kGreaterOrEqual, kBool, row, key, nullptr, isSeen);
  void *masked = builder.number(-std::numeric_limits<float>::infinity());
  builder.pointwise(kSelect, kFloat, x, masked, isSeen, seen);
  return seen;
}

void Attention::forward() {
  std::vector<DnnTensor> tensors = tensorsOf(call);
  void *query = builder.operand(tensors[0]), *key = builder.operand(transposed(tensors[1])),
       *value = builder.operand(tensors[2]), *out = builder.operand(tensors[3]);
  void *statistics = call.hasStatistics ? builder.operand(tensors[4]) : ofRows();
  void *scale = builder.number(static_cast<float>(call.scale));

  void *logit = scoresBy(kMultiply, product(query, key), scale);
  if (call.causal)
    logit = maskCausally(logit);
  void *largest = sumOfRows(kMaximum, logit);
  void *exponentials = scoresBy(kExponential, scoresBy(kSubtract, logit, largest), nullptr);
  void *sum = sumOfRows(kSum, exponentials), *logarithm = ofRows();
  builder.pointwise(kLogarithm, kFloat, sum, nullptr, nullptr, logarithm);
  builder.pointwise(kAdd, kFloat, largest, logarithm, nullptr, statistics);
  builder.multiply(scoresBy(kDivide, exponentials, sum, type), value, out);
}

/// [keys, rows] of the scores' [rows, keys], rounded to the factors' type.
void *Attention::transposedScores(void *x) {
  void *y =
      builder.between(type, {call.batch, call.heads, call.keys, call.rows},
                      {call.heads * call.rows * call.keys, call.rows * call.keys, 1, call.keys});
  builder.reshape(x, y);
  return y;
}

/// Sums over rows, and over the query heads of a key head.
void Attention::addGradientOfKeys(void *numbers, void *factor, int64_t inner, void *result) {
  if (call.heads == call.keyHeads)
    return builder.multiply(transposedScores(numbers), factor, result);
  void *ofHeads = builder.between(type, {call.batch, call.heads, call.keys, inner});
  builder.multiply(transposedScores(numbers), factor, ofHeads);
  builder.reduce(kSum, ofHeads, result);
}

void Attention::backward(const AttentionGradientCall &gradient) {
  std::vector<DnnTensor> tensors = tensorsOf(gradient);
  void *query = builder.operand(tensors[0]), *key = builder.operand(transposed(tensors[1])),
       *value = builder.operand(transposed(tensors[2])), *out = builder.operand(tensors[3]),
       *cotangent = builder.operand(tensors[4]), *statistics = builder.operand(tensors[5]);
  void *toQuery = builder.operand(tensors[6]), *toKey = builder.operand(tensors[7]),
       *toValue = builder.operand(tensors[8]);
  void *scale = builder.number(static_cast<float>(call.scale));

  // 1. The sum over columns of the result times its cotangent, in memory.
  void *products = builder.between(kFloat, {call.batch, call.heads, call.rows, call.columns});
  builder.pointwise(kMultiply, kFloat, cotangent, out, nullptr, products);
  void *ofRow = builder.scratch({call.batch, call.heads, call.rows, 1});
  builder.pointwise(kMultiply, kFloat, sumOfRows(kSum, products), builder.number(1), nullptr,
                    ofRow);
  // 2. Weights, and gradients of values.
  void *logit = scoresBy(kSubtract, scoresBy(kMultiply, product(query, key), scale), statistics);
  if (call.causal)
    logit = maskCausally(logit);
  void *weights = scoresBy(kExponential, logit, nullptr);
  addGradientOfKeys(weights, cotangent, call.columns, toValue);
  // 3. Gradients of scores, and of keys.
  void *toWeights = scoresBy(kSubtract, product(cotangent, value), ofRow);
  void *toScores = scoresBy(kMultiply, scoresBy(kMultiply, toWeights, weights), scale);
  addGradientOfKeys(toScores, query, call.depth, toKey);
  // 4. Gradients of queries, which blocks of keys add up in memory.
  void *rows = builder.between(type, tensors[1].sizes, tensors[1].strides);
  builder.reshape(key, rows);
  void *sums = builder.scratch({call.batch, call.heads, call.rows, call.depth});
  builder.multiply(toScores, rows, sums);
  builder.pointwise(kIdentity, kFloat, sums, nullptr, nullptr, toQuery);
}

void forge::rt::cudnn::addAttention(GraphBuilder &builder, const AttentionCall &call) {
  Attention(builder, call).forward();
}

void forge::rt::cudnn::addAttentionGradient(GraphBuilder &builder,
                                            const AttentionGradientCall &call) {
  Attention(builder, call.attention).backward(call);
}
