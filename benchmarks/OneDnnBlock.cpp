// The flax block `flax_block_gelu`, put together from oneDNN's primitives by hand: what a library
// user would write for it. The arguments are those of the module, in its order.
#include "Compiled.h"

#ifdef FORGE_HAVE_DNNL
#include <oneapi/dnnl/dnnl.hpp>

#include <limits>

using namespace dnnl;

namespace {

constexpr int64_t batch = 2, length = 16, width = 64, heads = 4, headWidth = 16, hidden = 256;
constexpr int64_t rows = batch * length;
using Dims = memory::dims;
using Arguments = std::unordered_map<int, memory>;

/// Memory, primitives and what they read, in the order of execution.
struct Block {
  engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  std::vector<std::pair<primitive, Arguments>> steps;

  static memory::desc desc(Dims dims, Dims strides) {
    return memory::desc(dims, memory::data_type::f32, strides);
  }
  static memory::desc matrix(int64_t m, int64_t n) { return desc({m, n}, {n, 1}); }
  memory make(const memory::desc &d) { return memory(d, cpu); }
  /// A module's argument, which the library only reads.
  memory wrap(const memory::desc &d, const forge::HostTensor &tensor) {
    return memory(d, cpu, const_cast<void *>(tensor.data()));
  }

  memory norm(memory x, memory scale, memory shift) {
    memory y = make(matrix(rows, width));
    auto flags = normalization_flags::use_scale | normalization_flags::use_shift;
    layer_normalization_forward::primitive_desc d(
        layer_normalization_forward::desc(prop_kind::forward_inference, x.get_desc(), 1e-6f, flags),
        cpu);
    steps.push_back(
        {layer_normalization_forward(d),
         {{DNNL_ARG_SRC, x}, {DNNL_ARG_SCALE, scale}, {DNNL_ARG_SHIFT, shift}, {DNNL_ARG_DST, y}}});
    return y;
  }

  /// a b + bias, with what `post` says after it; `extra` is the operand of a binary post-op.
  void product(memory a, memory b, memory bias, memory c, const primitive_attr &attributes,
               memory extra) {
    auto form = bias ? matmul::desc(a.get_desc(), b.get_desc(), bias.get_desc(), c.get_desc())
                     : matmul::desc(a.get_desc(), b.get_desc(), c.get_desc());
    matmul::primitive_desc d(form, attributes, cpu);
    Arguments arguments = {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
    if (bias)
      arguments.insert({DNNL_ARG_BIAS, bias});
    if (extra)
      arguments.insert({DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, extra});
    steps.push_back({matmul(d), arguments});
  }

  void softmax(memory x) {
    softmax_forward::primitive_desc d(
        softmax_forward::desc(prop_kind::forward_inference, x.get_desc(), 3), cpu);
    steps.push_back({softmax_forward(d), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, x}}});
  }

  /// The same memory under another description.
  memory as(memory m, const memory::desc &d) { return memory(d, cpu, m.get_data_handle()); }

  void run() {
    for (auto &[step, arguments] : steps)
      step.execute(queue, arguments);
    queue.wait();
  }
};

primitive_attr adding(const memory &other) {
  post_ops ops;
  ops.append_binary(algorithm::binary_add, other.get_desc());
  primitive_attr attributes;
  attributes.set_post_ops(ops);
  return attributes;
}

primitive_attr gelu() {
  post_ops ops;
  ops.append_eltwise(1.0f, algorithm::eltwise_gelu_tanh, 0.0f, 0.0f);
  primitive_attr attributes;
  attributes.set_post_ops(ops);
  return attributes;
}

/// 0 where a position may be seen, the smallest number where not.
memory causalMask(Block &block) {
  memory mask = block.make(
      Block::desc({1, 1, length, length}, {length * length, length * length, length, 1}));
  auto *values = static_cast<float *>(mask.get_data_handle());
  for (int64_t q = 0; q < length; ++q)
    for (int64_t k = 0; k < length; ++k)
      values[q * length + k] = k <= q ? 0.0f : std::numeric_limits<float>::lowest();
  return mask;
}

} // namespace

forge::bench::Primitive forge::bench::oneDnnGeluBlock(const std::vector<HostTensor> &in,
                                                      std::vector<float> &out) {
  auto block = std::make_shared<Block>();
  Block &b = *block;
  auto vector = [&](size_t i, int64_t n) { return b.wrap(Block::desc({n}, {1}), in[i]); };
  auto bias = [&](size_t i, int64_t n) { return b.wrap(Block::matrix(1, n), in[i]); };
  auto weights = [&](size_t i, int64_t k, int64_t n) { return b.wrap(Block::matrix(k, n), in[i]); };
  memory x = weights(16, rows, width), none;
  // 1. Queries, keys and values of the normalised input.
  memory y = b.norm(x, vector(5, width), vector(4, width));
  memory q = b.make(Block::matrix(rows, width)), k = b.make(Block::matrix(rows, width));
  memory v = b.make(Block::matrix(rows, width));
  b.product(y, weights(13, width, width), bias(12, width), q, {}, none);
  b.product(y, weights(9, width, width), bias(8, width), k, {}, none);
  b.product(y, weights(15, width, width), bias(14, width), v, {}, none);
  // 2. Attention over [batch, heads, length, head width], read in place.
  Dims perHead = {batch, heads, length, headWidth};
  memory::desc split = Block::desc(perHead, {length * width, headWidth, width, 1});
  memory::desc turned =
      Block::desc({batch, heads, headWidth, length}, {length * width, headWidth, 1, width});
  memory scores = b.make(Block::desc({batch, heads, length, length},
                                     {heads * length * length, length * length, length, 1}));
  memory mask = causalMask(b);
  primitive_attr scaled = adding(mask);
  scaled.set_output_scales(0, {0.25f}); // one over the square root of the head width
  b.product(b.as(q, split), b.as(k, turned), none, scores, scaled, mask);
  b.softmax(scores);
  memory mixed = b.make(Block::matrix(rows, width));
  b.product(scores, b.as(v, split), none, b.as(mixed, split), {}, none);
  memory h = b.make(Block::matrix(rows, width));
  b.product(mixed, weights(11, width, width), bias(10, width), h, adding(x), x);
  // 3. The feed-forward part.
  memory z = b.norm(h, vector(7, width), vector(6, width));
  memory wide = b.make(Block::matrix(rows, hidden));
  b.product(z, weights(1, width, hidden), bias(0, hidden), wide, gelu(), none);
  out.assign(rows * width, 0.0f);
  memory result(Block::matrix(rows, width), b.cpu, out.data());
  b.product(wide, weights(3, hidden, width), bias(2, width), result, adding(h), h);
  return [block] { block->run(); };
}
#else
forge::bench::Primitive forge::bench::oneDnnGeluBlock(const std::vector<HostTensor> &,
                                                      std::vector<float> &) {
  return {};
}
#endif
