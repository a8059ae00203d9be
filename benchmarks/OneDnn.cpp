#include "Compiled.h"

#ifdef FORGE_HAVE_DNNL
#include <oneapi/dnnl/dnnl.hpp>

using namespace dnnl;

static engine &cpu() {
  static engine instance(engine::kind::cpu, 0);
  return instance;
}

static forge::bench::Primitive bind(primitive p, std::unordered_map<int, memory> arguments) {
  return [p, arguments] {
    static stream queue(cpu());
    p.execute(queue, arguments);
    queue.wait();
  };
}

forge::bench::Primitive forge::bench::oneDnnMatmul(int64_t batch, int64_t m, int64_t n, int64_t k,
                                                   bool transposeB, bool bf16, void *a, void *b,
                                                   void *c) {
  auto type = bf16 ? memory::data_type::bf16 : memory::data_type::f32;
  using tag = memory::format_tag;
  memory::desc descA({batch, m, k}, type, tag::abc);
  memory::desc descB({batch, k, n}, type, transposeB ? tag::acb : tag::abc);
  memory::desc descC({batch, m, n}, memory::data_type::f32, tag::abc);
  try {
    matmul::primitive_desc primitive(matmul::desc(descA, descB, descC), cpu());
    return bind(matmul(primitive), {{DNNL_ARG_SRC, memory(descA, cpu(), a)},
                                    {DNNL_ARG_WEIGHTS, memory(descB, cpu(), b)},
                                    {DNNL_ARG_DST, memory(descC, cpu(), c)}});
  } catch (const dnnl::error &) {
    return {};
  }
}

forge::bench::Primitive forge::bench::oneDnnSoftmax(int64_t rows, int64_t columns, float *x,
                                                    float *y) {
  memory::desc desc({rows, columns}, memory::data_type::f32, memory::format_tag::ab);
  softmax_forward::primitive_desc primitive(
      softmax_forward::desc(prop_kind::forward_inference, desc, 1), cpu());
  return bind(softmax_forward(primitive),
              {{DNNL_ARG_SRC, memory(desc, cpu(), x)}, {DNNL_ARG_DST, memory(desc, cpu(), y)}});
}

forge::bench::Primitive forge::bench::oneDnnLayerNorm(int64_t rows, int64_t columns, float *x,
                                                      float *y) {
  memory::desc desc({rows, columns}, memory::data_type::f32, memory::format_tag::ab);
  layer_normalization_forward::primitive_desc primitive(
      layer_normalization_forward::desc(prop_kind::forward_inference, desc, 1e-5f,
                                        normalization_flags::none),
      cpu());
  return bind(layer_normalization_forward(primitive),
              {{DNNL_ARG_SRC, memory(desc, cpu(), x)}, {DNNL_ARG_DST, memory(desc, cpu(), y)}});
}
#else
forge::bench::Primitive forge::bench::oneDnnMatmul(int64_t, int64_t, int64_t, int64_t, bool, bool,
                                                   void *, void *, void *) {
  return {};
}
forge::bench::Primitive forge::bench::oneDnnSoftmax(int64_t, int64_t, float *, float *) {
  return {};
}
forge::bench::Primitive forge::bench::oneDnnLayerNorm(int64_t, int64_t, float *, float *) {
  return {};
}
#endif
