// Conformance: the arena over a device.
#include "ConformanceFixture.h"

#include "forge/Runtime/DeviceArena.h"

using namespace forge;
using namespace forge::test;
using forge::rt::DeviceArena;

namespace {
class DeviceArenaTest : public DeviceTest {};
} // namespace
FORGE_FOR_ALL_DEVICES(DeviceArenaTest);

TEST_P(DeviceArenaTest, BlocksDoNotOverlap) {
  DeviceArena arena(device);
  std::vector<std::pair<char *, size_t>> blocks;
  std::uniform_int_distribution<size_t> size(1, 100000);
  for (int i = 0; i < 60; ++i) {
    Result<void *> block = arena.allocate(blocks.size() % 3 ? size(random) : 256);
    ASSERT_OK(block);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*block) % DeviceArena::alignment, 0u);
    blocks.push_back({static_cast<char *>(*block), 256});
    ASSERT_OK(stream->fill(*block, static_cast<uint32_t>(i), 1, 1));
    if (i % 4 == 3) {
      ASSERT_OK(arena.release(blocks[static_cast<size_t>(i) / 2].first));
      blocks[static_cast<size_t>(i) / 2].second = 0;
    }
  }
  // No block's first byte is in another one handed out: each holds its own number.
  for (size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].second)
      EXPECT_EQ(download(blocks[i].first, 1)[0], static_cast<char>(i));
}

TEST_P(DeviceArenaTest, WhatIsReleasedIsReused) {
  DeviceArena arena(device);
  Result<void *> first = arena.allocate(1000);
  ASSERT_OK(first);
  ASSERT_OK(arena.release(*first));
  Result<void *> second = arena.allocate(900);
  ASSERT_OK(second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(arena.liveBytes(), 1024u);
  ASSERT_OK(arena.release(*second));
  EXPECT_EQ(arena.liveBytes(), 0u);
  EXPECT_EQ(arena.peakBytes(), 1024u);
  EXPECT_ERROR(arena.release(*second), "in use");
}

TEST_P(DeviceArenaTest, NeighboursMerge) {
  DeviceArena arena(device);
  std::vector<void *> blocks;
  for (int i = 0; i < 4; ++i) {
    Result<void *> block = arena.allocate(size_t(512) << 10);
    ASSERT_OK(block);
    blocks.push_back(*block);
  }
  size_t reserved = arena.reservedBytes();
  for (size_t i : {1u, 3u, 0u, 2u})
    ASSERT_OK(arena.release(blocks[i]));
  ASSERT_OK(arena.allocate(size_t(2) << 20));
  EXPECT_EQ(arena.reservedBytes(), reserved);
}

TEST_P(DeviceArenaTest, TheSameRequestsGetTheSameAddresses) {
  DeviceArena arena(device);
  auto requests = [&] {
    std::vector<void *> addresses;
    for (size_t bytes : {300000u, 5u, 4000000u, 700u, 70000u}) {
      Result<void *> block = arena.allocate(bytes);
      EXPECT_OK(block);
      addresses.push_back(*block);
      if (bytes == 5u)
        EXPECT_OK(arena.release(addresses[0]));
    }
    return addresses;
  };
  requests();
  arena.reset();
  std::vector<void *> second = requests();
  arena.reset();
  EXPECT_EQ(requests(), second);
}

TEST_P(DeviceArenaTest, TheLimitHolds) {
  DeviceArena arena(device, {.limitBytes = size_t(8) << 20});
  EXPECT_ERROR(arena.allocate(size_t(9) << 20), "limit");
  EXPECT_ERROR(arena.allocate(SIZE_MAX), "bytes");
  // A full chunk of one size makes room for one of another.
  Result<void *> small = arena.allocate(size_t(3) << 20);
  ASSERT_OK(small);
  ASSERT_OK(arena.release(*small));
  ASSERT_OK(arena.allocate(size_t(7) << 20));
  EXPECT_LE(arena.reservedBytes(), size_t(8) << 20);
}
