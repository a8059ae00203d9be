// Products of matrices: ours, OpenBLAS's, oneDNN's.
#include "Compiled.h"

using namespace forge::bench;

namespace {

struct Shape {
  int64_t m, n, k;
  std::string name() const {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
  }
  double flops() const { return 2.0 * m * n * k; }
};

std::string moduleText(const Shape &s, const std::string &type) {
  auto tensor = [](int64_t rows, int64_t columns, const std::string &element) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + element + ">";
  };
  std::string a = tensor(s.m, s.k, type), b = tensor(s.k, s.n, type), c = tensor(s.m, s.n, "f32");
  return "func.func @main(%a: " + a + ", %b: " + b + ") -> " + c +
         " {\n  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (" + a + ", " +
         b + ") -> " + c + "\n  return %0 : " + c + "\n}\n";
}

void count(benchmark::State &state, const Shape &shape) {
  state.counters["GFLOP/s"] =
      benchmark::Counter(shape.flops() * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void openBlas(benchmark::State &state, Shape s) {
  auto a = filled(s.m * s.k, 0.5f), b = filled(s.k * s.n, 0.25f), c = filled(s.m * s.n, 0.0f);
  for (auto iteration : state)
    if (!openBlasMatmul(s.m, s.n, s.k, a.get(), b.get(), c.get()))
      return state.SkipWithError("libopenblas.so.0 not found");
  count(state, s);
}

void oneDnn(benchmark::State &state, Shape s, bool bf16) {
  // 0x3e80 is 0.25 in bf16; the bytes serve both types.
  auto a = filled<uint16_t>(2 * s.m * s.k, 0x3e80), b = filled<uint16_t>(2 * s.k * s.n, 0x3e80);
  auto c = filled(s.m * s.n, 0.0f);
  Primitive run = oneDnnMatmul(1, s.m, s.n, s.k, false, bf16, a.get(), b.get(), c.get());
  if (!run)
    return state.SkipWithError("oneDNN not found");
  for (auto iteration : state)
    run();
  count(state, s);
}

} // namespace

void forge::bench::registerMatmul() {
  std::vector<Shape> shapes = {
      {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}, {2048, 2048, 2048}};
  for (int64_t m : {1, 2, 4, 8, 16})
    shapes.push_back({m, 2048, 2048});
  for (const Shape &shape : shapes) {
    for (std::string type : {"f32", "bf16"}) {
      std::string name = "matmul/" + type + "/" + shape.name();
      auto compile = [shape, type](std::string &error) {
        return Compiled::fromText(moduleText(shape, type), error);
      };
      registerCompiled(name + "/forge", std::make_shared<CompiledOnce>(compile), shape.flops());
      if (type == "f32")
        benchmark::RegisterBenchmark((name + "/openblas").c_str(), openBlas, shape)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      benchmark::RegisterBenchmark((name + "/onednn").c_str(), oneDnn, shape, type == "bf16")
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}
