// What is kept of released blocks, and what is not.
#include "forge/Support/LargeBlocks.h"

#include "forge/Support/HostTensor.h"

#include "gtest/gtest.h"

#include <cstring>
#include <vector>

using namespace forge;

static constexpr size_t kMB = size_t(1) << 20;

namespace {
struct LargeBlocks : testing::Test {
  void SetUp() override {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    GTEST_SKIP()
        << "LargeBlocks keeps nothing under AddressSanitizer, so that it finds uses after release";
#endif
#endif
    dropLargeBlocks();
  }
  void TearDown() override { dropLargeBlocks(); }
};
} // namespace

TEST_F(LargeBlocks, ReleasedOneIsTheNextThatFits) {
  void *block = takeLargeBlock(16 * kMB);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % kHugePage, 0u);
  std::memset(block, 1, 16 * kMB);
  EXPECT_TRUE(releaseLargeBlock(block));
  EXPECT_EQ(keptLargeBlockBytes(), 16 * kMB);
  void *smaller = takeLargeBlock(15 * kMB);
  EXPECT_EQ(smaller, block);
  EXPECT_EQ(keptLargeBlockBytes(), 0u);
  EXPECT_TRUE(releaseLargeBlock(smaller));
  EXPECT_EQ(keptLargeBlockBytes(), 16 * kMB) << "the whole block, not what was asked for";
}

TEST_F(LargeBlocks, MuchSmallerOrLargerIsAnother) {
  void *block = takeLargeBlock(16 * kMB);
  releaseLargeBlock(block);
  void *smaller = takeLargeBlock(8 * kMB), *larger = takeLargeBlock(32 * kMB);
  EXPECT_NE(smaller, block);
  EXPECT_NE(larger, block);
  EXPECT_EQ(keptLargeBlockBytes(), 16 * kMB);
  releaseLargeBlock(smaller);
  releaseLargeBlock(larger);
}

TEST_F(LargeBlocks, NoMoreIsKeptThanIsUsed) {
  // The blocks are never written, so they take no physical memory.
  std::vector<void *> blocks;
  for (int i = 0; i < 5; ++i)
    blocks.push_back(takeLargeBlock(128 * kMB));
  for (void *block : blocks)
    EXPECT_TRUE(releaseLargeBlock(block));
  EXPECT_LE(keptLargeBlockBytes(), 256 * kMB);
  EXPECT_GE(keptLargeBlockBytes(), 128 * kMB);
}

TEST_F(LargeBlocks, OtherPointersAreNotTheirs) {
  int local = 0;
  EXPECT_FALSE(releaseLargeBlock(&local));
  EXPECT_FALSE(releaseLargeBlock(nullptr));
  void *block = takeLargeBlock(4 * kMB);
  EXPECT_TRUE(releaseLargeBlock(block));
  EXPECT_FALSE(releaseLargeBlock(block)) << "released before";
}

TEST_F(LargeBlocks, MoreThanThereIsIsNull) { EXPECT_EQ(takeLargeBlock(size_t(1) << 60), nullptr); }

TEST_F(LargeBlocks, OfTensorsAreZeroedAgain) {
  auto make = [] { return HostTensor::create(DType::F32, {2, 1 << 20}); };
  const void *data;
  {
    Result<HostTensor> tensor = make();
    ASSERT_TRUE(tensor);
    data = tensor->data();
    for (int64_t i = 0; i < tensor->numElements(); ++i)
      tensor->setDouble(i, 1);
  }
  Result<HostTensor> again = make();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->data(), data);
  for (int64_t i = 0; i < again->numElements(); ++i)
    ASSERT_EQ(again->getDouble(i), 0);
}
