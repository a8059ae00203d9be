#include "forge/Runtime/Arena.h"

#include "forge/Support/AvailableMemory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using forge::rt::Arena;

TEST(Arena, BlocksAreAlignedAndDoNotOverlap) {
  Arena arena(64 << 20);
  std::vector<std::pair<char *, size_t>> blocks;
  for (size_t size : {0ul, 1ul, 63ul, 64ul, 65ul, 1000ul, 4097ul, 100000ul, 3000000ul})
    for (int i = 0; i < 3; ++i) {
      char *block = static_cast<char *>(arena.allocate(size));
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
      std::memset(block, static_cast<int>(blocks.size()), size);
      blocks.push_back({block, size});
    }
  for (size_t i = 0; i < blocks.size(); ++i)
    for (size_t byte = 0; byte < blocks[i].second; ++byte)
      ASSERT_EQ(blocks[i].first[byte], static_cast<char>(i));
}

TEST(Arena, GivenBackMemoryIsReused) {
  Arena arena(16 << 20);
  for (int i = 0; i < 1000; ++i) {
    void *block = arena.allocate(1 << 20);
    ASSERT_NE(block, nullptr) << "after " << i;
    arena.release(block);
  }
  EXPECT_LT(arena.peakBytes(), size_t(2) << 20);
  EXPECT_EQ(arena.liveBytes(), 0u);
}

TEST(Arena, LimitHolds) {
  Arena arena(4 << 20);
  EXPECT_EQ(arena.allocate(5 << 20), nullptr);
  EXPECT_EQ(arena.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(arena.allocate(SIZE_MAX - 100), nullptr);
  EXPECT_NE(arena.allocate(1 << 20), nullptr);
  EXPECT_LE(arena.reservedBytes(), size_t(4) << 20);
}

TEST(Arena, ResetKeepsTheChunks) {
  Arena arena(64 << 20);
  void *first = arena.allocate(10000);
  size_t reserved = arena.reservedBytes();
  arena.reset();
  EXPECT_EQ(arena.allocate(10000), first);
  EXPECT_EQ(arena.reservedBytes(), reserved);
}

TEST(Arena, RefusesMoreThanIsAvailable) {
  Arena arena(~size_t(0));
  EXPECT_EQ(arena.allocate(forge::availableMemory() + (size_t(512) << 20)), nullptr);
  void *block = arena.allocate(100);
  EXPECT_NE(block, nullptr);
}
