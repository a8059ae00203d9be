#include "forge/Support/TensorSource.h"

#include "forge/Support/Pieces.h"

#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <set>

using namespace forge;

TEST(Pieces, AreAllBytesOnce) {
  for (size_t bytes : {0, 1, 99, 100, 101, 1234}) {
    std::vector<int> times(bytes);
    std::mutex mutex;
    std::set<size_t> workers;
    forEachPiece(bytes, 100, 3, [&](size_t worker, size_t offset, size_t size) {
      std::lock_guard<std::mutex> lock(mutex);
      workers.insert(worker);
      EXPECT_EQ(offset % 100, 0u);
      EXPECT_TRUE(size == 100 || offset + size == bytes);
      for (size_t i = offset; i < offset + size; ++i)
        ++times[i];
    });
    EXPECT_EQ(times, std::vector<int>(bytes, 1));
    for (size_t worker : workers)
      EXPECT_LT(worker, 3u);
  }
}

TEST(TensorSource, GivesWhatATensorHolds) {
  // More than one piece, the last not full.
  int64_t count = static_cast<int64_t>(TensorSource::kPieceBytes) + 5;
  HostTensor tensor = *HostTensor::create(DType::I16, {count});
  for (int64_t i = 0; i < count; ++i)
    tensor.setBits(i, static_cast<uint64_t>(i * 7919));
  TensorSource source = TensorSource::of(tensor);
  EXPECT_EQ(source.numBytes(), tensor.numBytes());
  Result<HostTensor> taken = source.tensor();
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->dims(), tensor.dims());
  EXPECT_EQ(std::memcmp(taken->data(), tensor.data(), tensor.numBytes()), 0);
}
