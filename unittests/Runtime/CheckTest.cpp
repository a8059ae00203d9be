#include "forge/Runtime/CABI.h"
#include "forge/Runtime/Context.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using forge::rt::Context;

namespace {
/// A contiguous memref descriptor over `data`.
struct Descriptor {
  std::vector<int64_t> words;
  Descriptor(void *data, std::vector<int64_t> sizes) {
    words = {reinterpret_cast<int64_t>(data), reinterpret_cast<int64_t>(data), 0};
    std::vector<int64_t> strides(sizes.size(), 1);
    for (size_t dim = sizes.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * sizes[dim];
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), strides.begin(), strides.end());
  }
};
using Check = void (*)(int64_t, void *, int64_t, void *);

/// The messages of a check over two equally shaped buffers.
std::vector<std::string> failures(Check check, void *actual, void *expected,
                                  std::vector<int64_t> sizes) {
  Context context;
  Descriptor a(actual, sizes), e(expected, sizes);
  void *args[] = {reinterpret_cast<void *>(check), a.words.data(), e.words.data(),
                  reinterpret_cast<void *>(sizes.size())};
  auto entry = +[](void **args) {
    int64_t rank = reinterpret_cast<int64_t>(args[3]);
    reinterpret_cast<Check>(args[0])(rank, args[1], rank, args[2]);
  };
  EXPECT_TRUE(context.run(entry, args));
  EXPECT_EQ(context.numChecks(), 1);
  return context.failedChecks();
}
} // namespace

TEST(Check, EqualNamesTheFirstDifference) {
  float actual[] = {1, 2, 3, 4, 5, 6}, expected[] = {1, 2, 3, 4, 7, 8};
  EXPECT_TRUE(failures(forge_rt_expect_eq_f32, actual, actual, {2, 3}).empty());
  auto messages = failures(forge_rt_expect_eq_f32, actual, expected, {2, 3});
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], "expect_eq of f32: element [1, 1]: expected 7, but got 5 (2 of 6 differ)");
}

TEST(Check, SignednessShowsInTheMessage) {
  uint8_t actual[] = {255}, expected[] = {1};
  EXPECT_NE(failures(forge_rt_expect_eq_i8, actual, expected, {1})[0].find("got -1"),
            std::string::npos);
  EXPECT_NE(failures(forge_rt_expect_eq_ui8, actual, expected, {1})[0].find("got 255"),
            std::string::npos);
}

TEST(Check, FourBitsIgnoreTheUpperHalf) {
  uint8_t actual[] = {0x0f}, expected[] = {0xff}, other[] = {0x07};
  EXPECT_TRUE(failures(forge_rt_expect_eq_i4, actual, expected, {1}).empty());
  EXPECT_EQ(failures(forge_rt_expect_eq_i4, actual, other, {1}).size(), 1u);
}

static void closeF32(int64_t ar, void *a, int64_t er, void *e) {
  forge_rt_expect_close_f32(ar, a, er, e, 0, 3);
}
static void almostF32(int64_t ar, void *a, int64_t er, void *e) {
  forge_rt_expect_almost_eq_f32(ar, a, er, e, 1e-3);
}

static void closeF8E8M0(int64_t ar, void *a, int64_t er, void *e) {
  forge_rt_expect_close_f8e8m0fnu(ar, a, er, e, 0, 3);
}

// Powers of two without a sign: 4 is one from 2, and 128 from 2^-126.
TEST(Check, CloseOfPowersOfTwo) {
  uint8_t two = 0x80, four = 0x81, one = 0x7f, tiny = 0x01;
  EXPECT_TRUE(failures(closeF8E8M0, &one, &two, {}).empty());
  EXPECT_TRUE(failures(closeF8E8M0, &four, &one, {}).empty());
  EXPECT_FALSE(failures(closeF8E8M0, &four, &tiny, {}).empty());
}

TEST(Check, CloseCountsUnitsInTheLastPlace) {
  float one = 1, near = std::nextafter(std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f), 2.0f);
  float far = std::nextafter(near, 2.0f), nan = NAN, infinity = INFINITY, largest = 3.40282347e38f;
  float tiny = 1e-45f, negativeTiny = -1e-45f;
  EXPECT_TRUE(failures(closeF32, &near, &one, {}).empty());
  EXPECT_FALSE(failures(closeF32, &far, &one, {}).empty());
  EXPECT_TRUE(failures(closeF32, &nan, &nan, {}).empty());
  EXPECT_FALSE(failures(closeF32, &nan, &one, {}).empty());
  EXPECT_FALSE(failures(closeF32, &infinity, &largest, {}).empty());
  EXPECT_TRUE(failures(closeF32, &tiny, &negativeTiny, {}).empty());
}

TEST(Check, AlmostEqual) {
  float a = 1, b = 1.0009f, c = 1.002f, infinity = INFINITY, minus = -INFINITY, nan = NAN;
  EXPECT_TRUE(failures(almostF32, &a, &b, {}).empty());
  EXPECT_FALSE(failures(almostF32, &a, &c, {}).empty());
  EXPECT_TRUE(failures(almostF32, &infinity, &infinity, {}).empty());
  EXPECT_FALSE(failures(almostF32, &infinity, &minus, {}).empty());
  EXPECT_TRUE(failures(almostF32, &nan, &nan, {}).empty());
  EXPECT_FALSE(failures(almostF32, &nan, &a, {}).empty());
}

TEST(Check, EqualIsByValue) {
  float zero = 0, minusZero = -0.0f, nan = NAN, otherNan = -NAN, one = 1;
  EXPECT_TRUE(failures(forge_rt_expect_eq_f32, &zero, &minusZero, {}).empty());
  EXPECT_TRUE(failures(forge_rt_expect_eq_f32, &nan, &otherNan, {}).empty());
  EXPECT_FALSE(failures(forge_rt_expect_eq_f32, &nan, &one, {}).empty());
}

TEST(Check, NoElementsHold) {
  float none = 0;
  EXPECT_TRUE(failures(forge_rt_expect_eq_f32, &none, &none, {3, 0}).empty());
}
