// Softmax, layer norm and attention: ours and oneDNN's.
#include "Compiled.h"

using namespace forge::bench;

namespace {

const char *softmaxText = R"(
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<4096xf32>
  %m = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<4096xf32>) -> tensor<4096x1024xf32>
  %d = stablehlo.subtract %x, %m : tensor<4096x1024xf32>
  %e = stablehlo.exponential %d : tensor<4096x1024xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<4096xf32>
  %s = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4096xf32>) -> tensor<4096x1024xf32>
  %r = stablehlo.divide %e, %s : tensor<4096x1024xf32>
  return %r : tensor<4096x1024xf32>
})";

const char *layerNormText = R"(
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<1024.0> : tensor<4096xf32>
  %eps = stablehlo.constant dense<1.0e-05> : tensor<4096xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<4096xf32>
  %mean = stablehlo.divide %sum, %n : tensor<4096xf32>
  %m = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4096xf32>) -> tensor<4096x1024xf32>
  %d = stablehlo.subtract %x, %m : tensor<4096x1024xf32>
  %q = stablehlo.multiply %d, %d : tensor<4096x1024xf32>
  %squares = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<4096xf32>
  %var = stablehlo.divide %squares, %n : tensor<4096xf32>
  %v = stablehlo.add %var, %eps : tensor<4096xf32>
  %r = stablehlo.rsqrt %v : tensor<4096xf32>
  %s = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4096xf32>) -> tensor<4096x1024xf32>
  %y = stablehlo.multiply %d, %s : tensor<4096x1024xf32>
  return %y : tensor<4096x1024xf32>
})";

// 12 heads of 512 positions by 64.
const char *attentionText = R"(
func.func @main(%q: tensor<12x512x64xf32>, %k: tensor<12x512x64xf32>, %v: tensor<12x512x64xf32>) -> tensor<12x512x64xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %scale = stablehlo.constant dense<0.125> : tensor<12x512x512xf32>
  %p = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<12x512x64xf32>, tensor<12x512x64xf32>) -> tensor<12x512x512xf32>
  %x = stablehlo.multiply %p, %scale : tensor<12x512x512xf32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<12x512x512xf32>, tensor<f32>) -> tensor<12x512xf32>
  %m = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<12x512xf32>) -> tensor<12x512x512xf32>
  %d = stablehlo.subtract %x, %m : tensor<12x512x512xf32>
  %e = stablehlo.exponential %d : tensor<12x512x512xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<12x512x512xf32>, tensor<f32>) -> tensor<12x512xf32>
  %s = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<12x512xf32>) -> tensor<12x512x512xf32>
  %w = stablehlo.divide %e, %s : tensor<12x512x512xf32>
  %r = stablehlo.dot_general %w, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<12x512x512xf32>, tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  return %r : tensor<12x512x64xf32>
})";

constexpr int64_t rows = 4096, columns = 1024;

void library(benchmark::State &state, Primitive (*prepare)(int64_t, int64_t, float *, float *)) {
  auto x = filled(rows * columns, 0.5f), y = filled(rows * columns, 0.0f);
  Primitive run = prepare(rows, columns, x.get(), y.get());
  if (!run)
    return state.SkipWithError("oneDNN not found");
  for (auto iteration : state)
    run();
}

/// The three primitives one after the other; the scale is left out.
void libraryAttention(benchmark::State &state) {
  constexpr int64_t heads = 12, length = 512, width = 64;
  auto q = filled(heads * length * width, 0.1f), k = filled(heads * length * width, 0.1f);
  auto v = filled(heads * length * width, 0.1f), out = filled(heads * length * width, 0.0f);
  auto scores = filled(heads * length * length, 0.0f);
  Primitive first =
      oneDnnMatmul(heads, length, length, width, true, false, q.get(), k.get(), scores.get());
  Primitive softmax = oneDnnSoftmax(heads * length, length, scores.get(), scores.get());
  Primitive second =
      oneDnnMatmul(heads, length, width, length, false, false, scores.get(), v.get(), out.get());
  if (!first || !softmax || !second)
    return state.SkipWithError("oneDNN not found");
  for (auto iteration : state) {
    first();
    softmax();
    second();
  }
}

} // namespace

void forge::bench::registerRows() {
  auto add = [](const char *name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name, function, arguments...)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  };
  auto addOurs = [](const char *name, const char *text, double flops) {
    auto compile = [text](std::string &error) { return Compiled::fromText(text, error); };
    registerCompiled(name, std::make_shared<CompiledOnce>(compile), flops);
  };
  addOurs("softmax/4096x1024/forge", softmaxText, 0);
  add("softmax/4096x1024/onednn", library, oneDnnSoftmax);
  addOurs("layer_norm/4096x1024/forge", layerNormText, 0);
  add("layer_norm/4096x1024/onednn", library, oneDnnLayerNorm);
  addOurs("attention/12x512x64/forge", attentionText, 4.0 * 12 * 512 * 512 * 64);
  add("attention/12x512x64/onednn", libraryAttention);
}
