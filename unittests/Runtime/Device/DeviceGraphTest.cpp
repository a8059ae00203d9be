// Conformance: graphs.
#include "ConformanceFixture.h"

#include <cmath>

using namespace forge;
using namespace forge::test;

namespace {
class DeviceGraphTest : public DeviceTest {};
} // namespace
FORGE_FOR_ALL_DEVICES(DeviceGraphTest);

TEST_P(DeviceGraphTest, GraphsReplay) {
  if (!GetParam().hasGraphs)
    GTEST_SKIP() << GetParam().target << " has no graphs";
  constexpr size_t n = 1000;
  std::vector<float> x = randomFloats(n);
  float *dx = upload(x), *dy = upload(std::vector<float>(n, 0.0f)), *dz = allocate<float>(n);
  kernel("forge_test_axpy");
  ASSERT_OK(stream->beginCapture());
  EXPECT_TRUE(stream->isCapturing());
  ASSERT_OK(launch(*stream, "forge_test_axpy", 4, 256, 0, dy, dx, 2.0f, int64_t(n)));
  ASSERT_OK(launch(*stream, "forge_test_axpy", 4, 256, 0, dy, dx, 0.5f, int64_t(n)));
  ASSERT_OK(stream->copyOnDevice(dz, dy, n * 4));
  ASSERT_OK(stream->fill(dz, 0, 4, 1));
  auto graph = stream->endCapture();
  ASSERT_OK(graph);
  EXPECT_FALSE(stream->isCapturing());
  EXPECT_EQ((*graph)->numNodes(), 4u);
  // Nothing was done by capturing.
  EXPECT_EQ(download(dy, n), std::vector<float>(n, 0.0f));
  for (int replay = 1; replay <= 3; ++replay) {
    ASSERT_OK(stream->launch(**graph));
    std::vector<float> y = download(dy, n), z = download(dz, n);
    EXPECT_EQ(z[0], 0);
    for (size_t i = 1; i < n; ++i) {
      ASSERT_NEAR(y[i], 2.5f * float(replay) * x[i], 1e-4);
      ASSERT_EQ(z[i], y[i]);
    }
  }
}

// Kernels that wait themselves, launched before those before them have ended: more blocks than fit,
// each kernel reading what all blocks of the one before it wrote.
TEST_P(DeviceGraphTest, DependentLaunchesAreInOrder) {
  // As much as shows on a GPU; a simulated one takes its time.
  const int32_t n = GetParam().target == "cuda" ? 1 << 20 : 1 << 10;
  constexpr int kRounds = 20;
  std::vector<float> x = randomFloats(n);
  float *dx = upload(x), *dy = upload(std::vector<float>(n, 0.0f)), *dz = allocate<float>(n);
  kernel("forge_test_axpy");
  auto issue = [&]() -> Result<void> {
    for (int round = 0; round < kRounds; ++round) {
      // A copy and a fill in between are waited for too, and a plain launch.
      if (round % 5 == 4)
        if (Result<void> done = stream->copyOnDevice(dz, dy, n * 4); !done)
          return done;
      if (round % 5 == 3)
        if (Result<void> done = stream->fill(dz, 0, 4, n); !done)
          return done;
      dependent = round % 7 != 6;
      // z = x + ...; y += z / 2: each reads what the one before wrote.
      if (Result<void> done =
              launch(*stream, "forge_test_axpy", n / 128, 128, 0, dz, dx, 1.0f, int64_t(n));
          !done)
        return done;
      if (Result<void> done =
              launch(*stream, "forge_test_axpy", n / 128, 128, 0, dy, dz, 0.5f, int64_t(n));
          !done)
        return done;
    }
    return {};
  };
  auto reference = [&](std::vector<float> &y, std::vector<float> &z) {
    for (int round = 0; round < kRounds; ++round)
      for (size_t i = 0; i < n; ++i) {
        if (round % 5 == 4)
          z[i] = y[i];
        if (round % 5 == 3)
          z[i] = 0;
        z[i] = std::fma(1.0f, x[i], z[i]);
        y[i] = std::fma(0.5f, z[i], y[i]);
      }
  };
  std::vector<float> y(n, 0.0f), z(n, 0.0f);
  ASSERT_OK(stream->fill(dz, 0, 4, n));
  ASSERT_OK(issue());
  reference(y, z);
  EXPECT_EQ(download(dy, n), y);
  if (!GetParam().hasGraphs)
    return;
  ASSERT_OK(stream->beginCapture());
  ASSERT_OK(issue());
  auto graph = stream->endCapture();
  ASSERT_OK(graph);
  for (int replay = 0; replay < 2; ++replay) {
    ASSERT_OK(stream->launch(**graph));
    reference(y, z);
    EXPECT_EQ(download(dy, n), y);
  }
}

TEST_P(DeviceGraphTest, CaptureMisuse) {
  if (!GetParam().hasGraphs)
    GTEST_SKIP() << GetParam().target << " has no graphs";
  EXPECT_ERROR(stream->endCapture(), "not being captured");
  ASSERT_OK(stream->beginCapture());
  EXPECT_ERROR(stream->beginCapture(), "already");
  EXPECT_FALSE(stream->synchronize());
  // A wait breaks a capture on some drivers; either way it ends here, and the stream lives on.
  (void)stream->endCapture();
  EXPECT_FALSE(device->isLost());
  int32_t *out = allocate<int32_t>(1);
  ASSERT_OK(launch(*stream, "forge_test_store", 1, 1, 0, out));
  EXPECT_EQ(download(out, 1)[0], 7);
}
