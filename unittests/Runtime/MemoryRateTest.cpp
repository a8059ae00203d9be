#include "forge/Runtime/MemoryRate.h"

#include <gtest/gtest.h>

using namespace forge;

/// No machine reads less than a megabyte a second, or more than a petabyte.
TEST(MemoryRate, OfTheCpuIsMeasured) {
  for (uint64_t bytes : {uint64_t(0), uint64_t(5) << 20, ~uint64_t(0)}) {
    double rate = rt::memoryRate(nullptr, bytes);
    EXPECT_GT(rate, 1e6) << bytes;
    EXPECT_LT(rate, 1e15) << bytes;
  }
}
