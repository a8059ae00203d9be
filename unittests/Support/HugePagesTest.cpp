#include "forge/Support/HugePages.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>

using namespace forge;

TEST(HugePages, ContentStays) {
  size_t bytes = 4 * kHugePage;
  std::unique_ptr<char, decltype(&std::free)> memory(
      static_cast<char *>(std::aligned_alloc(64, bytes)), &std::free);
  ASSERT_TRUE(memory);
  std::memset(memory.get(), 7, bytes);
  preferHugePages(memory.get() + 100, bytes - 200);
  preferHugePages(memory.get(), 1);
  preferHugePages(nullptr, 0);
  for (size_t i = 0; i < bytes; ++i)
    ASSERT_EQ(memory.get()[i], 7);
}
