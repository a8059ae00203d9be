#include "TestTensors.h"

#include "forge/Reference/Random.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

// Known answers of the Random123 library, as printed in its kat_vectors.
TEST(Random, KnownAnswers) {
  EXPECT_EQ(threefry2x32({0, 0}, {0, 0}), (std::array<uint32_t, 2>{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threefry2x32({~0u, ~0u}, {~0u, ~0u}),
            (std::array<uint32_t, 2>{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(philox4x32({0, 0}, {0, 0, 0, 0}),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u}, {~0u, ~0u, ~0u, ~0u}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Random, ThreefryCountsBlocks) {
  HostTensor state = ints({2}, {3, 3}, DType::U64);
  Result<RandomBits> wide = rngBitGenerator(RandomAlgorithm::Threefry, state, DType::U64, {4});
  ASSERT_TRUE(wide);
  expectSame(wide->state, ints({2}, {3, 7}, DType::U64));
  // A longer draw starts with the shorter one, and the next draw goes on where it stopped.
  Result<RandomBits> next =
      rngBitGenerator(RandomAlgorithm::Threefry, wide->state, DType::U64, {1});
  Result<RandomBits> longer = rngBitGenerator(RandomAlgorithm::Threefry, state, DType::U64, {5});
  EXPECT_EQ(longer->output.getBits(4), next->output.getBits(0));
  Result<RandomBits> narrow = rngBitGenerator(RandomAlgorithm::Threefry, state, DType::U32, {3, 4});
  expectSame(narrow->state, ints({2}, {3, 9}, DType::U64));
  EXPECT_EQ(narrow->output.getBits(0), wide->output.getBits(0) & 0xffffffff);
  EXPECT_EQ(narrow->output.getBits(1), wide->output.getBits(0) >> 32);
}

TEST(Random, PhiloxCarriesIntoTheHighWord) {
  HostTensor state = ints({3}, {1, -1, 5}, DType::U64);
  Result<RandomBits> bits = rngBitGenerator(RandomAlgorithm::Philox, state, DType::I32, {5});
  ASSERT_TRUE(bits);
  expectSame(bits->state, ints({3}, {1, 1, 6}, DType::U64));
  Result<RandomBits> second =
      rngBitGenerator(RandomAlgorithm::Default, ints({3}, {1, 0, 6}, DType::U64), DType::I32, {1});
  EXPECT_EQ(bits->output.getBits(4), second->output.getBits(0));
}

TEST(Random, RejectsBadStates) {
  expectError(
      rngBitGenerator(RandomAlgorithm::Threefry, ints({3}, {1, 2, 3}, DType::U64), DType::U32, {1}),
      "state");
  expectError(
      rngBitGenerator(RandomAlgorithm::Philox, ints({2}, {1, 2}, DType::I64), DType::U32, {1}),
      "state");
  expectError(
      rngBitGenerator(RandomAlgorithm::Philox, ints({2}, {1, 2}, DType::U64), DType::I1, {1}),
      "no random bits");
}

static Result<HostTensor> draw(RandomDistribution distribution, double a, double b, DType type,
                               int64_t count, uint64_t number) {
  return rng(distribution, floats({}, {a}, type), floats({}, {b}, type), type, {count}, number);
}

static HostTensor uniformIntegers(int64_t a, int64_t b, DType type, int64_t count) {
  Result<HostTensor> result =
      rng(RandomDistribution::Uniform, ints({}, {a}, type), ints({}, {b}, type), type, {count}, 0);
  EXPECT_TRUE(result);
  return *result;
}

// Words 2 and 3 of the block that element 3 of draw 5 is in.
TEST(Random, DrawsAreBlocksOfPhilox) {
  std::array<uint32_t, 4> block = philox4x32({0x7F4A7C15, 0x9E3779B9}, {1, 0, 5, 0});
  uint64_t bits = block[2] | static_cast<uint64_t>(block[3]) << 32;
  double u = static_cast<double>(bits >> 11) / 9007199254740992.0;
  Result<HostTensor> doubles = draw(RandomDistribution::Uniform, 0, 1, DType::F64, 4, 5);
  EXPECT_EQ(doubles->getDouble(3), u);
  Result<HostTensor> halves = draw(RandomDistribution::Uniform, -2, 6, DType::F16, 4, 5);
  EXPECT_EQ(halves->getDouble(3), roundToType(DType::F16, -2 + 8 * u));
  Result<HostTensor> numbers = rng(RandomDistribution::Uniform, ints({}, {-3}, DType::I32),
                                   ints({}, {1000}, DType::I32), DType::I32, {4}, 5);
  EXPECT_EQ(getInteger(*numbers, 3), -3 + static_cast<int64_t>(bits % 1003));
}

TEST(Random, NormalHasItsMoments) {
  constexpr int64_t kCount = 40000;
  Result<HostTensor> values = draw(RandomDistribution::Normal, 3, 0.5, DType::F32, kCount, 1);
  ASSERT_TRUE(values);
  double moments[5] = {};
  int64_t beyond = 0; // more than two standard deviations
  for (int64_t i = 0; i < kCount; ++i) {
    double z = (values->getDouble(i) - 3) / 0.5;
    for (int power = 1; power <= 4; ++power)
      moments[power] += std::pow(z, power) / kCount;
    beyond += std::fabs(z) > 2;
  }
  // Five standard deviations of each estimate: those of 1, 2, 15 and 96 over the count.
  EXPECT_NEAR(moments[1], 0, 5 * std::sqrt(1.0 / kCount));
  EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15.0 / kCount));
  EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96.0 / kCount));
  EXPECT_NEAR(static_cast<double>(beyond) / kCount, 0.0455, 5 * std::sqrt(0.0455 / kCount));
}

TEST(Random, UniformStaysInItsRange) {
  // With the distance of the numbers in [1, 2): those that would be rounded to 2 are one less.
  for (auto [type, distance] :
       {std::pair(DType::F64, 0.0), std::pair(DType::F32, 0.0), std::pair(DType::F16, 0x1p-10),
        std::pair(DType::BF16, 0x1p-7), std::pair(DType::F8E5M2, 0.25)}) {
    Result<HostTensor> values = draw(RandomDistribution::Uniform, 1, 2, type, 4096, 0);
    ASSERT_TRUE(values);
    double sum = 0;
    for (int64_t i = 0; i < 4096; ++i) {
      EXPECT_GE(values->getDouble(i), 1);
      EXPECT_LT(values->getDouble(i), 2);
      sum += values->getDouble(i);
    }
    EXPECT_NEAR(sum / 4096, 1.5 - distance * distance / 2, 5 * std::sqrt(1.0 / 12 / 4096));
  }
  // The whole range: b - a is not finite.
  double largest = std::numeric_limits<double>::max();
  Result<HostTensor> wide = draw(RandomDistribution::Uniform, -largest, largest, DType::F64, 64, 0);
  int64_t negative = 0;
  for (int64_t i = 0; i < 64; ++i) {
    EXPECT_TRUE(std::isfinite(wide->getDouble(i)));
    negative += wide->getDouble(i) < 0;
  }
  EXPECT_GT(negative, 8);
  EXPECT_LT(negative, 56);
}

TEST(Random, UniformIntegersTakeEveryValue) {
  HostTensor dice = uniformIntegers(-2, 4, DType::I8, 6000);
  std::array<int64_t, 6> counts{};
  for (int64_t i = 0; i < 6000; ++i) {
    int64_t value = getInteger(dice, i);
    ASSERT_TRUE(value >= -2 && value < 4) << value;
    ++counts[static_cast<size_t>(value + 2)];
  }
  for (int64_t count : counts)
    EXPECT_NEAR(static_cast<double>(count), 1000, 5 * std::sqrt(1000.0 * 5 / 6));
  HostTensor large = uniformIntegers(-1 - std::numeric_limits<int64_t>::max(),
                                     std::numeric_limits<int64_t>::max(), DType::I64, 64);
  int64_t negative = 0;
  for (int64_t i = 0; i < 64; ++i)
    negative += getInteger(large, i) < 0;
  EXPECT_GT(negative, 8);
  EXPECT_LT(negative, 56);
}

TEST(Random, EmptyRangesGiveTheirBeginning) {
  expectSame(*draw(RandomDistribution::Uniform, 2, 2, DType::F32, 2, 0),
             floats({2}, {2, 2}, DType::F32));
  expectSame(*draw(RandomDistribution::Uniform, 2, 1, DType::F32, 2, 0),
             floats({2}, {2, 2}, DType::F32));
  expectSame(uniformIntegers(7, -7, DType::I16, 2), ints({2}, {7, 7}, DType::I16));
  expectSame(uniformIntegers(0, 1, DType::I1, 3), ints({3}, {0, 0, 0}, DType::I1));
}

TEST(Random, DrawsDiffer) {
  Result<HostTensor> first = draw(RandomDistribution::Uniform, 0, 1, DType::F32, 8, 0);
  Result<HostTensor> again = draw(RandomDistribution::Uniform, 0, 1, DType::F32, 8, 0);
  Result<HostTensor> second = draw(RandomDistribution::Uniform, 0, 1, DType::F32, 8, 1);
  expectSame(*first, *again);
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_NE(first->getDouble(i), second->getDouble(i));
}

TEST(Random, RejectsBadDraws) {
  expectError(rng(RandomDistribution::Normal, ints({}, {0}, DType::I32), ints({}, {1}, DType::I32),
                  DType::I32, {1}, 0),
              "no normal distribution");
  expectError(rng(RandomDistribution::Uniform, floats({}, {0}, DType::F32),
                  floats({}, {1}, DType::F64), DType::F32, {1}, 0),
              "expected two numbers of type f32");
  expectError(draw(RandomDistribution::Uniform, 0, 1, DType::F32, -1, 0), "");
}
