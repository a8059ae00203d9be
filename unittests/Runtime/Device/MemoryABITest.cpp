// Conformance: the memory of compiled code on a device: buffers, constants, copies.
#include "CompiledCodeFixture.h"

#include <numeric>

using namespace forge;
using namespace forge::test;

namespace {
class MemoryABITest : public CompiledCodeTest {};
} // namespace
FORGE_FOR_ALL_DEVICES(MemoryABITest);

TEST_P(MemoryABITest, ConstantsAreUploadedOnce) {
  std::vector<float> weights = randomFloats(500), got(500);
  void *first = nullptr, *second = nullptr;
  for (void **address : {&first, &second})
    ASSERT_OK(run([&] {
      *address = forge_rt_device_constant(weights.data(), 2000);
      forge_rt_device_read(got.data(), *address, 2000);
    }));
  EXPECT_EQ(first, second);
  EXPECT_EQ(got, weights);
}

TEST_P(MemoryABITest, WriteAndReadAtOnce) {
  std::vector<int32_t> got(3);
  ASSERT_OK(run([&] {
    void *memory = forge_rt_device_alloc(12);
    int32_t values[] = {1, 2, 3};
    forge_rt_device_write(memory, values, 12);
    values[0] = values[1] = values[2] = 0;
    forge_rt_device_read(got.data(), memory, 12);
  }));
  EXPECT_EQ(got, (std::vector<int32_t>{1, 2, 3}));
}

TEST_P(MemoryABITest, FillOfEightBytes) {
  std::vector<int64_t> got(77), same(5);
  ASSERT_OK(run([&] {
    void *memory = forge_rt_device_alloc(8 * 77);
    forge_rt_device_fill(memory, 0x0123456789abcdef, 8, 77);
    forge_rt_device_read(got.data(), memory, 8 * 77);
    forge_rt_device_fill(memory, -1, 8, 5);
    forge_rt_device_read(same.data(), memory, 40);
  }));
  EXPECT_EQ(got, std::vector<int64_t>(77, 0x0123456789abcdef));
  EXPECT_EQ(same, std::vector<int64_t>(5, -1));
}

/// A memref descriptor.
static std::vector<int64_t> memref(void *data, int64_t offset, std::vector<int64_t> sizes,
                                   std::vector<int64_t> strides) {
  std::vector<int64_t> words = {reinterpret_cast<int64_t>(data), reinterpret_cast<int64_t>(data),
                                offset};
  words.insert(words.end(), sizes.begin(), sizes.end());
  words.insert(words.end(), strides.begin(), strides.end());
  return words;
}

TEST_P(MemoryABITest, StridedCopies) {
  std::vector<int32_t> source(2 * 3 * 4);
  std::iota(source.begin(), source.end(), 0);
  std::vector<int32_t> rows(6, -1), transposed(24, -1), reversed(4, -1), dense(24, -1);
  ASSERT_OK(run([&] {
    void *from = forge_rt_device_alloc(96), *to = forge_rt_device_alloc(96);
    forge_rt_device_write(from, source.data(), 96);
    // source[1, :, 1:3] as 3x2.
    auto a = memref(from, 13, {3, 2}, {4, 1}), b = memref(to, 0, {3, 2}, {2, 1});
    forge_rt_device_copy_strided(4, 2, a.data(), 2, b.data());
    forge_rt_device_read(rows.data(), to, 24);
    // All, with the dimensions turned round.
    a = memref(from, 0, {4, 2, 3}, {1, 12, 4});
    b = memref(to, 0, {4, 2, 3}, {6, 3, 1});
    forge_rt_device_copy_strided(4, 3, a.data(), 3, b.data());
    forge_rt_device_read(transposed.data(), to, 96);
    // Backwards.
    a = memref(from, 3, {4}, {-1});
    b = memref(to, 0, {4}, {1});
    forge_rt_device_copy_strided(4, 1, a.data(), 1, b.data());
    forge_rt_device_read(reversed.data(), to, 16);
    // Dense on both sides, with a dimension of size 1, and an empty one.
    a = memref(from, 0, {2, 1, 12}, {12, 99, 1});
    b = memref(to, 0, {2, 1, 12}, {12, 7, 1});
    forge_rt_device_copy_strided(4, 3, a.data(), 3, b.data());
    forge_rt_device_read(dense.data(), to, 96);
    a = memref(nullptr, 0, {0, 5}, {5, 1});
    forge_rt_device_copy_strided(4, 2, a.data(), 2, a.data());
  }));
  EXPECT_EQ(rows, (std::vector<int32_t>{13, 14, 17, 18, 21, 22}));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      EXPECT_EQ(transposed[static_cast<size_t>(i * 6 + j)], j / 3 * 12 + j % 3 * 4 + i);
  EXPECT_EQ(reversed, (std::vector<int32_t>{3, 2, 1, 0}));
  EXPECT_EQ(dense, source);
}

TEST_P(MemoryABITest, TemporariesOfRunsDoNotAddUp) {
  for (int i = 0; i < 20; ++i)
    ASSERT_OK(run([&] { forge_rt_device_alloc(int64_t(64) << 20); }));
  EXPECT_EQ(onDevice->peakBytes(), size_t(64) << 20);
}
