// flax_block_gelu_grad by hand: a forward pass that keeps what the backward pass needs, and that.
#include "FlaxBlock.h"

#include <algorithm>
#include <cmath>

using namespace dnnl;
using namespace forge::bench;

namespace {

/// The backward steps of layers, and the gradients they leave by place of the argument.
class Gradient {
public:
  Gradient(Builder &b, const BlockShape &s) : b(b), g(b.graph), s(s), results(16) {
    ones = g.make({1, s.rows()});
    std::fill_n(static_cast<float *>(ones.get_data_handle()), s.rows(), 1.0f);
  }

  /// x [rows, n] seen as [n, rows].
  memory turned(memory x) {
    Dims dims = x.get_desc().dims();
    return g.view(x, OneDnnGraph::desc({dims[1], dims[0]}, {1, dims[1]}));
  }

  /// From dy of y = x W + b: dW and db; and dx, with `sum` added if there is one.
  void parameters(Linear layer, memory x, memory dy) {
    int64_t k = x.get_desc().dims()[1], n = dy.get_desc().dims()[1];
    results[layer.weights] = g.make({k, n});
    results[layer.bias] = g.make({1, n});
    g.product(turned(x), dy, {}, results[layer.weights]);
    g.product(ones, dy, {}, results[layer.bias]);
  }
  memory input(Linear layer, int64_t k, memory dy, memory sum = {}) {
    memory dx = g.make({s.rows(), k});
    memory weights = turned(b.weights(layer.weights, k, dy.get_desc().dims()[1]));
    g.product(dy, weights, {}, dx, sum ? combining(algorithm::binary_add, sum) : primitive_attr(),
              sum);
    return dx;
  }

  memory norm(Norm n, memory x, const OneDnnGraph::Statistics &kept, memory dy) {
    auto flags = normalization_flags::use_scale | normalization_flags::use_shift;
    auto d = x.get_desc();
    layer_normalization_forward::primitive_desc forward(
        layer_normalization_forward::desc(prop_kind::forward_training, d, 1e-6f, flags), g.cpu);
    layer_normalization_backward::primitive_desc backward(
        layer_normalization_backward::desc(prop_kind::backward, d, d, 1e-6f, flags), g.cpu,
        forward);
    memory dx = g.make(d.dims());
    results[n.scale] = g.make({s.width});
    results[n.shift] = g.make({s.width});
    g.primitive(layer_normalization_backward(backward),
                {{DNNL_ARG_SRC, x},
                 {DNNL_ARG_MEAN, kept.mean},
                 {DNNL_ARG_VARIANCE, kept.variance},
                 {DNNL_ARG_SCALE, b.vector(n.scale, s.width)},
                 {DNNL_ARG_SHIFT, b.vector(n.shift, s.width)},
                 {DNNL_ARG_DIFF_DST, dy},
                 {DNNL_ARG_DIFF_SRC, dx},
                 {DNNL_ARG_DIFF_SCALE, results[n.scale]},
                 {DNNL_ARG_DIFF_SHIFT, results[n.shift]}});
    return dx;
  }

  memory gelu(memory x, memory dy) {
    auto d = x.get_desc();
    auto kind = algorithm::eltwise_gelu_tanh;
    eltwise_forward::primitive_desc forward(
        eltwise_forward::desc(prop_kind::forward_training, kind, d, 0.0f, 0.0f), g.cpu);
    eltwise_backward::primitive_desc backward(eltwise_backward::desc(kind, d, d, 0.0f, 0.0f), g.cpu,
                                              forward);
    memory dx = g.make(d.dims());
    g.primitive(eltwise_backward(backward),
                {{DNNL_ARG_SRC, x}, {DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_SRC, dx}});
    return dx;
  }

  memory softmax(memory y, memory dy) {
    auto d = y.get_desc();
    softmax_forward::primitive_desc forward(
        softmax_forward::desc(prop_kind::forward_training, d, 3), g.cpu);
    softmax_backward::primitive_desc backward(softmax_backward::desc(d, d, 3), g.cpu, forward);
    memory dx = g.make(d.dims());
    g.primitive(softmax_backward(backward),
                {{DNNL_ARG_DST, y}, {DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_SRC, dx}});
    return dx;
  }

  Builder &b;
  OneDnnGraph &g;
  const BlockShape &s;
  memory ones;
  std::vector<memory> results;
};

/// y = factor x, by an elementwise function.
memory scaled(OneDnnGraph &g, memory x, float factor) {
  memory y = g.make(x.get_desc().dims());
  eltwise_forward::primitive_desc d(eltwise_forward::desc(prop_kind::forward_inference,
                                                          algorithm::eltwise_linear, x.get_desc(),
                                                          factor, 0.0f),
                                    g.cpu);
  g.primitive(eltwise_forward(d), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
  return y;
}

/// x, and what one block keeps of its forward pass.
struct Forward {
  OneDnnGraph::Statistics first, second;
  memory x, y, q, k, v, weights, mixed, h, z, wide, active, result;
};

Forward forwardPass(Builder &b, const BlockShape &s, const BlockArguments &a) {
  OneDnnGraph &g = b.graph;
  auto add = algorithm::binary_add;
  int64_t w = s.width, l = s.length, h = s.headWidth();
  Forward f;
  f.x = b.weights(16, s.rows(), w);
  f.y = b.norm(f.x, a.first, &f.first);
  f.q = b.linear(f.y, a.query, w);
  f.k = b.linear(f.y, a.key, w);
  f.v = b.linear(f.y, a.value, w);
  auto split = OneDnnGraph::desc({s.batch, s.heads, l, h}, {l * w, h, w, 1});
  auto turned = OneDnnGraph::desc({s.batch, s.heads, h, l}, {l * w, h, 1, w});
  Dims square = {s.batch, s.heads, l, l};
  f.weights = g.make(square);
  memory mask = causalMask(g, l, square);
  g.product(g.view(f.q, split), g.view(f.k, turned), {}, f.weights,
            scoring(1.0f / std::sqrt(static_cast<float>(h)), mask), mask);
  g.softmax(f.weights);
  f.mixed = g.make({s.rows(), w});
  g.product(f.weights, g.view(f.v, split), {}, g.view(f.mixed, split));
  f.h = b.linear(f.mixed, a.out, w, combining(add, f.x), f.x);
  f.z = b.norm(f.h, a.second, &f.second);
  f.wide = b.linear(f.z, a.up, s.hidden);
  f.active = g.make({s.rows(), s.hidden});
  eltwise_forward::primitive_desc d(eltwise_forward::desc(prop_kind::forward_training,
                                                          algorithm::eltwise_gelu_tanh,
                                                          f.wide.get_desc(), 0.0f, 0.0f),
                                    g.cpu);
  g.primitive(eltwise_forward(d), {{DNNL_ARG_SRC, f.wide}, {DNNL_ARG_DST, f.active}});
  f.result = b.linear(f.active, a.down, w, combining(add, f.h), f.h);
  return f;
}

/// dq, dk and dv from the gradient of the mixed values.
struct AttentionGradient {
  memory q, k, v;
};

AttentionGradient attentionGradient(Gradient &d, const Forward &f, memory dMixed) {
  const BlockShape &s = d.s;
  int64_t w = s.width, l = s.length, h = s.headWidth();
  auto split = OneDnnGraph::desc({s.batch, s.heads, l, h}, {l * w, h, w, 1});
  auto turned = OneDnnGraph::desc({s.batch, s.heads, h, l}, {l * w, h, 1, w});
  auto turnedSquare = OneDnnGraph::desc({s.batch, s.heads, l, l}, {s.heads * l * l, l * l, 1, l});
  Dims rows = {s.rows(), w};
  AttentionGradient grad{d.g.make(rows), d.g.make(rows), d.g.make(rows)};
  memory dWeights = d.g.make(f.weights.get_desc().dims());
  d.g.product(d.g.view(f.weights, turnedSquare), d.g.view(dMixed, split), {},
              d.g.view(grad.v, split));
  d.g.product(d.g.view(dMixed, split), d.g.view(f.v, turned), {}, dWeights);
  // What the mask hides has weight 0, and so gradient 0.
  memory dScores = d.softmax(f.weights, dWeights);
  primitive_attr scale = scoring(1.0f / std::sqrt(static_cast<float>(h)), {});
  d.g.product(dScores, d.g.view(f.k, split), {}, d.g.view(grad.q, split), scale);
  d.g.product(d.g.view(dScores, turnedSquare), d.g.view(f.q, split), {}, d.g.view(grad.k, split),
              scale);
  return grad;
}

} // namespace

std::vector<memory> forge::bench::geluBlockGradient(Builder &b) {
  static const BlockShape s{2, 16, 64, 4, 256, true};
  BlockArguments a = gptBlock(0);
  Forward f = forwardPass(b, s, a);
  Gradient d(b, s);
  // 1. The mean of squares, and the feed-forward part.
  memory dy = scaled(b.graph, f.result, 2.0f / static_cast<float>(s.rows() * s.width));
  d.parameters(a.down, f.active, dy);
  memory dWide = d.gelu(f.wide, d.input(a.down, s.hidden, dy));
  d.parameters(a.up, f.z, dWide);
  memory dh = d.norm(a.second, f.h, f.second, d.input(a.up, s.width, dWide));
  b.graph.binary(algorithm::binary_add, dh, dy, dh);
  // 2. Attention.
  d.parameters(a.out, f.mixed, dh);
  AttentionGradient grad = attentionGradient(d, f, d.input(a.out, s.width, dh));
  d.parameters(a.query, f.y, grad.q);
  d.parameters(a.key, f.y, grad.k);
  d.parameters(a.value, f.y, grad.v);
  memory sum = d.input(a.query, s.width, grad.q);
  sum = d.input(a.key, s.width, grad.k, sum);
  sum = d.input(a.value, s.width, grad.v, sum);
  d.norm(a.first, f.x, f.first, sum);
  return d.results;
}
