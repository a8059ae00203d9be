// Compares every expanded function with the C library in double, over all floats of a stride and
// all edges.
#include "Jit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using forge::test::Jit;
using forge::test::MemRef1D;

namespace {

std::string loopOver(const std::string &op, bool binary, const std::string &type = "f32",
                     const std::string &flags = "") {
  std::string memref = "memref<?x" + type + ">";
  std::string second = binary ? ", %y: " + memref : "";
  std::string load = binary ? "%b = memref.load %y[%i] : " + memref + "\n" : "";
  return "func.func @f(%x: " + memref + second + ", %out: " + memref +
         ") attributes {llvm.emit_c_interface} {\n"
         "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
         "  %n = memref.dim %x, %c0 : " +
         memref +
         "\n"
         "  scf.for %i = %c0 to %n step %c1 {\n"
         "    %a = memref.load %x[%i] : " +
         memref + "\n" + load + "    %r = math." + op + " %a" + (binary ? ", %b" : "") + flags +
         " : " + type +
         "\n"
         "    memref.store %r, %out[%i] : " +
         memref + "\n  }\n  return\n}\n";
}

/// The distance of `actual` from the exact `expected`, in units of the last place of an f32 near
/// `expected`. Infinite if the two differ in kind (NaN, infinity, sign of zero).
double ulps(float actual, double expected) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  float rounded = static_cast<float>(expected);
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) == std::isnan(actual) ? 0 : infinite;
  if (expected == 0 || actual == 0) {
    if (rounded == 0 && actual == 0)
      return std::signbit(rounded) == std::signbit(actual) ? 0 : infinite;
  }
  if (std::isinf(actual) || std::isinf(expected)) {
    if (actual == rounded || actual == expected)
      return 0;
    // One side overflows: measured from the greatest float, in its ulp.
    double bound = std::ldexp(1.0, 128), ulp = std::ldexp(1.0, 104);
    double a = std::isinf(actual) ? std::copysign(bound, actual) : actual;
    return std::isinf(expected) ? infinite : std::abs(a - expected) / ulp;
  }
  int exponent = std::max(std::ilogb(expected), -126);
  return std::abs(actual - expected) / std::ldexp(1.0, exponent - 23);
}

struct Unary {
  const char *name;
  double (*exact)(double);
  double bound; // in ulp, as forge-expand-math documents
  const char *pipeline = "forge-expand-math";
};

void PrintTo(const Unary &unary, std::ostream *out) {
  *out << unary.name << " by " << unary.pipeline;
}

double rsqrtExact(double x) { return 1 / std::sqrt(x); }

const Unary unaries[] = {
    {"exp", std::exp, 1.1},
    {"exp2", std::exp2, 1.1},
    {"expm1", std::expm1, 2.0},
    {"tanh", std::tanh, 2.0},
    {"erf", std::erf, 1.5},
    {"log", std::log, 1.5},
    {"log1p", std::log1p, 1.5},
    {"log2", std::log2, 0.51},
    {"log10", std::log10, 0.51},
    {"sin", std::sin, 0.51},
    {"cos", std::cos, 0.51},
    {"tan", std::tan, 0.51},
    {"atan", std::atan, 0.51},
    {"asin", std::asin, 0.51},
    {"acos", std::acos, 0.51},
    {"sinh", std::sinh, 0.51},
    {"cosh", std::cosh, 0.51},
    {"asinh", std::asinh, 0.51},
    {"acosh", std::acosh, 0.51},
    {"atanh", std::atanh, 0.51},
    {"erfc", std::erfc, 2.1}, // in f32; 2.000 over every fifth float
    {"cbrt", std::cbrt, 0.51},
    {"rsqrt", rsqrtExact, 1.5},
    // The instruction for 2^x is the C library's function here, which errs by less.
    {"exp", std::exp, 1.6, "forge-expand-math{hardware-exp2=true}"},
};

struct Worst {
  double error = 0;
  float at = 0, second = 0, got = 0;
  void see(double e, float x, float y, float result) {
    if (e > error)
      *this = {e, x, y, result};
  }
};

class UnaryAccuracy : public ::testing::TestWithParam<Unary> {};

TEST_P(UnaryAccuracy, WithinDocumentedBound) {
  const Unary &unary = GetParam();
  Jit jit;
  ASSERT_TRUE(jit.compile(loopOver(unary.name, false), unary.pipeline));
  auto f = jit.function<void (*)(MemRef1D<float> *, MemRef1D<float> *)>("f");
  ASSERT_TRUE(f);
  std::vector<float> x;
  // Every 2048th float, with a stride prime to powers of two so that all low bits occur, and every
  // 2^12 neighbours.
  const char *dense = std::getenv("FORGE_MATH_STRIDE");
  uint64_t stride = dense ? std::strtoull(dense, nullptr, 10) : 2039;
  for (uint64_t bits = 0; bits < (1ull << 32); bits += stride)
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (float edge : {0.0f,
                     1.0f,
                     0x1p-126f,
                     0x1p-149f,
                     88.72284f,
                     87.33655f,
                     103.97208f,
                     128.0f,
                     149.0f,
                     150.0f,
                     126.0f,
                     0.5f,
                     0.6f,
                     0.92f,
                     0.25f,
                     2.0f,
                     10.0f,
                     9.01f,
                     4.0f,
                     3.9f,
                     10.06f,
                     0x1p-26f,
                     0x1p48f,
                     0x1p88f,
                     0x1.fffffep127f,
                     std::numeric_limits<float>::infinity(),
                     16367173.0f * 0x1p72f,
                     3.1415927f,
                     1.5707964f,
                     0.70710678f,
                     1.4142135f}) {
    uint32_t bits = std::bit_cast<uint32_t>(edge);
    for (int64_t d = -64; d <= 64; ++d)
      for (uint32_t sign : {0u, 0x80000000u})
        x.push_back(std::bit_cast<float>((static_cast<uint32_t>(bits + d) & 0x7fffffff) | sign));
  }
  std::vector<float> out(x.size());
  MemRef1D<float> in(x.data(), x.size()), result(out.data(), out.size());
  f(&in, &result);
  Worst worst;
  for (size_t i = 0; i < x.size(); ++i)
    worst.see(ulps(out[i], unary.exact(x[i])), x[i], 0, out[i]);
  RecordProperty("max_ulp", std::to_string(worst.error));
  printf("%-6s max %.3f ulp at %a (%a)\n", unary.name, worst.error, worst.at, worst.got);
  EXPECT_LE(worst.error, unary.bound)
      << "at " << worst.at << ": " << worst.got << " instead of " << unary.exact(worst.at);
}

INSTANTIATE_TEST_SUITE_P(Math, UnaryAccuracy, ::testing::ValuesIn(unaries), [](const auto &info) {
  bool hardware = std::string(info.param.pipeline).find("hardware") != std::string::npos;
  return std::string(info.param.name) + (hardware ? "_by_instruction" : "");
});

/// Where results are rounded to 16 bits: within 2^-15 of the value, and at the ends as others are.
class NarrowAccuracy : public ::testing::TestWithParam<Unary> {};

TEST_P(NarrowAccuracy, WithinDocumentedBound) {
  const Unary &unary = GetParam();
  Jit jit;
  ASSERT_TRUE(jit.compile(loopOver(unary.name, false, "f32", " fastmath<afn>"), unary.pipeline));
  auto f = jit.function<void (*)(MemRef1D<float> *, MemRef1D<float> *)>("f");
  ASSERT_TRUE(f);
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (1ull << 32); bits += 2039)
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (float edge : {0.0f, -0.0f, 1.0f, 10.5f, -10.5f, 9.2f, inf, -inf})
    x.push_back(edge);
  std::vector<float> out(x.size());
  MemRef1D<float> in(x.data(), x.size()), result(out.data(), out.size());
  f(&in, &result);
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = unary.exact(x[i]);
    if (std::isnan(exact)) {
      ASSERT_TRUE(std::isnan(out[i])) << "at " << x[i];
      continue;
    }
    // What is subnormal in f32 has fewer bits.
    if (std::abs(exact) >= 0x1p-126 && std::abs(exact) < 0x1p127)
      ASSERT_LE(std::abs(out[i] - exact), 0x1p-15 * std::abs(exact)) << "at " << x[i];
    else if (std::abs(exact) < 0x1p-126)
      ASSERT_LE(std::abs(out[i]), 0x1p-125) << "at " << x[i];
  }
}

const Unary narrows[] = {{"exp", std::exp, 0, "forge-expand-math{hardware-exp2=true}"},
                         {"tanh", std::tanh, 0, "forge-expand-math{hardware-exp2=true}"},
                         {"erfc", std::erfc, 0, "forge-expand-math{hardware-exp2=true}"}};
INSTANTIATE_TEST_SUITE_P(Math, NarrowAccuracy, ::testing::ValuesIn(narrows),
                         [](const auto &info) { return std::string(info.param.name); });

/// The error model of forge verify relies on it (docs/numerics.md): where a bounded function is
/// nearer to 1 than an eighth of u = 2^-24, it is 1.
void checkSaturates(const char *name, double (*complement)(double)) {
  Jit jit;
  ASSERT_TRUE(jit.compile(loopOver(name, false), "forge-expand-math"));
  auto f = jit.function<void (*)(MemRef1D<float> *, MemRef1D<float> *)>("f");
  ASSERT_TRUE(f);
  std::vector<float> x;
  for (uint32_t bits = std::bit_cast<uint32_t>(1.0f); bits <= 0x7f800000; bits += 61)
    if (float value = std::bit_cast<float>(bits); complement(value) < 0x1p-27)
      for (float sign : {1.0f, -1.0f})
        x.push_back(sign * value);
  std::vector<float> out(x.size());
  MemRef1D<float> in(x.data(), x.size()), result(out.data(), out.size());
  f(&in, &result);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(out[i], std::copysign(1.0f, x[i])) << name << " at " << x[i];
}

TEST(BoundedFunctions, AreOneWhereNearerThanAnEighth) {
  checkSaturates("tanh", [](double x) { return 2 / (std::exp(2 * x) + 1); });
  checkSaturates("erf", [](double x) { return std::erfc(x); });
}

void checkBinary(const char *name, double (*exact)(double, double), double bound) {
  Jit jit;
  ASSERT_TRUE(jit.compile(loopOver(name, true), "forge-expand-math"));
  auto f = jit.function<void (*)(MemRef1D<float> *, MemRef1D<float> *, MemRef1D<float> *)>("f");
  ASSERT_TRUE(f);
  std::vector<float> x, y;
  constexpr float inf = std::numeric_limits<float>::infinity();
  const float edges[] = {0.0f,
                         0x1p-149f,
                         0x1p-126f,
                         0.3f,
                         0.5f,
                         1.0f,
                         1.5f,
                         2.0f,
                         3.0f,
                         4.0f,
                         7.5f,
                         16777215.f,
                         16777216.f,
                         1e30f,
                         0x1.fffffep127f,
                         inf,
                         std::numeric_limits<float>::quiet_NaN(),
                         0x1.fffffep-1f,
                         0x1.000002p0f,
                         33.0f};
  for (float a : edges)
    for (float b : edges)
      for (int signs = 0; signs < 4; ++signs) {
        x.push_back(signs & 1 ? -a : a);
        y.push_back(signs & 2 ? -b : b);
      }
  std::mt19937 random(7);
  std::uniform_real_distribution<float> near(-40, 40), close(0.5f, 2.0f);
  for (int i = 0; i < 300000; ++i) {
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
    y.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
    x.push_back(std::abs(near(random)));
    y.push_back(near(random));
    x.push_back(close(random));
    y.push_back(near(random) * 5);
  }
  std::vector<float> out(x.size());
  MemRef1D<float> a(x.data(), x.size()), b(y.data(), y.size()), result(out.data(), out.size());
  f(&a, &b, &result);
  Worst worst;
  for (size_t i = 0; i < x.size(); ++i)
    worst.see(ulps(out[i], exact(x[i], y[i])), x[i], y[i], out[i]);
  printf("%-6s max %.3f ulp at %a %a (%a)\n", name, worst.error, worst.at, worst.second, worst.got);
  EXPECT_LE(worst.error, bound) << "at " << worst.at << ", " << worst.second << ": " << worst.got
                                << " instead of " << exact(worst.at, worst.second);
}

TEST(BinaryAccuracy, Powf) { checkBinary("powf", std::pow, 0.51); }
TEST(BinaryAccuracy, Atan2) { checkBinary("atan2", std::atan2, 0.51); }

} // namespace
