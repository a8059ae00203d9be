#include "forge/Runtime/ThreadPool.h"

#include <gtest/gtest.h>
#include <vector>

using forge::rt::ThreadPool;

namespace {
class ThreadPoolTest : public ::testing::TestWithParam<unsigned> {};
} // namespace

TEST_P(ThreadPoolTest, EveryIterationRunsOnce) {
  ThreadPool pool(GetParam());
  for (int64_t count : {0, 1, 2, 7, 100, 10007})
    for (int64_t grain : {1, 3, 1000}) {
      std::vector<std::atomic<int>> hits(static_cast<size_t>(count));
      pool.parallelFor(5, 5 + count, grain, [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i)
          ++hits[static_cast<size_t>(i - 5)];
      });
      for (std::atomic<int> &hit : hits)
        ASSERT_EQ(hit.load(), 1);
    }
}

TEST_P(ThreadPoolTest, ManySmallLoops) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> sum{0};
  for (int loop = 0; loop < 5000; ++loop)
    pool.parallelFor(0, 8, 1, [&](int64_t from, int64_t to) { sum += to - from; });
  EXPECT_EQ(sum.load(), 40000);
}

TEST_P(ThreadPoolTest, NestedLoopsRunInTheirThread) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> sum{0};
  pool.parallelFor(0, 16, 1, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i)
      pool.parallelFor(0, 10, 1, [&](int64_t a, int64_t b) { sum += b - a; });
  });
  EXPECT_EQ(sum.load(), 160);
}

TEST_P(ThreadPoolTest, SeveralCallersAtOnce) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      for (int loop = 0; loop < 500; ++loop)
        pool.parallelFor(0, 32, 1, [&](int64_t from, int64_t to) { sum += to - from; });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(sum.load(), 3 * 500 * 32);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, ::testing::Values(1u, 2u, 5u));
