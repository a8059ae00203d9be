// The feed-forward part that consists of experts.
#include "CallCheck.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"

using namespace mlir;

namespace forge::transformer {

/// The experts' weights [N, k] and numbers [N, k], of rows [N, hidden].
static std::pair<Value, Value> routed(Graph &graph, Value rows, const MoeWeights &w,
                                      const MoeConfig &c) {
  RouteOptions options;
  options.k = c.expertsPerToken;
  options.normalize = c.normalize;
  options.score = c.score;
  options.bias = w.choiceBias;
  options.groups = c.groups;
  options.topGroups = c.topGroups;
  options.scale = c.routerScale;
  if (!c.wideRouter)
    return graph.route(graph.linear(rows, w.router, {.bias = w.routerBias}), options);
  Value logits = graph.wideProduct(rows, w.router);
  if (options.bias)
    options.bias = graph.converted(options.bias, logits);
  auto [weights, experts] = graph.route(logits, options);
  return {graph.converted(weights, rows), experts};
}

/// The MLP of each group's expert, of rows [T, hidden] sorted by expert.
static Value expertRows(Graph &graph, Value rows, Value groups, const MoeWeights &w,
                        const MoeConfig &c) {
  if (!w.merged) {
    Value gate = c.otherActivation
                     ? c.otherActivation(graph, graph.groupedLinear(rows, w.gate, groups))
                     : graph.groupedLinear(rows, w.gate, groups, {.activation = c.activation});
    Value up = graph.groupedLinear(rows, w.up, groups);
    return graph.groupedLinear(graph.multiply(gate, up), w.down, groups);
  }
  WeightLayout layout = w.isMergedOutIn ? WeightLayout::OutIn : WeightLayout::InOut;
  Value both =
      graph.groupedLinear(rows, w.merged, groups, {.bias = w.mergedBias, .layout = layout});
  Value gate = graph.columns(both, 0, c.intermediate, 2);
  Value up = graph.columns(both, 1, c.intermediate, 2);
  return graph.groupedLinear(graph.clampedGate(gate, up, c.alpha, c.limit), w.down, groups,
                             {.bias = w.downBias, .layout = layout});
}

/// 1. Every token chooses its experts; the choices [N, K], as one list, are sorted by expert.
/// 2. The tokens' rows, in that order, go through their expert's gated MLP, in groups.
/// 3. The rows go back to the order of the choices, are weighted, and added up per token.
Value moeFeedForward(Graph &graph, Value x, const MoeWeights &w, const MoeConfig &c) {
  CallCheck check(graph, "moeFeedForward");
  check.rank(x, "x", 3);
  if (check)
    check.shape(x, "x", {ShapedType::kDynamic, ShapedType::kDynamic, c.hidden});
  if (!check || !check.require(typeOf(x).hasStaticShape(), "expected x of static shape"))
    return {};
  int64_t batch = typeOf(x).getDimSize(0), length = typeOf(x).getDimSize(1),
          tokens = batch * length, k = c.expertsPerToken;
  Value rows = graph.reshape(x, {tokens, c.hidden});
  auto [weights, experts] = routed(graph, rows, w, c);
  Value choices = graph.reshape(experts, {tokens * k});
  Value order = graph.sortOrder(choices);
  Value groups = graph.count(choices, c.experts);
  Value sorted = graph.embedding(rows, graph.quotient(order, k));
  Value down = expertRows(graph, sorted, groups, w, c);
  Value back = graph.embedding(down, graph.sortOrder(order));
  Value weighted = graph.weightedSum(graph.reshape(back, {tokens, k, c.hidden}), weights);
  return graph.reshape(weighted, {batch, length, c.hidden});
}

} // namespace forge::transformer
