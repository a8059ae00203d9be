// What devices whose memory is the host's share: events that are reached at once, host memory.
#include "forge/Runtime/ImmediateStream.h"

#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::rt;

TEST(ImmediateStream, HostMemoryIsAligned) {
  Result<void *> memory = allocateImmediateHost(65);
  ASSERT_TRUE(memory);
  ASSERT_NE(*memory, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(*memory) % 64, 0U);
  std::free(*memory);
}

TEST(ImmediateStream, NoHostMemoryForNoBytes) {
  Result<void *> memory = allocateImmediateHost(0);
  ASSERT_TRUE(memory);
  EXPECT_EQ(*memory, nullptr);
}

// Rounded up to the alignment, the greatest sizes would be 0.
TEST(ImmediateStream, MoreHostMemoryThanThereIs) {
  for (size_t bytes : {SIZE_MAX, SIZE_MAX - 62, SIZE_MAX / 2}) {
    Result<void *> memory = allocateImmediateHost(bytes);
    ASSERT_FALSE(memory) << bytes;
    EXPECT_EQ(memory.error().message,
              "out of memory: " + std::to_string(bytes) + " bytes of host memory");
  }
}

TEST(ImmediateStream, EventsAreReachedAtOnce) {
  Result<std::unique_ptr<Event>> event = createImmediateEvent(/*timed=*/false);
  ASSERT_TRUE(event);
  Result<bool> reached = (*event)->reached();
  ASSERT_TRUE(reached);
  EXPECT_TRUE(*reached);
}
