// cuDNN takes attention as the operations that it is made of, and knows its kernel by their form
// (NVIDIA cuDNN documentation 9.19, "Graph patterns", fused flash attention forward):
//   scores = query * key^T; scaled; where masked -inf; weights = softmax over keys, by maximum,
//   exponential and sum; out = weights * value.
// Numbers between are virtual: they have sizes and no memory. The logarithm of the sum plus the
// maximum is part of the pattern, also where nobody reads it.
#include "CudnnGraph.h"

#include <limits>

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cudnn;

std::string Functions::errorText(const char *what, int status) const {
  std::string text = std::string(what) + ": " + statusName(status);
  char message[2048] = {};
  if (lastError)
    lastError(message, sizeof message);
  std::string more(message);
  while (!more.empty() && (more.back() == '\n' || more.back() == ' '))
    more.pop_back();
  for (char &c : more)
    if (c == '\n')
      c = ' ';
  return more.empty() ? text : text + " (" + more + ")";
}

Result<Functions> forge::rt::cudnn::findFunctions(const Library &library) {
  Functions found{};
  FunctionFinder finder(library);
  finder.require("cudnnCreate", found.create);
  finder.require("cudnnDestroy", found.destroy);
  finder.require("cudnnSetStream", found.setStream);
  finder.require("cudnnGetVersion", found.version);
  finder.require("cudnnGetErrorString", found.statusName);
  finder.find("cudnnGetLastErrorString", found.lastError);
  finder.require("cudnnBackendCreateDescriptor", found.createDescriptor);
  finder.require("cudnnBackendDestroyDescriptor", found.destroyDescriptor);
  finder.require("cudnnBackendFinalize", found.finalize);
  finder.require("cudnnBackendSetAttribute", found.set);
  finder.require("cudnnBackendGetAttribute", found.get);
  finder.require("cudnnBackendExecute", found.execute);
  if (!finder.missing().empty())
    return Error{library.name() + " has no " + finder.missing()};
  return found;
}

namespace {
using Sizes = std::array<int64_t, 4>;

/// Descriptors one after the other; after the first failure nothing more is done.
class Builder {
public:
  Builder(const Functions &cudnn, const AttentionCall &call, AttentionGraph &graph)
      : cudnn(cudnn), call(call), graph(graph) {}

  Result<void> run(void *handle);

private:
  void check(const char *what, int status) {
    if (error.empty() && status != 0)
      error = cudnn.errorText(what, status);
  }
  void *begin(int type) {
    void *made = nullptr;
    if (error.empty())
      check("making a descriptor", cudnn.createDescriptor(type, &made));
    if (made)
      graph.parts.emplace_back(made, cudnn.destroyDescriptor);
    return made;
  }
  template <typename Value>
  void set(void *descriptor, int attribute, int type, const Value &value, int64_t count = 1) {
    if (error.empty())
      check("setting an attribute", cudnn.set(descriptor, attribute, type, count, &value));
  }
  void setPart(void *descriptor, int attribute, void *part) {
    set(descriptor, attribute, kDescriptorType, part);
  }
  void *end(const char *what, void *descriptor) {
    if (error.empty())
      check(what, cudnn.finalize(descriptor));
    return descriptor;
  }

  void *tensor(int64_t id, int type, Sizes sizes, Sizes strides, bool byValue = false) {
    void *made = begin(kTensor);
    set(made, kTensorId, kInt64, id);
    set(made, kTensorType, kDataType, type);
    set(made, kTensorSizes, kInt64, sizes, 4);
    set(made, kTensorStrides, kInt64, strides, 4);
    set(made, kTensorAlignment, kInt64, byValue ? int64_t(4) : int64_t(16));
    set(made, kTensorIsVirtual, kBoolean, id >= kFirstVirtual);
    if (byValue)
      set(made, kTensorIsByValue, kBoolean, true);
    return end("describing a tensor", made);
  }
  /// A number for each score, or for each row.
  void *scores(int type) {
    auto [b, h, r, k] = sizesOfScores();
    return tensor(nextId++, type, {b, h, r, k}, {h * r * k, r * k, k, 1});
  }
  void *ofRows() {
    auto [b, h, r, k] = sizesOfScores();
    return tensor(nextId++, kFloat, {b, h, r, 1}, {h * r, r, 1, 1});
  }
  void *number(int64_t id) { return tensor(id, kFloat, {1, 1, 1, 1}, {1, 1, 1, 1}, true); }
  Sizes sizesOfScores() const { return {call.batch, call.heads, call.rows, call.keys}; }

  void operation(void *made) { operations.push_back(end("describing an operation", made)); }
  void pointwise(int mode, int precision, void *x, void *b, void *t, void *y, int64_t axis = -1) {
    void *how = begin(kPointwise);
    set(how, kPointwiseMode, kPointwiseModeType, mode);
    set(how, kPointwisePrecision, kDataType, precision);
    if (axis >= 0)
      set(how, kPointwiseAxis, kInt64, axis);
    end("describing an operation", how);
    void *made = begin(kOperationPointwise);
    setPart(made, kPointwiseDescriptor, how);
    setPart(made, kPointwiseX, x);
    if (b)
      setPart(made, kPointwiseB, b);
    if (t)
      setPart(made, kPointwiseT, t);
    setPart(made, kPointwiseY, y);
    operation(made);
  }
  /// The result of an operation of one or two numbers for each score.
  void *scoresBy(int mode, void *x, void *b, int type = kFloat) {
    void *y = scores(type);
    pointwise(mode, kFloat, x, b, nullptr, y);
    return y;
  }
  void multiply(void *a, void *b, void *c) {
    void *how = begin(kMatmul);
    set(how, kMatmulType, kDataType, int(kFloat));
    end("describing a product", how);
    void *made = begin(kOperationMatmul);
    setPart(made, kMatmulDescriptor, how);
    setPart(made, kMatmulA, a);
    setPart(made, kMatmulB, b);
    setPart(made, kMatmulC, c);
    operation(made);
  }
  void *reduce(int how, void *x) {
    void *reduction = begin(kReduction);
    set(reduction, kReductionOperator, kReductionOperatorType, how);
    set(reduction, kReductionType, kDataType, int(kFloat));
    end("describing a reduction", reduction);
    void *y = ofRows(), *made = begin(kOperationReduction);
    setPart(made, kReductionDescriptor, reduction);
    setPart(made, kReductionX, x);
    setPart(made, kReductionY, y);
    operation(made);
    return y;
  }
  void *maskCausally(void *x) {
    void *row = scores(kInt32), *key = scores(kInt32), *isSeen = scores(kBool),
         *seen = scores(kFloat);
    pointwise(kIndex, kFloat, x, nullptr, nullptr, row, /*axis=*/2);
    pointwise(kIndex, kFloat, x, nullptr, nullptr, key, /*axis=*/3);
    pointwise(kGreaterOrEqual, kBool, row, key, nullptr, isSeen);
    pointwise(kSelect, kFloat, x, number(kMasked), isSeen, seen);
    return seen;
  }

  const Functions &cudnn;
  const AttentionCall &call;
  AttentionGraph &graph;
  std::vector<void *> operations;
  int64_t nextId = kFirstVirtual;
  std::string error;
};
} // namespace

Result<void> Builder::run(void *handle) {
  int type = call.type == FORGE_RT_F16 ? kHalf : kBFloat16;
  auto strides = [](const AttentionCall::Strides &s) { return Sizes{s[0], s[1], s[2], 1}; };
  void *query = tensor(kQuery, type, {call.batch, call.heads, call.rows, call.depth},
                       strides(call.queryStrides));
  // The product takes keys transposed.
  auto [keyBatch, keyHead, keyRow] = call.keyStrides;
  void *key = tensor(kKey, type, {call.batch, call.keyHeads, call.depth, call.keys},
                     {keyBatch, keyHead, 1, keyRow});
  void *value = tensor(kValue, type, {call.batch, call.keyHeads, call.keys, call.columns},
                       strides(call.valueStrides));
  void *out = tensor(kOut, type, {call.batch, call.heads, call.rows, call.columns},
                     strides(call.outStrides()));

  void *score = scores(kFloat);
  multiply(query, key, score);
  void *logit = scoresBy(kMultiply, score, number(kScale));
  if (call.causal)
    logit = maskCausally(logit);
  void *largest = reduce(kMaximum, logit);
  void *exponentials = scoresBy(kExponential, scoresBy(kSubtract, logit, largest), nullptr);
  void *sum = reduce(kSum, exponentials);
  void *logarithm = ofRows(), *statistics = ofRows();
  pointwise(kLogarithm, kFloat, sum, nullptr, nullptr, logarithm);
  pointwise(kAdd, kFloat, largest, logarithm, nullptr, statistics);
  multiply(scoresBy(kDivide, exponentials, sum, type), value, out);

  graph.scale = static_cast<float>(call.scale);
  graph.masked = -std::numeric_limits<float>::infinity();
  graph.graph = begin(kOperationGraph);
  if (handle)
    set(graph.graph, kGraphHandle, kHandle, handle);
  if (error.empty())
    check("setting an attribute", cudnn.set(graph.graph, kGraphOperations, kDescriptorType,
                                            static_cast<int64_t>(operations.size()),
                                            static_cast<const void *>(operations.data())));
  end("describing the graph", graph.graph);
  return error.empty() ? Result<void>() : Result<void>(Error{error});
}

Result<AttentionGraph> forge::rt::cudnn::buildAttentionGraph(const Functions &cudnn, void *handle,
                                                             const AttentionCall &call) {
  if (Result<void> ok = checkAttention(call); !ok)
    return ok.error();
  AttentionGraph graph;
  if (Result<void> done = Builder(cudnn, call, graph).run(handle); !done)
    return done.error();
  return std::move(graph);
}
