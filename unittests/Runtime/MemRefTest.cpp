#include "forge/Runtime/MemRef.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace forge::rt;

static std::vector<int64_t> rowOf(int *data, int64_t count) {
  auto word = reinterpret_cast<int64_t>(data);
  return {word, word, 0, count, 1};
}

/// 12 MB: more than one thread copies, and the last piece is not whole.
static constexpr int64_t kMany = (3 << 20) + 17;

TEST(CopyElements, LargeBlocks) {
  std::vector<int> from(kMany), to(kMany + 1, -1);
  std::iota(from.begin(), from.end(), 0);
  std::vector<int64_t> source = rowOf(from.data(), kMany), target = rowOf(to.data(), kMany);
  copyElements(sizeof(int), MemRef(1, source.data()), MemRef(1, target.data()));
  EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
  EXPECT_EQ(to.back(), -1);
}

TEST(CopyElements, LargeBlocksThatOverlap) {
  for (int64_t shift : {-1000, 1000}) {
    std::vector<int> numbers(kMany + 1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    int64_t first = shift < 0 ? 1000 : 0;
    std::vector<int64_t> source = rowOf(numbers.data() + first, kMany),
                         target = rowOf(numbers.data() + first + shift, kMany);
    copyElements(sizeof(int), MemRef(1, source.data()), MemRef(1, target.data()));
    for (int64_t i = 0; i < kMany; ++i)
      ASSERT_EQ(numbers[first + shift + i], first + i);
  }
}
