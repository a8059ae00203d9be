// What the peers of the flax modules share: shapes, places of arguments, layers.
#ifndef FORGE_BENCHMARKS_FLAXBLOCK_H
#define FORGE_BENCHMARKS_FLAXBLOCK_H

#include "OneDnnGraph.h"

namespace forge::bench {

struct BlockShape {
  int64_t batch, length, width, heads, hidden;
  bool causal;
  int64_t rows() const { return batch * length; }
  int64_t headWidth() const { return width / heads; }
};

/// A linear layer: the places of its weights [in, out] and its bias among the arguments.
struct Linear {
  size_t bias, weights;
};
/// A norm: the places of its shift and its scale.
struct Norm {
  size_t shift, scale;
};
struct BlockArguments {
  Linear up, down;
  Norm first, second;
  Linear key, out, query, value;
};

/// How flax numbers the arguments of one block of GPT, from `at` on.
BlockArguments gptBlock(size_t at);

/// A function in the making: the graph, and the module's arguments.
struct Builder {
  OneDnnGraph &graph;
  const std::vector<HostTensor> &in;

  dnnl::memory vector(size_t place, int64_t n) { return graph.wrap(in[place], {n}); }
  dnnl::memory row(size_t place, int64_t n) { return graph.wrap(in[place], {1, n}); }
  dnnl::memory weights(size_t place, int64_t k, int64_t n) { return graph.wrap(in[place], {k, n}); }
  dnnl::memory norm(dnnl::memory x, Norm n, OneDnnGraph::Statistics *statistics = nullptr) {
    int64_t width = x.get_desc().dims()[1];
    return graph.norm(x, vector(n.scale, width), vector(n.shift, width), statistics);
  }
  dnnl::memory linear(dnnl::memory x, Linear layer, int64_t n,
                      const dnnl::primitive_attr &attributes = {}, dnnl::memory extra = {}) {
    Dims dims = x.get_desc().dims();
    dnnl::memory y = graph.make({dims[0], n});
    graph.product(x, weights(layer.weights, dims[1], n), row(layer.bias, n), y, attributes, extra);
    return y;
  }
};

/// 0 where a position may be seen, the smallest number where not, for the scores `dims`: [...,
/// queries, keys], the queries turn after turn of `length` positions. Of the full size, since the
/// library adds no smaller one with its fast kernels.
dnnl::memory causalMask(OneDnnGraph &graph, int64_t length, Dims dims);
/// Scaled scores, with the mask, if there is one, added to them.
dnnl::primitive_attr scoring(float scale, const dnnl::memory &mask);

/// The gradients of mean(block(x)^2) to the sixteen parameters of the block, in their order.
std::vector<dnnl::memory> geluBlockGradient(Builder &b);

} // namespace forge::bench

#endif // FORGE_BENCHMARKS_FLAXBLOCK_H
