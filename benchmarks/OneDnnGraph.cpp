#include "OneDnnGraph.h"

#include <cmath>

using namespace dnnl;
using namespace forge::bench;

memory::desc OneDnnGraph::desc(Dims dims, Dims strides) {
  return memory::desc(dims, memory::data_type::f32, strides);
}

memory::desc OneDnnGraph::dense(Dims dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * dims[i + 1];
  return desc(dims, strides);
}

memory OneDnnGraph::make(Dims dims) {
  kept.push_back(memory(dense(dims), cpu));
  return kept.back();
}

memory OneDnnGraph::wrap(const HostTensor &tensor, Dims dims) {
  return memory(dense(dims), cpu, const_cast<void *>(tensor.data()));
}

memory OneDnnGraph::view(const memory &m, const memory::desc &d, int64_t offset) {
  return memory(d, cpu, static_cast<float *>(m.get_data_handle()) + offset);
}

void OneDnnGraph::primitive(dnnl::primitive step, std::unordered_map<int, memory> arguments) {
  steps.push_back([this, step, arguments] { step.execute(queue, arguments); });
}

void OneDnnGraph::byHand(std::function<void()> step) {
  steps.push_back([this, step] {
    queue.wait();
    step();
  });
}

void OneDnnGraph::run() {
  for (auto &step : steps)
    step();
  queue.wait();
}

memory OneDnnGraph::norm(memory x, memory scale, memory shift, Statistics *statistics) {
  memory y = make(x.get_desc().dims());
  auto flags = normalization_flags::use_scale | normalization_flags::use_shift;
  auto kind = statistics ? prop_kind::forward_training : prop_kind::forward_inference;
  layer_normalization_forward::primitive_desc d(
      layer_normalization_forward::desc(kind, x.get_desc(), 1e-6f, flags), cpu);
  std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, x}, {DNNL_ARG_SCALE, scale}, {DNNL_ARG_SHIFT, shift}, {DNNL_ARG_DST, y}};
  if (statistics) {
    *statistics = {memory(d.mean_desc(), cpu), memory(d.variance_desc(), cpu)};
    arguments.insert({DNNL_ARG_MEAN, statistics->mean});
    arguments.insert({DNNL_ARG_VARIANCE, statistics->variance});
  }
  primitive(layer_normalization_forward(d), arguments);
  return y;
}

memory OneDnnGraph::rmsNorm(memory x, memory scale) {
  constexpr int64_t lanes = 16;
  Dims dims = x.get_desc().dims();
  int64_t rows = dims[0], n = dims[1];
  memory y = make(dims);
  const auto *from = static_cast<const float *>(x.get_data_handle());
  const auto *factors = static_cast<const float *>(scale.get_data_handle());
  auto *to = static_cast<float *>(y.get_data_handle());
  // Sums side by side, which the C++ compiler makes vectors of.
  byHand([=] {
    for (int64_t r = 0; r < rows; ++r) {
      const float *in = from + r * n;
      float partial[lanes] = {}, sum = 0;
      for (int64_t i = 0; i + lanes <= n; i += lanes)
        for (int64_t lane = 0; lane < lanes; ++lane)
          partial[lane] += in[i + lane] * in[i + lane];
      for (float part : partial)
        sum += part;
      for (int64_t i = n / lanes * lanes; i < n; ++i)
        sum += in[i] * in[i];
      float factor = 1.0f / std::sqrt(sum / static_cast<float>(n) + 1e-6f);
      for (int64_t i = 0; i < n; ++i)
        to[r * n + i] = in[i] * factor * factors[i];
    }
  });
  return y;
}

void OneDnnGraph::product(memory a, memory b, memory bias, memory c,
                          const primitive_attr &attributes, memory extra) {
  auto form = bias ? matmul::desc(a.get_desc(), b.get_desc(), bias.get_desc(), c.get_desc())
                   : matmul::desc(a.get_desc(), b.get_desc(), c.get_desc());
  matmul::primitive_desc d(form, attributes, cpu);
  std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
  if (bias)
    arguments.insert({DNNL_ARG_BIAS, bias});
  if (extra)
    arguments.insert({DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, extra});
  primitive(matmul(d), arguments);
}

void OneDnnGraph::softmax(memory x) {
  int last = static_cast<int>(x.get_desc().dims().size()) - 1;
  softmax_forward::primitive_desc d(
      softmax_forward::desc(prop_kind::forward_inference, x.get_desc(), last), cpu);
  primitive(softmax_forward(d), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, x}});
}

void OneDnnGraph::binary(algorithm kind, memory a, memory b, memory y) {
  dnnl::binary::primitive_desc d(dnnl::binary::desc(kind, a.get_desc(), b.get_desc(), y.get_desc()),
                                 cpu);
  primitive(dnnl::binary(d), {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, y}});
}

void OneDnnGraph::reorder(memory from, memory to) {
  dnnl::reorder::primitive_desc d(from, to);
  primitive(dnnl::reorder(d), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

primitive_attr forge::bench::combining(algorithm kind, const memory &other) {
  post_ops ops;
  ops.append_binary(kind, other.get_desc());
  primitive_attr attributes;
  attributes.set_post_ops(ops);
  return attributes;
}

primitive_attr forge::bench::applying(algorithm kind, float alpha, float beta) {
  post_ops ops;
  ops.append_eltwise(1.0f, kind, alpha, beta);
  primitive_attr attributes;
  attributes.set_post_ops(ops);
  return attributes;
}
