// The flax modules among the real ones, by hand from oneDNN's primitives. The arguments are those
// of each module, in its order; which is which was read from its text.
#include "Compiled.h"

#ifdef FORGE_HAVE_DNNL
#include "FlaxBlock.h"

#include <cmath>
#include <limits>

using namespace dnnl;
using namespace forge::bench;

BlockArguments forge::bench::gptBlock(size_t at) {
  return {{at, at + 1},     {at + 2, at + 3},   {at + 4, at + 5},   {at + 6, at + 7},
          {at + 8, at + 9}, {at + 10, at + 11}, {at + 12, at + 13}, {at + 14, at + 15}};
}

memory forge::bench::causalMask(OneDnnGraph &graph, int64_t length, Dims dims) {
  memory mask = graph.make(dims);
  auto *values = static_cast<float *>(mask.get_data_handle());
  int64_t keys = dims.back(), queries = 1;
  for (int64_t size : dims)
    queries *= size;
  queries /= keys;
  for (int64_t q = 0; q < queries; ++q)
    for (int64_t k = 0; k < keys; ++k)
      values[q * keys + k] = k <= q % length ? 0.0f : std::numeric_limits<float>::lowest();
  return mask;
}

primitive_attr forge::bench::scoring(float scale, const memory &mask) {
  primitive_attr attributes = mask ? combining(algorithm::binary_add, mask) : primitive_attr();
  attributes.set_output_scales(0, {scale});
  return attributes;
}

namespace {

/// softmax(q k^T / sqrt(head width) + mask) v; heads lie side by side in rows of q, k, v and of the
/// result.
memory attention(OneDnnGraph &graph, const BlockShape &s, memory q, memory k, memory v) {
  int64_t w = s.width, l = s.length, h = s.headWidth();
  Dims perHead = {s.batch, s.heads, l, h};
  auto split = OneDnnGraph::desc(perHead, {l * w, h, w, 1});
  auto turned = OneDnnGraph::desc({s.batch, s.heads, h, l}, {l * w, h, 1, w});
  memory scores = graph.make({s.batch, s.heads, l, l});
  memory mask = s.causal ? causalMask(graph, l, {s.batch, s.heads, l, l}) : memory();
  auto scaled = scoring(1.0f / std::sqrt(static_cast<float>(h)), mask);
  graph.product(graph.view(q, split), graph.view(k, turned), {}, scores, scaled, mask);
  graph.softmax(scores);
  memory mixed = graph.make({s.rows(), w});
  graph.product(scores, graph.view(v, split), {}, graph.view(mixed, split));
  return mixed;
}

/// x + attention(norm(x)), then h + down(gelu(up(norm(h)))).
memory encoderBlock(Builder &b, const BlockShape &s, const BlockArguments &a, memory x) {
  auto add = algorithm::binary_add;
  memory y = b.norm(x, a.first);
  memory q = b.linear(y, a.query, s.width), k = b.linear(y, a.key, s.width);
  memory v = b.linear(y, a.value, s.width);
  memory mixed = attention(b.graph, s, q, k, v);
  memory h = b.linear(mixed, a.out, s.width, combining(add, x), x);
  memory z = b.norm(h, a.second);
  memory wide = b.linear(z, a.up, s.hidden, applying(algorithm::eltwise_gelu_tanh));
  return b.linear(wide, a.down, s.width, combining(add, h), h);
}

memory geluBlock(Builder &b) {
  BlockShape shape{2, 16, 64, 4, 256, true};
  return encoderBlock(b, shape, gptBlock(0), b.weights(16, shape.rows(), shape.width));
}

/// Embeddings of tokens and of positions, two blocks, and the embedding again as the last layer.
memory gpt(Builder &b) {
  BlockShape s{2, 32, 64, 4, 256, true};
  constexpr int64_t vocabulary = 97;
  memory x = b.graph.make({s.rows(), s.width});
  const auto *tokens = b.in[36].dataAs<int32_t>();
  const auto *words = b.in[32].dataAs<float>(), *places = b.in[33].dataAs<float>();
  auto *rows = static_cast<float *>(x.get_data_handle());
  b.graph.byHand([=] {
    for (int64_t r = 0; r < s.rows(); ++r)
      for (int64_t c = 0; c < s.width; ++c)
        rows[r * s.width + c] = words[tokens[r] * s.width + c] + places[r % s.length * s.width + c];
  });
  for (size_t layer : {0, 1})
    x = encoderBlock(b, s, gptBlock(16 * layer), x);
  x = b.norm(x, {34, 35});
  memory logits = b.graph.make({s.rows(), vocabulary});
  memory turned = b.graph.view(b.weights(32, vocabulary, s.width),
                               OneDnnGraph::desc({s.width, vocabulary}, {1, s.width}));
  b.graph.product(x, turned, {}, logits);
  return logits;
}

/// Patches by a convolution, positions, two blocks, the mean over positions, a linear layer.
memory visionTransformer(Builder &b) {
  BlockShape s{2, 16, 32, 2, 64, false};
  constexpr int64_t image = 16, patch = 4, side = image / patch, channels = 3, classes = 10;
  auto type = memory::data_type::f32;
  auto desc = [&](Dims dims, memory::format_tag tag) { return memory::desc(dims, type, tag); };
  auto pixels = desc({s.batch, channels, image, image}, memory::format_tag::nhwc);
  auto kernel = desc({s.width, channels, patch, patch}, memory::format_tag::hwio);
  auto patches = desc({s.batch, s.width, side, side}, memory::format_tag::nhwc);
  convolution_forward::primitive_desc d(
      convolution_forward::desc(prop_kind::forward_inference, algorithm::convolution_direct, pixels,
                                kernel, desc({s.width}, memory::format_tag::a), patches,
                                {patch, patch}, {0, 0}, {0, 0}),
      b.graph.cpu);
  Dims rows = {s.rows(), s.width}, perImage = {s.batch, s.length, s.width};
  memory x = b.graph.make(rows);
  b.graph.primitive(convolution_forward(d),
                    {{DNNL_ARG_SRC, b.graph.view(b.vector(37, 1), pixels)},
                     {DNNL_ARG_WEIGHTS, b.graph.view(b.vector(1, 1), kernel)},
                     {DNNL_ARG_BIAS, b.vector(0, s.width)},
                     {DNNL_ARG_DST, b.graph.view(x, patches)}});
  memory images = b.graph.view(x, OneDnnGraph::dense(perImage));
  b.graph.binary(algorithm::binary_add, images, b.graph.wrap(b.in[36], {1, s.length, s.width}),
                 images);
  x = encoderBlock(b, s,
                   {{4, 5}, {2, 3}, {12, 13}, {14, 15}, {20, 21}, {22, 23}, {24, 25}, {26, 27}}, x);
  x = encoderBlock(b, s,
                   {{8, 9}, {6, 7}, {16, 17}, {18, 19}, {28, 29}, {30, 31}, {32, 33}, {34, 35}}, x);
  // The mean as a product: the library's reduction is slow.
  memory mean = b.graph.make({s.batch, 1, s.width}), share = b.graph.make({s.batch, 1, s.length});
  std::fill_n(static_cast<float *>(share.get_data_handle()), s.batch * s.length,
              1.0f / static_cast<float>(s.length));
  b.graph.product(share, b.graph.view(x, OneDnnGraph::dense(perImage)), {}, mean);
  return b.linear(b.graph.view(mean, OneDnnGraph::dense({s.batch, s.width})), {10, 11}, classes);
}

/// Turns the two halves of each head of `x` [batch * length, heads * width] by its position's
/// angles, into `y` [batch, heads, length, width]: the library has no such primitive.
void rotate(OneDnnGraph &graph, memory x, memory y, int64_t length, int64_t heads, int64_t width) {
  int64_t half = width / 2, rows = x.get_desc().dims()[0];
  std::vector<float> cosines, sines;
  for (int64_t p = 0; p < length; ++p)
    for (int64_t i = 0; i < half; ++i) {
      double frequency = std::pow(10000.0, -2.0 * i / width);
      cosines.push_back(static_cast<float>(std::cos(p * frequency)));
      sines.push_back(static_cast<float>(std::sin(p * frequency)));
    }
  const auto *from = static_cast<const float *>(x.get_data_handle());
  auto *to = static_cast<float *>(y.get_data_handle());
  graph.byHand([=] {
    for (int64_t r = 0; r < rows; ++r) {
      int64_t image = r / length, p = r % length;
      const float *c = &cosines[p * half], *s = &sines[p * half];
      for (int64_t h = 0; h < heads; ++h) {
        const float *in = from + (r * heads + h) * width;
        float *out = to + ((image * heads + h) * length + p) * width;
        for (int64_t i = 0; i < half; ++i) {
          out[i] = in[i] * c[i] - in[i + half] * s[i];
          out[i + half] = in[i + half] * c[i] + in[i] * s[i];
        }
      }
    }
  });
}

/// Grouped-query attention with rotary positions, and a gated feed-forward part.
memory llamaBlock(Builder &b) {
  constexpr int64_t batch = 2, l = 20, width = 64, keyHeads = 2, group = 4, h = 8, hidden = 160;
  constexpr int64_t rows = batch * l, keyWidth = keyHeads * h;
  OneDnnGraph &g = b.graph;
  memory x = b.weights(9, rows, width);
  memory y = g.rmsNorm(x, b.row(7, width));
  memory q = g.make({rows, width}), k = g.make({rows, keyWidth}), v = g.make({rows, keyWidth});
  g.product(y, b.weights(0, width, width), {}, q);
  g.product(y, b.weights(1, width, keyWidth), {}, k);
  g.product(y, b.weights(2, width, keyWidth), {}, v);
  // Heads that share keys lie one after the other: their queries are rows of one product.
  constexpr int64_t queries = group * l;
  memory turnedQ = g.make({batch, keyHeads, queries, h}), turnedK = g.make({batch, keyHeads, l, h});
  rotate(g, q, turnedQ, l, keyHeads * group, h);
  rotate(g, k, turnedK, l, keyHeads, h);
  auto keys = OneDnnGraph::desc({batch, keyHeads, h, l}, {l * keyWidth, l * h, 1, h});
  auto values = OneDnnGraph::desc({batch, keyHeads, l, h}, {l * keyWidth, h, keyWidth, 1});
  memory scores = g.make({batch, keyHeads, queries, l});
  memory mask = causalMask(g, l, {batch, keyHeads, queries, l});
  g.product(turnedQ, g.view(turnedK, keys), {}, scores,
            scoring(1.0f / std::sqrt(static_cast<float>(h)), mask), mask);
  g.softmax(scores);
  memory perHead = g.make({batch, keyHeads, queries, h}), mixed = g.make({rows, width});
  memory out = g.make({rows, width});
  g.product(scores, g.view(v, values), {}, perHead);
  Dims heads = {batch, keyHeads * group, l, h};
  g.reorder(g.view(perHead, OneDnnGraph::dense(heads)),
            g.view(mixed, OneDnnGraph::desc(heads, {l * width, h, width, 1})));
  g.product(mixed, b.weights(3, width, width), {}, out, combining(algorithm::binary_add, x), x);
  memory z = g.rmsNorm(out, b.row(8, width));
  memory gate = g.make({rows, hidden}), up = g.make({rows, hidden}), y2 = g.make({rows, width});
  g.product(z, b.weights(5, width, hidden), {}, gate, applying(algorithm::eltwise_swish, 1.0f));
  g.product(z, b.weights(6, width, hidden), {}, up, combining(algorithm::binary_mul, gate), gate);
  g.product(up, b.weights(4, hidden, width), {}, y2, combining(algorithm::binary_add, out), out);
  return y2;
}

using Build = memory (*)(Builder &);

Build builderOf(const std::string &module) {
  if (module == "flax_block_gelu")
    return geluBlock;
  if (module == "flax_gpt_2l")
    return gpt;
  if (module == "flax_vit")
    return visionTransformer;
  if (module == "flax_llama_block")
    return llamaBlock;
  return nullptr;
}

} // namespace

bool forge::bench::hasPeer(const std::string &module) {
  return module == "flax_block_gelu_grad" || builderOf(module);
}

Peer forge::bench::oneDnnPeer(const std::string &module, const std::vector<HostTensor> &in) {
  auto graph = std::make_shared<OneDnnGraph>();
  Builder builder{*graph, in};
  std::vector<memory> results = module == "flax_block_gelu_grad"
                                    ? geluBlockGradient(builder)
                                    : std::vector<memory>{builderOf(module)(builder)};
  return {[graph] { graph->run(); },
          [graph, results] {
            std::vector<std::vector<float>> all;
            for (const memory &result : results) {
              auto *values = static_cast<const float *>(result.get_data_handle());
              all.emplace_back(values, values + result.get_desc().get_size() / sizeof(float));
            }
            return all;
          }};
}
#else
bool forge::bench::hasPeer(const std::string &) { return false; }
forge::bench::Peer forge::bench::oneDnnPeer(const std::string &, const std::vector<HostTensor> &) {
  return {};
}
#endif
