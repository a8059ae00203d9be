// Conformance: sequences of launches that compiled code has captured as graphs, and replays.
#include "CompiledCodeFixture.h"

using namespace forge;
using namespace forge::test;

namespace {
class GraphABITest : public CompiledCodeTest {
protected:
  /// The body of a loop: adds x to what `from` holds, into `to`, by two launches and a buffer
  /// between.
  bool step(const void *key, float *from, float *to, float *x, int64_t n, int64_t counter) {
    int64_t words[] = {reinterpret_cast<int64_t>(from), reinterpret_cast<int64_t>(to), n, counter};
    if (!forge_rt_graph_begin(key, words, 4))
      return false;
    auto *t = static_cast<float *>(forge_rt_device_alloc(4 * n));
    forge_rt_device_copy(t, from, 4 * n);
    go("forge_test_axpy", 4, 256, to, t, 0.0f, n);
    forge_rt_device_copy(to, t, 4 * n);
    go("forge_test_axpy", 4, 256, to, x, 1.0f, n);
    forge_rt_device_free(t);
    forge_rt_graph_end(key);
    return true;
  }
};
} // namespace
FORGE_FOR_ALL_DEVICES(GraphABITest);

TEST_P(GraphABITest, ASequenceBecomesAGraph) {
  constexpr int64_t n = 1000;
  std::vector<float> x = randomFloats(n), got(n);
  static const char key = 0;
  int issued = 0;
  auto once = [&](float scale) {
    return run([&] {
      auto *dx = static_cast<float *>(forge_rt_device_constant(x.data(), 4 * n));
      auto *dy = static_cast<float *>(forge_rt_device_alloc(4 * n));
      int64_t words[] = {reinterpret_cast<int64_t>(dx), reinterpret_cast<int64_t>(dy), n,
                         static_cast<int64_t>(scale * 16)};
      if (forge_rt_graph_begin(&key, words, 4)) {
        ++issued;
        auto *t = static_cast<float *>(forge_rt_device_alloc(4 * n));
        forge_rt_device_fill(t, 0, 4, n);
        go("forge_test_axpy", 4, 256, t, dx, scale, n);
        forge_rt_device_copy(dy, t, 4 * n);
        go("forge_test_axpy", 4, 256, dy, t, 1.0f, n);
        forge_rt_device_free(t);
        forge_rt_graph_end(&key);
      }
      forge_rt_device_read(got.data(), dy, 4 * n);
    });
  };
  for (float scale : {1.0f, 3.0f, 1.0f, 3.0f, 1.0f, 1.0f, 3.0f}) {
    std::fill(got.begin(), got.end(), -1.0f);
    ASSERT_OK(once(scale));
    for (size_t i = 0; i < n; ++i)
      ASSERT_NEAR(got[i], 2 * scale * x[i], 1e-5) << scale;
  }
  if (GetParam().hasGraphs) {
    EXPECT_EQ(issued, 4);
    EXPECT_EQ(onDevice->numGraphReplays(), 3u);
  }
  // More sets of words than are kept.
  for (int i = 0; i < 3; ++i)
    for (int scale = 1; scale <= 12; ++scale) {
      ASSERT_OK(once(float(scale)));
      ASSERT_NEAR(got[1], 2 * float(scale) * x[1], 1e-4);
    }
}

TEST_P(GraphABITest, ALoopReplaysItsGraphs) {
  constexpr int64_t n = 1000;
  std::vector<float> x = randomFloats(n), got(n);
  static const char key = 0;
  int issued = 0;
  size_t launchesBefore = onDevice->numLaunches();
  // Two buffers that change places with each step: two graphs.
  ASSERT_OK(run([&] {
    auto *dx = static_cast<float *>(forge_rt_device_constant(x.data(), 4 * n));
    auto *a = static_cast<float *>(forge_rt_device_alloc(4 * n));
    auto *b = static_cast<float *>(forge_rt_device_alloc(4 * n));
    forge_rt_device_fill(a, 0, 4, n);
    forge_rt_device_fill(b, 0, 4, n);
    for (int i = 0; i < 20; ++i) {
      issued += step(&key, a, b, dx, n, 0);
      std::swap(a, b);
    }
    forge_rt_device_read(got.data(), a, 4 * n);
  }));
  for (size_t i = 0; i < n; ++i)
    ASSERT_NEAR(got[i], 20 * x[i], 1e-4);
  if (!GetParam().hasGraphs)
    return;
  EXPECT_EQ(issued, 4);
  EXPECT_EQ(onDevice->numLaunches() - launchesBefore, 8u);
  EXPECT_EQ(onDevice->numGraphCaptures(), 2u);
  EXPECT_EQ(onDevice->numGraphReplays(), 16u);
}

// A loop in a sequence, each step of it one too: in the first run the steps have graphs, in the
// second all steps become one, which is replayed from then on.
TEST_P(GraphABITest, ASequenceInsideAnother) {
  constexpr int64_t n = 1000;
  std::vector<float> x = randomFloats(n), got(n);
  static const char outer = 0, inner = 0;
  int issued = 0;
  auto once = [&](int64_t perStep) {
    return run([&] {
      auto *dx = static_cast<float *>(forge_rt_device_constant(x.data(), 4 * n));
      auto *out = static_cast<float *>(forge_rt_device_alloc(4 * n));
      int64_t words[] = {reinterpret_cast<int64_t>(dx), reinterpret_cast<int64_t>(out), perStep};
      if (forge_rt_graph_begin(&outer, words, 3)) {
        auto *a = static_cast<float *>(forge_rt_device_alloc(4 * n));
        forge_rt_device_fill(a, 0, 4, n);
        for (int64_t i = 0; i < 5; ++i)
          issued += step(&inner, a, a, dx, n, perStep * (i + 1));
        forge_rt_device_copy(out, a, 4 * n);
        forge_rt_device_free(a);
        forge_rt_graph_end(&outer);
      }
      forge_rt_device_read(got.data(), out, 4 * n);
    });
  };
  for (int64_t perStep : {0, 1}) {
    size_t captures = onDevice->numGraphCaptures(), replays = onDevice->numGraphReplays();
    issued = 0;
    for (int i = 0; i < 4; ++i) {
      std::fill(got.begin(), got.end(), -1.0f);
      ASSERT_OK(once(perStep));
      for (size_t j = 0; j < n; ++j)
        ASSERT_NEAR(got[j], 5 * x[j], 1e-4);
    }
    if (!GetParam().hasGraphs)
      continue;
    // Two of the first run's steps are issued where they are alike, else all.
    EXPECT_EQ(issued, perStep ? 10 : 7);
    EXPECT_EQ(onDevice->numGraphCaptures() - captures, perStep ? 1u : 2u);
    EXPECT_EQ(onDevice->numGraphReplays() - replays, perStep ? 2u : 5u);
  }
}

TEST_P(GraphABITest, ALoopThatNeverDoesTheSame) {
  constexpr int64_t n = 100;
  std::vector<float> x = randomFloats(n), got(n);
  static const char key = 0;
  int issued = 0;
  auto steps = [&](int64_t scale) {
    return run([&] {
      auto *dx = static_cast<float *>(forge_rt_device_constant(x.data(), 4 * n));
      auto *a = static_cast<float *>(forge_rt_device_alloc(4 * n));
      forge_rt_device_fill(a, 0, 4, n);
      for (int64_t i = 0; i < 100; ++i)
        issued += step(&key, a, a, dx, n, scale * i);
      forge_rt_device_read(got.data(), a, 4 * n);
    });
  };
  ASSERT_OK(steps(1));
  for (size_t i = 0; i < n; ++i)
    ASSERT_NEAR(got[i], 100 * x[i], 1e-3);
  // By now it is known that graphs do not pay.
  ASSERT_OK(steps(0));
  EXPECT_EQ(issued, 200);
  EXPECT_EQ(onDevice->numGraphCaptures(), 0u);
  EXPECT_EQ(onDevice->numGraphReplays(), 0u);
}

TEST_P(GraphABITest, GraphsCanBeTurnedOff) {
  onDevice->setGraphs(false);
  static const char key = 0;
  int issued = 0;
  for (int i = 0; i < 4; ++i)
    ASSERT_OK(run([&] {
      int64_t word = 1;
      if (forge_rt_graph_begin(&key, &word, 1)) {
        ++issued;
        forge_rt_graph_end(&key);
      }
    }));
  EXPECT_EQ(issued, 4);
}

TEST_P(GraphABITest, WhatDoesNotBelongInASequence) {
  static const char key = 0, other = 0;
  int64_t word = 1;
  for (int i = 0; i < 2; ++i) {
    EXPECT_ERROR(run([&] {
                   void *memory = forge_rt_device_alloc(4);
                   forge_rt_graph_begin(&key, &word, 1);
                   int32_t value;
                   forge_rt_device_read(&value, memory, 4);
                 }),
                 "reading from the device inside a graph sequence");
    EXPECT_ERROR(run([&] {
                   forge_rt_graph_begin(&key, &word, 1);
                   forge_rt_graph_begin(&other, &word, 1);
                   forge_rt_graph_begin(&key, &word, 1);
                 }),
                 "inside itself");
    EXPECT_ERROR(run([&] {
                   forge_rt_graph_begin(&key, &word, 1);
                   forge_rt_graph_begin(&other, &word, 1);
                   forge_rt_graph_end(&key);
                 }),
                 "not started");
    EXPECT_ERROR(run([&] { forge_rt_graph_end(&key); }), "not started");
  }
  int32_t value = 0;
  ASSERT_OK(run([&] {
    auto *memory = static_cast<int32_t *>(forge_rt_device_alloc(4));
    go("forge_test_store", 1, 1, memory);
    forge_rt_device_read(&value, memory, 4);
  }));
  EXPECT_EQ(value, 7);
}
