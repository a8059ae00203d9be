// Checks the expanded 8-bit float conversions against the tables of Support: all codes, all ties,
// random numbers.
#include "Jit.h"

#include "forge/Support/SmallFloat.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using forge::DType;
using forge::test::Jit;
using forge::test::MemRef1D;

namespace {

/// A loop that converts `from` to `to`; 8-bit floats are read and written as i8.
std::string loopOver(const std::string &op, const std::string &from, const std::string &to) {
  bool small = from[1] == '8';
  std::string in = "memref<?x" + (small ? "i8" : from) + ">";
  std::string out = "memref<?x" + (small ? to : "i8") + ">";
  std::string body = small ? "%b = arith.bitcast %a : i8 to " + from + "\n%r = arith." + op +
                                 " %b : " + from + " to " + to + "\n"
                           : "%b = arith." + op + " %a : " + from + " to " + to +
                                 "\n%r = arith.bitcast %b : " + to + " to i8\n";
  return "func.func @f(%x: " + in + ", %out: " + out +
         ") attributes {llvm.emit_c_interface} {\n"
         "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
         "  %n = memref.dim %x, %c0 : " +
         in + "\n  scf.for %i = %c0 to %n step %c1 {\n    %a = memref.load %x[%i] : " + in + "\n" +
         body + "    memref.store %r, %out[%i] : " + out + "\n  }\n  return\n}\n";
}

struct Case {
  DType type;
  const char *name;
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

class SmallFloat : public ::testing::TestWithParam<Case> {};

template <typename T>
std::vector<uint8_t> encodeAll(const Case &c, const char *type, std::vector<T> x,
                               const char *conversion = "truncf") {
  Jit jit;
  std::vector<uint8_t> out(x.size());
  if (!jit.compile(loopOver(conversion, type, c.name), "forge-expand-small-floats"))
    return {};
  auto f = jit.function<void (*)(MemRef1D<T> *, MemRef1D<uint8_t> *)>("f");
  MemRef1D<T> in(x.data(), x.size());
  MemRef1D<uint8_t> result(out.data(), out.size());
  f(&in, &result);
  return out;
}

template <typename T> std::vector<T> samples(const Case &c) {
  std::vector<T> x;
  for (int code = 0; code < 256; ++code)
    for (int next = 0; next < 256; ++next) {
      T a = forge::decodeFloat(c.type, code), b = forge::decodeFloat(c.type, next);
      for (T v : {T((a + b) / 2), a})
        for (T w : {std::nextafter(v, T(-1e30)), v, std::nextafter(v, T(1e30))})
          x.push_back(w);
    }
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i)
    x.push_back(T(std::bit_cast<float>(static_cast<uint32_t>(random()))));
  constexpr T inf = std::numeric_limits<T>::infinity();
  for (T v : {T(464), T(61440), T(480), T(65536), inf, std::numeric_limits<T>::max()})
    for (T w : {v, -v, std::nextafter(v, T(0)), std::nextafter(v, inf)})
      x.push_back(w);
  return x;
}

template <typename T> void checkEncode(const Case &c, const char *type) {
  std::vector<T> x = samples<T>(c);
  std::vector<uint8_t> codes = encodeAll(c, type, x);
  ASSERT_EQ(codes.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    double got = forge::decodeFloat(c.type, codes[i]);
    uint8_t expected = forge::encodeFloat(c.type, x[i]);
    if (std::isnan(forge::decodeFloat(c.type, expected)))
      ASSERT_TRUE(std::isnan(got)) << x[i];
    else
      ASSERT_EQ(codes[i], expected) << x[i];
  }
}

TEST_P(SmallFloat, TruncatesF32) { checkEncode<float>(GetParam(), "f32"); }
TEST_P(SmallFloat, TruncatesF64) { checkEncode<double>(GetParam(), "f64"); }

/// Every integer of up to 16 bits, and those about the ends of f8's and of the type's range.
template <typename T> std::vector<T> integers() {
  std::vector<T> x;
  for (int i = -(1 << 16); i <= 1 << 16; ++i)
    x.push_back(static_cast<T>(i));
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  for (T end : {low, high, T(high / 2), T(high / 2 + 1)})
    for (int i = -2; i <= 2; ++i)
      x.push_back(static_cast<T>(static_cast<uint64_t>(end) + i));
  return x;
}

template <typename T> void checkInteger(const Case &c, const char *type) {
  std::vector<T> x = integers<T>();
  std::vector<uint8_t> codes =
      encodeAll(c, type, x, std::is_signed_v<T> ? "sitofp" : "uitofp");
  ASSERT_EQ(codes.size(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    // What f64 rounds here is out of f8's range before and after.
    uint8_t expected = forge::encodeFloat(c.type, static_cast<double>(x[i]));
    if (std::isnan(forge::decodeFloat(c.type, expected)))
      ASSERT_TRUE(std::isnan(forge::decodeFloat(c.type, codes[i]))) << +x[i];
    else
      ASSERT_EQ(codes[i], expected) << +x[i];
  }
}

TEST_P(SmallFloat, OfSignedIntegers) {
  checkInteger<int8_t>(GetParam(), "i8");
  checkInteger<int16_t>(GetParam(), "i16");
  checkInteger<int32_t>(GetParam(), "i32");
  checkInteger<int64_t>(GetParam(), "i64");
}
TEST_P(SmallFloat, OfUnsignedIntegers) {
  checkInteger<uint8_t>(GetParam(), "i8");
  checkInteger<uint16_t>(GetParam(), "i16");
  checkInteger<uint32_t>(GetParam(), "i32");
  checkInteger<uint64_t>(GetParam(), "i64");
}

TEST_P(SmallFloat, AsIntegers) {
  Jit jit;
  ASSERT_TRUE(jit.compile(loopOver("fptosi", GetParam().name, "i32"), "forge-expand-small-floats"));
  auto f = jit.function<void (*)(MemRef1D<uint8_t> *, MemRef1D<int32_t> *)>("f");
  std::vector<uint8_t> codes;
  for (int i = 0; i < 256; ++i)
    if (std::isfinite(forge::decodeFloat(GetParam().type, i)))
      codes.push_back(i);
  std::vector<int32_t> out(codes.size());
  MemRef1D<uint8_t> in(codes.data(), codes.size());
  MemRef1D<int32_t> result(out.data(), out.size());
  f(&in, &result);
  for (size_t i = 0; i < codes.size(); ++i)
    EXPECT_EQ(out[i], static_cast<int32_t>(forge::decodeFloat(GetParam().type, codes[i])));
}

TEST_P(SmallFloat, ExtendsEveryCode) {
  Jit jit;
  ASSERT_TRUE(jit.compile(loopOver("extf", GetParam().name, "f32"), "forge-expand-small-floats"));
  auto f = jit.function<void (*)(MemRef1D<uint8_t> *, MemRef1D<float> *)>("f");
  std::vector<uint8_t> codes(256);
  std::vector<float> out(256);
  for (int i = 0; i < 256; ++i)
    codes[i] = i;
  MemRef1D<uint8_t> in(codes.data(), 256);
  MemRef1D<float> result(out.data(), 256);
  f(&in, &result);
  for (int i = 0; i < 256; ++i) {
    float expected = forge::decodeFloat(GetParam().type, i);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(out[i])) << i;
    else
      EXPECT_EQ(std::bit_cast<uint32_t>(out[i]), std::bit_cast<uint32_t>(expected)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SmallFloat,
                         ::testing::Values(Case{DType::F8E4M3FN, "f8E4M3FN"},
                                           Case{DType::F8E5M2, "f8E5M2"}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
