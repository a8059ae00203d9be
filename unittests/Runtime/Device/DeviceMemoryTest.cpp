// Conformance: memory and copies.
#include "ConformanceFixture.h"

#include "forge/Runtime/DeviceContext.h"
#include "forge/Support/TensorSource.h"

#include <cstring>
#include <numeric>

using namespace forge;
using namespace forge::test;

namespace {
class DeviceMemoryTest : public DeviceTest {};
} // namespace
FORGE_FOR_ALL_DEVICES(DeviceMemoryTest);

TEST_P(DeviceMemoryTest, MemoryIsAlignedAndDoesNotOverlap) {
  std::vector<std::pair<char *, size_t>> blocks;
  for (size_t bytes : {1ul, 255ul, 256ul, 4097ul, 1000000ul})
    for (int i = 0; i < 2; ++i) {
      char *block = allocate(bytes);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 256, 0u);
      blocks.push_back({block, bytes});
      ASSERT_OK(stream->fill(block, static_cast<uint32_t>(blocks.size()), 1, bytes));
    }
  for (size_t i = 0; i < blocks.size(); ++i)
    EXPECT_EQ(download(blocks[i].first, blocks[i].second),
              std::vector<char>(blocks[i].second, static_cast<char>(i + 1)));
}

TEST_P(DeviceMemoryTest, NothingIsAllocatedForNothing) {
  Result<void *> memory = device->allocate(0);
  ASSERT_OK(memory);
  EXPECT_EQ(*memory, nullptr);
  EXPECT_OK(device->release(nullptr));
  EXPECT_OK(stream->copyToDevice(nullptr, nullptr, 0));
}

TEST_P(DeviceMemoryTest, OutOfMemoryLeavesTheDeviceUsable) {
  Result<rt::MemoryInfo> before = device->memoryInfo();
  ASSERT_OK(before);
  EXPECT_ERROR(device->allocate(before->totalBytes + (size_t(1) << 30)), "bytes");
  EXPECT_ERROR(device->allocate(size_t(1) << 60), "bytes");
  EXPECT_FALSE(device->isLost());
  std::vector<int32_t> values(1000);
  std::iota(values.begin(), values.end(), -500);
  EXPECT_EQ(download(upload(values), values.size()), values);
}

TEST_P(DeviceMemoryTest, CopiesRoundTrip) {
  for (size_t bytes : {1ul, 3ul, 4096ul, (1ul << 20) + 7}) {
    std::vector<uint8_t> values(bytes);
    for (uint8_t &value : values)
      value = static_cast<uint8_t>(random());
    uint8_t *first = upload(values), *second = allocate<uint8_t>(bytes);
    ASSERT_OK(stream->copyOnDevice(second, first, bytes));
    EXPECT_EQ(download(second, bytes), values);
  }
}

// Of more pieces than threads have memory for; the last is short. Twice, so that pieces are used
// again.
TEST_P(DeviceMemoryTest, LargeTensorsComeInPieces) {
  auto context = rt::DeviceContext::create(device);
  ASSERT_OK(context);
  for (size_t count : {size_t(5), 5 * TensorSource::kPieceBytes / 2 + 3}) {
    HostTensor tensor = *HostTensor::create(DType::I16, {static_cast<int64_t>(count)});
    auto *values = tensor.dataAs<int16_t>();
    for (size_t i = 0; i < count; ++i)
      values[i] = static_cast<int16_t>(random());
    std::vector<int16_t> expected(values, values + count);
    int16_t *memory = allocate<int16_t>(count);
    ASSERT_OK((*context)->upload(memory, TensorSource::of(tensor)));
    EXPECT_EQ(download(memory, count), expected);
    ASSERT_OK((*context)->upload(memory, TensorSource::of(std::move(tensor))));
    EXPECT_EQ(download(memory, count), expected);
  }
}

TEST_P(DeviceMemoryTest, HostMemoryForCopies) {
  Result<void *> host = device->allocateHost(4096);
  ASSERT_OK(host);
  std::memset(*host, 0x5a, 4096);
  char *memory = allocate(4096);
  ASSERT_OK(stream->copyToDevice(memory, *host, 4096));
  EXPECT_EQ(download(memory, 4096), std::vector<char>(4096, 0x5a));
  EXPECT_OK(device->releaseHost(*host));
}

TEST_P(DeviceMemoryTest, RowsAreCopiedByPitch) {
  // 5 rows of 3 out of rows of 7, into rows of 4.
  std::vector<int32_t> source(35), expected(20, -1);
  for (int32_t &value : source)
    value = static_cast<int32_t>(random());
  for (size_t row = 0; row < 5; ++row)
    for (size_t column = 0; column < 3; ++column)
      expected[row * 4 + column] = source[row * 7 + column];
  int32_t *from = upload(source), *to = upload(std::vector<int32_t>(20, -1));
  ASSERT_OK(stream->copyRows(to, 16, from, 28, 12, 5));
  EXPECT_EQ(download(to, 20), expected);
  EXPECT_ERROR(stream->copyRows(to, 8, from, 28, 12, 5), "pitch");
}

TEST_P(DeviceMemoryTest, FillSetsElements) {
  uint32_t *memory = allocate<uint32_t>(8);
  ASSERT_OK(stream->fill(memory, 0xabcd1234, 4, 8));
  ASSERT_OK(stream->fill(memory, 0x5678, 2, 5));
  ASSERT_OK(stream->fill(memory, 0xff, 1, 3));
  std::vector<uint32_t> expected = {0x56ffffff, 0x56785678, 0xabcd5678, 0xabcd1234,
                                    0xabcd1234, 0xabcd1234, 0xabcd1234, 0xabcd1234};
  EXPECT_EQ(download(memory, 8), expected);
  EXPECT_ERROR(stream->fill(memory, 0, 3, 1), "1, 2 or 4 bytes");
}
