// Conformance: graphs.
#include "ConformanceFixture.h"

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
