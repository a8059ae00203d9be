// Conformance: memory that outlives runs.
#include "ConformanceFixture.h"

#include "forge/Runtime/DeviceContext.h"

#include <algorithm>
#include <thread>

using namespace forge;
using namespace forge::test;
using forge::rt::DevicePool;

namespace {
class DevicePoolTest : public DeviceTest {};
} // namespace
FORGE_FOR_ALL_DEVICES(DevicePoolTest);

static constexpr size_t kMiB = size_t(1) << 20;

TEST_P(DevicePoolTest, ADeviceHasOne) {
  std::shared_ptr<DevicePool> pool = DevicePool::of(device);
  auto context = rt::DeviceContext::create(device);
  ASSERT_OK(context);
  EXPECT_EQ((*context)->pool(), pool);
}

TEST_P(DevicePoolTest, ReleasedMemoryIsKeptForTheNextBlock) {
  std::shared_ptr<DevicePool> pool = DevicePool::of(device);
  EXPECT_OK(pool->allocate(0));
  EXPECT_EQ(pool->reservedBytes(), 0u);
  Result<void *> first = pool->allocate(100 * kMiB);
  ASSERT_OK(first);
  size_t reserved = pool->reservedBytes();
  EXPECT_EQ(pool->liveBytes(), 100 * kMiB);
  EXPECT_EQ(reserved, 100 * kMiB); // as much as was asked for
  pool->release(*first);
  EXPECT_EQ(pool->liveBytes(), 0u);
  EXPECT_EQ(pool->reservedBytes(), reserved);
  Result<void *> second = pool->allocate(100 * kMiB);
  ASSERT_OK(second);
  EXPECT_EQ(*first, *second);
  // What is in use stays, the rest goes.
  Result<void *> other = pool->allocate(80 * kMiB);
  ASSERT_OK(other);
  EXPECT_FALSE(pool->giveBack());
  pool->release(*other);
  EXPECT_TRUE(pool->giveBack());
  EXPECT_EQ(pool->reservedBytes(), reserved);
  ASSERT_OK(stream->fill(*second, 7, 1, 1));
  EXPECT_EQ(download(static_cast<char *>(*second), 1)[0], 7);
  pool->release(*second);
  pool->release(nullptr);
  EXPECT_TRUE(pool->giveBack());
  EXPECT_FALSE(pool->giveBack());
  EXPECT_EQ(pool->reservedBytes(), 0u);
}

// More than the device has in all is asked for, of blocks that are never in use at once.
TEST_P(DevicePoolTest, WithoutMemoryThePoolGivesItsOwnBack) {
  std::shared_ptr<DevicePool> pool = DevicePool::of(device);
  if (device->driverName() == "cpu" || device->driverName() == "sim")
    GTEST_SKIP() << "the memory is the machine's, which others use";
  Result<rt::MemoryInfo> memory = device->memoryInfo();
  ASSERT_OK(memory);
  size_t most = memory->freeBytes / 8 * 5;
  Result<void *> block = pool->allocate(most);
  ASSERT_OK(block);
  EXPECT_ERROR(pool->allocate(most), "out of memory");
  EXPECT_ERROR(device->allocate(most), "");
  pool->release(*block);
  // A block that fits in no chunk that is there.
  block = pool->allocate(most + kMiB);
  ASSERT_OK(block);
  pool->release(*block);
  // Memory that is not the pool's.
  Result<void *> direct = device->allocate(most);
  ASSERT_OK(direct);
  EXPECT_EQ(pool->reservedBytes(), 0u);
  EXPECT_OK(device->release(*direct));
}

namespace {
class Counting final : public rt::MemoryHolder {
public:
  bool giveBack() override {
    ++asked;
    return gives;
  }
  bool gives = false;
  int asked = 0;
};
} // namespace

TEST_P(DevicePoolTest, HoldersAreAskedUntilThereIsMemory) {
  auto stingy = std::make_shared<Counting>(), willing = std::make_shared<Counting>();
  auto gone = std::make_shared<Counting>();
  willing->gives = true;
  for (const std::shared_ptr<Counting> &holder : {gone, stingy, willing})
    device->addHolder(holder);
  gone = nullptr;
  Result<rt::MemoryInfo> memory = device->memoryInfo();
  ASSERT_OK(memory);
  size_t tooMuch = memory->totalBytes + (size_t(1) << 30);
  EXPECT_ERROR(device->allocate(tooMuch), "bytes");
  EXPECT_EQ(stingy->asked, 1);
  EXPECT_EQ(willing->asked, 1);
  allocate(100);
  EXPECT_EQ(stingy->asked, 1);
  stingy = nullptr;
  EXPECT_ERROR(device->allocate(tooMuch), "bytes");
  EXPECT_EQ(willing->asked, 2);
}

TEST_P(DevicePoolTest, TrimAsksAllHolders) {
  auto first = std::make_shared<Counting>(), second = std::make_shared<Counting>();
  first->gives = true;
  device->addHolder(first);
  device->addHolder(second);
  std::shared_ptr<DevicePool> pool = DevicePool::of(device);
  Result<void *> block = pool->allocate(kMiB);
  ASSERT_OK(block);
  pool->release(*block);
  EXPECT_GT(pool->reservedBytes(), 0u);
  device->trim();
  EXPECT_EQ(pool->reservedBytes(), 0u);
  EXPECT_EQ(first->asked, 1);
  EXPECT_EQ(second->asked, 1);
}

// What a context's runs have left goes back, and the next run takes it anew.
TEST_P(DevicePoolTest, AContextGivesItsTemporariesBack) {
  auto made = rt::DeviceContext::create(device);
  ASSERT_OK(made);
  rt::DeviceContext &context = **made;
  EXPECT_FALSE(context.giveBack());
  Result<rt::MemoryInfo> before = device->memoryInfo();
  for (int run = 0; run < 2; ++run) {
    ASSERT_OK(context.beginRun());
    Result<void *> block = context.allocate(4 * kMiB);
    ASSERT_OK(block);
    ASSERT_OK(context.stream().fill(*block, 7, 1, 4 * kMiB));
    ASSERT_OK(context.endRun());
    EXPECT_EQ(download(static_cast<char *>(*block), 1)[0], 7);
    EXPECT_TRUE(context.giveBack());
    EXPECT_FALSE(context.giveBack());
    if (device->driverName() != "cpu") // whose memory others use
      EXPECT_EQ(device->memoryInfo()->freeBytes, before->freeBytes);
  }
}

TEST_P(DevicePoolTest, ThreadsTakeTheirOwnBlocks) {
  std::shared_ptr<DevicePool> pool = DevicePool::of(device);
  std::vector<std::vector<void *>> taken(4);
  std::vector<std::thread> threads;
  for (std::vector<void *> &mine : taken)
    threads.emplace_back([&mine, &pool] {
      for (int i = 0; i < 200; ++i) {
        Result<void *> block = pool->allocate(1000);
        EXPECT_OK(block);
        if (i % 2)
          pool->release(*block);
        else
          mine.push_back(*block);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  std::vector<void *> all;
  for (const std::vector<void *> &mine : taken)
    all.insert(all.end(), mine.begin(), mine.end());
  EXPECT_EQ(pool->liveBytes(), all.size() * 1024);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  for (void *block : all)
    pool->release(block);
  EXPECT_EQ(pool->liveBytes(), 0u);
}

TEST_P(DevicePoolTest, TheLastHolderGivesAllBack) {
  Result<rt::MemoryInfo> before = device->memoryInfo();
  ASSERT_OK(before);
  {
    std::shared_ptr<DevicePool> pool = DevicePool::of(device);
    Result<void *> block = pool->allocate(100 * kMiB);
    ASSERT_OK(block);
    pool->release(*block);
    EXPECT_LE(device->memoryInfo()->freeBytes, before->freeBytes - 100 * kMiB);
  }
  EXPECT_EQ(device->memoryInfo()->freeBytes, before->freeBytes);
  EXPECT_EQ(DevicePool::of(device)->reservedBytes(), 0u);
}
