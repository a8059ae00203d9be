// Conformance: the C functions compiled host code calls, inside of an execution context.
#include "ConformanceFixture.h"

#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceABI.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/Invoke.h"

#include <functional>
#include <numeric>

using namespace forge;
using namespace forge::test;

namespace {
class DeviceABITest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    Result<std::string> bytes = GetParam().kernels(device->properties());
    ASSERT_OK(bytes);
    code = *bytes;
    auto made = rt::DeviceContext::create(device);
    ASSERT_OK(made);
    onDevice = std::move(*made);
    context.setDevice(onDevice.get());
  }

  /// Runs `body` as compiled code runs.
  Result<void> run(std::function<void()> body) {
    if (Result<void> ready = onDevice->beginRun(); !ready)
      return ready;
    void *args[] = {&body};
    Result<void> done =
        context.run([](void **args) { (*static_cast<std::function<void()> *>(args[0]))(); }, args);
    Result<void> ended = onDevice->endRun();
    return done ? ended : done;
  }

  void *function(const char *name) {
    void *loaded =
        forge_rt_device_module(code.data(), static_cast<int64_t>(code.size()), "conformance");
    return forge_rt_device_kernel(loaded, name);
  }
  template <typename... Arguments>
  void go(const char *name, int64_t grid, int64_t block, Arguments... arguments) {
    void *pointers[] = {&arguments...};
    forge_rt_launch(function(name), grid, 1, 1, block, 1, 1, 0, pointers, sizeof...(arguments),
                    "rows; tensor<1000xf32>");
  }

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

  std::string code;
  std::unique_ptr<rt::DeviceContext> onDevice;
  rt::Context context;
};
} // namespace
FORGE_FOR_ALL_DEVICES(DeviceABITest);

TEST_P(DeviceABITest, AConditionReadBack) {
  // while (sum < 100) sum += iota(4)[2] ... on the device, the condition on the host.
  int32_t rounds = 0;
  ASSERT_OK(run([&] {
    auto *sum = static_cast<float *>(forge_rt_device_alloc(16));
    auto *ones = static_cast<float *>(forge_rt_device_alloc(16));
    forge_rt_device_fill(sum, 0, 4, 4);
    forge_rt_device_fill(ones, 0x3f800000, 4, 4);
    for (float now = 0; now < 10; ++rounds) {
      go("forge_test_axpy", 1, 32, sum, ones, 1.5f, int64_t(4));
      forge_rt_device_read(&now, sum + 3, 4);
    }
    forge_rt_device_free(ones);
    forge_rt_device_free(sum);
  }));
  EXPECT_EQ(rounds, 7);
  EXPECT_EQ(onDevice->numLaunches(), 7u);
}

TEST_P(DeviceABITest, ConstantsAreUploadedOnce) {
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

TEST_P(DeviceABITest, WriteAndReadAtOnce) {
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

TEST_P(DeviceABITest, FillOfEightBytes) {
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

TEST_P(DeviceABITest, StridedCopies) {
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

TEST_P(DeviceABITest, ASequenceBecomesAGraph) {
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

TEST_P(DeviceABITest, ALoopReplaysItsGraphs) {
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

TEST_P(DeviceABITest, ALoopThatNeverDoesTheSame) {
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

TEST_P(DeviceABITest, GraphsCanBeTurnedOff) {
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

TEST_P(DeviceABITest, WhatDoesNotBelongInASequence) {
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
                 }),
                 "inside another one");
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

TEST_P(DeviceABITest, ErrorsEndTheRunAndNotTheProcess) {
  EXPECT_ERROR(run([&] { forge_rt_device_alloc(int64_t(1) << 60); }), "out of memory");
  EXPECT_ERROR(run([&] { forge_rt_device_alloc(-1); }), "negative size");
  EXPECT_ERROR(run([&] { function("missing_kernel"); }), "missing_kernel");
  EXPECT_ERROR(run([&] { forge_rt_device_module("abc", 3, "broken"); }), "broken");
  EXPECT_ERROR(run([&] { go("forge_test_store", 1, 1000000, (int32_t *)nullptr); }),
               "rows; tensor<1000xf32>");
  EXPECT_ERROR(run([&] { go("forge_test_store", -1, 1, (int32_t *)nullptr); }),
               "sizes from 0 to 2^32 - 1");
  // An empty grid does nothing.
  ASSERT_OK(run([&] { go("forge_test_store", 0, 1, (int32_t *)nullptr); }));
  rt::Context without;
  EXPECT_ERROR(without.run([](void **) { forge_rt_device_synchronize(); }, nullptr), "without one");
}

TEST_P(DeviceABITest, AFaultNamesTheLaunchAndTheNextRunWorks) {
  if (!GetParam().survivesBadStore)
    GTEST_SKIP() << "a store to a wrong address ends the process, or loses the device for it, on "
                 << GetParam().target;
  auto *nowhere = reinterpret_cast<int32_t *>(uintptr_t(4096));
  EXPECT_ERROR(run([&] { go("forge_test_store", 1, 1, nowhere); }), "@forge_test_store");
  int32_t value = 0;
  ASSERT_OK(run([&] {
    auto *memory = static_cast<int32_t *>(forge_rt_device_alloc(4));
    go("forge_test_store", 1, 1, memory);
    forge_rt_device_read(&value, memory, 4);
  }));
  EXPECT_EQ(value, 7);
}

TEST_P(DeviceABITest, LaunchesAreTimed) {
  onDevice->setTiming(true);
  ASSERT_OK(run([&] {
    auto *out = static_cast<int64_t *>(forge_rt_device_alloc(8));
    go("forge_test_spin", 1, 1, out, int64_t(1000));
    go("forge_test_spin", 1, 1, out, int64_t(1000000));
  }));
  Result<std::vector<rt::KernelTime>> times = onDevice->takeTimes();
  ASSERT_OK(times);
  ASSERT_EQ(times->size(), 2u);
  EXPECT_EQ((*times)[0].kernel, "forge_test_spin");
  EXPECT_EQ((*times)[0].description, "rows; tensor<1000xf32>");
  EXPECT_GT((*times)[1].ms, (*times)[0].ms);
  times = onDevice->takeTimes();
  ASSERT_OK(times);
  EXPECT_TRUE(times->empty());
}

TEST_P(DeviceABITest, TemporariesOfRunsDoNotAddUp) {
  for (int i = 0; i < 20; ++i)
    ASSERT_OK(run([&] { forge_rt_device_alloc(int64_t(64) << 20); }));
  EXPECT_EQ(onDevice->peakBytes(), size_t(64) << 20);
}

//===----------------------------------------------------------------------===//
// Functions on host tensors

/// As compiled code would be: result 0 = argument 0 turned round (by strides), result 1 = twice
/// argument 1, an argument of rank 0 in between.
static void compiled(void **args) {
  auto *result = static_cast<int64_t *>(args[0]);
  auto *matrix = static_cast<int64_t *>(args[1]), *vector = static_cast<int64_t *>(args[3]);
  std::copy(matrix, matrix + 3, result);
  std::swap_ranges(matrix + 3, matrix + 4, matrix + 4);
  result[3] = matrix[3];
  result[4] = matrix[4];
  result[5] = matrix[6];
  result[6] = matrix[5];
  int64_t bytes = 4 * vector[3];
  void *memory = forge_rt_device_alloc(bytes);
  forge_rt_device_copy(memory, reinterpret_cast<void *>(vector[1]), bytes);
  result[7] = result[8] = reinterpret_cast<int64_t>(memory);
  result[9] = 0;
  result[10] = vector[3];
  result[11] = 1;
}

TEST_P(DeviceABITest, InvokeCopiesInAndOut) {
  FunctionSignature signature;
  signature.name = "test";
  signature.arguments = {
      {DType::F32, {2, 3}}, {DType::I4, {}}, {DType::F32, {TensorSpec::dynamic}}};
  signature.results = {{DType::F32, {3, 2}}, {DType::F32, {TensorSpec::dynamic}}};
  signature.donated = {false, false, false};
  auto tensor = [&](DType type, std::vector<int64_t> dims) {
    Result<HostTensor> made = HostTensor::create(type, std::move(dims));
    EXPECT_OK(made);
    for (int64_t i = 0; i < made->numElements(); ++i)
      made->setDouble(i, double(i) - 1);
    return std::move(*made);
  };
  for (int64_t size : {5, 0}) {
    Result<rt::Invocation> done =
        rt::invoke(context, compiled, signature,
                   {tensor(DType::F32, {2, 3}), tensor(DType::I4, {}), tensor(DType::F32, {size})});
    ASSERT_OK(done);
    ASSERT_EQ(done->results.size(), 2u);
    EXPECT_EQ(done->results[0].dims(), (std::vector<int64_t>{3, 2}));
    for (int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(done->results[0].getDouble(i), double(i % 2 * 3 + i / 2) - 1);
    EXPECT_EQ(done->results[1].numElements(), size);
    for (int64_t i = 0; i < size; ++i)
      EXPECT_EQ(done->results[1].getDouble(i), double(i) - 1);
    EXPECT_GE(done->runMs, 0);
  }
  EXPECT_ERROR(rt::invoke(context, compiled, signature, {}), "expected 3 inputs");
}
