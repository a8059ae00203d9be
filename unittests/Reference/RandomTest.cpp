#include "TestTensors.h"

#include "forge/Reference/Random.h"

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
