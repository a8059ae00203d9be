#include "forge/Runtime/Context.h"
#include "forge/Runtime/CABI.h"

#include <atomic>
#include <gtest/gtest.h>

using namespace forge;
using forge::rt::Context;

TEST(Context, OutOfMemoryIsOneErrorAndTheContextLives) {
  Context context(1 << 20);
  Result<void> result = context.run(+[](void **) { forge_rt_alloc(int64_t(1) << 40); }, nullptr);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("out of memory"), std::string::npos);
  EXPECT_TRUE(context.run(+[](void **) { forge_rt_alloc(1000); }, nullptr));
}

TEST(Context, NegativeAndOverflowingSizes) {
  Context context;
  Result<void> negative = context.run(+[](void **) { forge_rt_size_mul(4, -3); }, nullptr);
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().message, "negative dimension size -3");
  Result<void> overflow = context.run(+[](void **) { forge_rt_size_mul(INT64_MAX, 2); }, nullptr);
  ASSERT_FALSE(overflow);
  EXPECT_NE(overflow.error().message.find("does not fit"), std::string::npos);
}

TEST(Context, AssertionNamesTheValues) {
  Context context;
  auto entry = +[](void **) {
    const int64_t values[] = {7, 9};
    forge_rt_assert(1, "never", 5, 0, nullptr);
    forge_rt_assert(0, "expected {0}, but got {1}", 25, 2, values);
  };
  Result<void> result = context.run(entry, nullptr);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "expected 7, but got 9");
}

TEST(Context, ErrorInAParallelBodyEndsTheRun) {
  Context context;
  auto entry = +[](void **) {
    forge_rt_parallel_for(
        0, 1000, 1,
        +[](void *, int64_t from, int64_t to) {
          if (from <= 500 && 500 < to)
            forge_rt_shape_mismatch(2, 1, 8, 16);
        },
        nullptr);
    forge_rt_fail("not reached", 11);
  };
  for (int i = 0; i < 100; ++i) {
    Result<void> result = context.run(entry, nullptr);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "argument 2, dimension 1: expected size 8, but got 16");
  }
}

TEST(Context, MemoryOfTheLastRunIsGivenBack) {
  Context context(8 << 20);
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(context.run(+[](void **) { forge_rt_alloc(3 << 20); }, nullptr));
}
