// Property: products of tiles in registers, by each matrix instruction and by fma, are equal bit
// for bit as threads of the simulated chip and in the naive form: factors are small integers, whose
// products and sums are exact.
#include "CompileText.h"

#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "../Dialect/Tile/RandomLayout.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using forge::tile::LayoutAttr;

namespace {

/// [m, n] += [m, k] [n, k] on one block.
struct Product {
  std::string name, chip, kind, element, sum;
  int64_t m, n, k;
  LayoutAttr left, right, accumulator;
  /// The factors are [k, m] and [k, n].
  bool isTransposed = false;
};

/// Warps along rows, then along columns.
LayoutAttr withWarps(LayoutAttr layout, llvm::ArrayRef<int8_t> dims) {
  return tile::addWarps(layout, dims);
}

constexpr int8_t kNone = tile::LayoutEntry::kReplicated;

std::vector<Product> products() {
  mlir::MLIRContext *context = &tileContext();
  std::vector<Product> list;
  for (const char *element : {"bf16", "f16"}) {
    LayoutAttr left = tile::mmaLeft(context, 16), right = tile::mmaRight(context, 16),
               sums = tile::mmaAccumulator(context);
    for (const char *chip : {"sm_80", "sm_90a"})
      list.push_back({"mma", chip, "mma<16x8x16>", element, "f32", 64, 48, 32,
                      withWarps(left, {0, kNone}), withWarps(right, {kNone, 0}),
                      withWarps(sums, {0, 1})});
    for (const char *chip : {"gfx90a", "gfx942"}) {
      for (unsigned rows : {32u, 16u}) {
        std::string kind = rows == 32 ? "mfma<32x32x8>" : "mfma<16x16x16>";
        LayoutAttr factor = tile::mfmaFactor(context, rows, 16);
        list.push_back({"mfma" + std::to_string(rows), chip, kind, element, "f32", 64, 96, 48,
                        withWarps(factor, {0}), withWarps(factor, {kNone}),
                        withWarps(tile::mfmaAccumulator(context, rows), {0})});
      }
    }
    LayoutAttr factor = tile::wmmaFactor(context);
    list.push_back({"wmma", "gfx1100", "wmma<16x16x16>", element, "f32", 32, 64, 32,
                    withWarps(factor, {kNone, 0}), withWarps(factor, {0, kNone}),
                    withWarps(tile::wmmaAccumulator(context), {1, 0})});
  }
  // Both factors transposed: in the instruction's layout with the dimensions exchanged.
  for (size_t i = 0, count = list.size(); i < count; ++i) {
    Product product = list[i];
    product.name += " transposed";
    product.isTransposed = true;
    product.left = product.left.swapDimensions();
    product.right = product.right.swapDimensions();
    list.push_back(product);
  }
  for (auto [element, sum] :
       {std::pair("f32", "f32"), std::pair("bf16", "f32"), std::pair("f64", "f64"),
        std::pair("i32", "i32"), std::pair("i8", "i32")}) {
    LayoutAttr sums = tile::rowBlocked(context, {16, 64}, 4, 32, 2);
    auto factorOf = [&](int8_t dim) {
      llvm::SmallVector<tile::LayoutEntry> reg;
      for (tile::LayoutEntry entry : sums.getReg())
        if (entry.dim == dim)
          reg.push_back({0, entry.bit});
      return LayoutAttr::get(context, 2, reg, tile::factorEntries(sums.getLane(), dim),
                             tile::factorEntries(sums.getWarp(), dim));
    };
    list.push_back({std::string("fma") + element, "sm_80", "fma", element, sum, 16, 64, 12,
                    factorOf(0), factorOf(1), sums});
  }
  return list;
}

std::string textOf(const Product &it) {
  auto sizes = [](int64_t a, int64_t b) {
    return std::to_string(a) + "x" + std::to_string(b) + "x";
  };
  auto factor = [&](int64_t rows) {
    return (it.isTransposed ? sizes(it.k, rows) : sizes(rows, it.k)) + it.element;
  };
  std::string a = factor(it.m), b = factor(it.n), c = sizes(it.m, it.n) + it.sum;
  auto tile = [](const std::string &type, LayoutAttr layout) {
    return "tensor<" + type + ", " + toString(layout) + ">";
  };
  std::string types = "memref<" + a + ">, memref<" + b + ">, memref<" + c + ">";
  std::string left = tile(a, it.left), right = tile(b, it.right), sums = tile(c, it.accumulator);
  return "func.func private @kernel(%a: memref<" + a + ">, %b: memref<" + b + ">, %c: memref<" + c +
         ">, %out: memref<" + c +
         ">) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = " +
         std::to_string(it.accumulator.getWarps()) + "} {\n  %zero = arith.constant 0 : index\n" +
         "  %l = tile.load %a[%zero, %zero] : memref<" + a + "> -> " + left +
         "\n  %r = tile.load %b[%zero, %zero] : memref<" + b + "> -> " + right +
         "\n  %s = tile.load %c[%zero, %zero] : memref<" + c + "> -> " + sums +
         "\n  %d = tile.dot " + it.kind + " %l" + (it.isTransposed ? " transposed" : "") + ", %r" +
         (it.isTransposed ? " transposed" : "") + ", %s : " + left + ", " + right + ", " + sums +
         "\n  tile.store %d, %out[%zero, %zero] : " + sums + ", memref<" + c +
         ">\n  return\n}\nfunc.func @main(%a: memref<" + a + ">, %b: memref<" + b +
         ">, %c: memref<" + c + ">) -> memref<" + c + "> {\n  %out = memref.alloc() : memref<" + c +
         ">\n  call @kernel(%a, %b, %c, %out) : (" + types + ", memref<" + c +
         ">) -> ()\n  return %out : memref<" + c + ">\n}\n";
}

DType typeOf(const std::string &name) {
  return name == "bf16"  ? DType::BF16
         : name == "f16" ? DType::F16
         : name == "f64" ? DType::F64
         : name == "i32" ? DType::I32
         : name == "i8"  ? DType::I8
                         : DType::F32;
}

/// Integers of -3 to 3; perhaps as [columns, rows].
HostTensor factorOf(const std::string &element, int64_t rows, int64_t columns, int64_t seed,
                    bool isTransposed = false) {
  llvm::SmallVector<int64_t> shape = {rows, columns};
  if (isTransposed)
    std::swap(shape[0], shape[1]);
  HostTensor tensor = *HostTensor::create(typeOf(element), {shape[0], shape[1]});
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    int64_t at = isTransposed ? i % columns * rows + i / columns : i;
    tensor.setDouble(at, static_cast<double>((i * 7919 + seed) % 1009 % 7 - 3));
  }
  return tensor;
}

Result<HostTensor> runOn(const Product &it, bool naive) {
  CompileOptions options;
  options.target = "sim:" + it.chip;
  if (naive)
    options.naiveAfter = Phase::Blocks;
  Result<Executable> executable = compileText(textOf(it), options, Phase::Bufferize);
  if (!executable)
    return executable.error();
  std::vector<HostTensor> inputs;
  inputs.push_back(factorOf(it.element, it.m, it.k, 1, it.isTransposed));
  inputs.push_back(factorOf(it.element, it.n, it.k, 5, it.isTransposed));
  inputs.push_back(factorOf(it.sum, it.m, it.n, 9));
  Result<RunResult> result = executable->run(std::move(inputs));
  if (!result)
    return result.error();
  return std::move(result->results[0]);
}

TEST(TileDot, RegistersAreMultipliedAsTheNaiveFormDoes) {
  for (const Product &it : products()) {
    SCOPED_TRACE(it.name + " of " + it.element + " on " + it.chip);
    Result<HostTensor> threads = runOn(it, /*naive=*/false), naive = runOn(it, /*naive=*/true);
    ASSERT_TRUE(static_cast<bool>(threads)) << threads.error().message;
    ASSERT_TRUE(static_cast<bool>(naive)) << naive.error().message;
    HostTensor left = factorOf(it.element, it.m, it.k, 1),
               right = factorOf(it.element, it.n, it.k, 5),
               before = factorOf(it.sum, it.m, it.n, 9);
    for (int64_t i = 0; i < threads->numElements(); ++i) {
      double expected = before.getDouble(i);
      for (int64_t k = 0; k < it.k; ++k)
        expected += left.getDouble(i / it.n * it.k + k) * right.getDouble(i % it.n * it.k + k);
      ASSERT_EQ(threads->getDouble(i), expected) << "element " << i;
      ASSERT_EQ(threads->getBits(i), naive->getBits(i)) << "element " << i;
    }
  }
}

} // namespace
