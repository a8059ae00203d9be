// Conformance: devices, streams, events, modules, launches.
#include "ConformanceFixture.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace forge;
using namespace forge::test;

std::vector<ConformanceTarget> &forge::test::conformanceTargets() {
  static std::vector<ConformanceTarget> targets;
  return targets;
}

FORGE_FOR_ALL_DEVICES(DeviceTest);

TEST_P(DeviceTest, TellsWhatItIs) {
  const rt::DeviceProperties &facts = device->properties();
  EXPECT_FALSE(facts.name.empty());
  EXPECT_FALSE(facts.chip.empty());
  EXPECT_TRUE(facts.warpSize == 1 || facts.warpSize == 32 || facts.warpSize == 64);
  EXPECT_GE(facts.multiprocessors, 1u);
  EXPECT_GE(facts.maxThreadsPerBlock, 256u);
  EXPECT_GE(facts.maxSharedMemoryPerBlock, 16384u);
  EXPECT_GT(facts.memoryBytes, 0u);
  EXPECT_EQ(device->driverName(), GetParam().target.substr(0, GetParam().target.find(':')));
  Result<rt::MemoryInfo> info = device->memoryInfo();
  ASSERT_OK(info);
  EXPECT_LE(info->freeBytes, info->totalBytes);
  EXPECT_GT(info->totalBytes, 0u);
}

TEST_P(DeviceTest, OpensTheSameDeviceTwice) {
  auto again = rt::openDevice(GetParam().target);
  ASSERT_OK(again);
  EXPECT_EQ(again->get(), device.get());
}

TEST_P(DeviceTest, WrongDeviceNumber) {
  EXPECT_ERROR(rt::openDevice(device->driverName(), 1000), "device number below");
  EXPECT_ERROR(rt::openDevice(device->driverName() + ":sm_1"), "runs code for sm_1");
}

TEST_P(DeviceTest, CodeMayGoOnceItIsLoaded) {
  Result<std::string> bytes = GetParam().kernels(device->properties());
  ASSERT_OK(bytes);
  auto loaded = device->loadModule(*bytes, "conformance kernels");
  ASSERT_OK(loaded);
  std::fill(bytes->begin(), bytes->end(), '\xa5');
  *bytes = std::string();
  module = std::move(*loaded);
  int32_t *out = allocate<int32_t>(64);
  ASSERT_OK(launch(*stream, "forge_test_iota", 1, 64, 0, out, 64));
  std::vector<int32_t> expected(64);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(download(out, 64), expected);
}

TEST_P(DeviceTest, KernelsRun) {
  constexpr int32_t n = 1000;
  int32_t *out = allocate<int32_t>(1024);
  ASSERT_OK(stream->fill(out, 0xffffffff, 4, 1024));
  ASSERT_OK(launch(*stream, "forge_test_iota", 8, 128, 0, out, n));
  std::vector<int32_t> expected(1024, -1);
  std::iota(expected.begin(), expected.begin() + n, 0);
  EXPECT_EQ(download(out, 1024), expected);
}

TEST_P(DeviceTest, ArgumentsOfAllSizes) {
  int64_t *out = allocate<int64_t>(6);
  ASSERT_OK(stream->fill(out, 0xffffffff, 4, 12));
  ASSERT_OK(launch(*stream, "forge_test_arguments", 1, 1, 0, out, int8_t(-5), int16_t(-3000),
                   int32_t(-200000), int64_t(-5000000000), 0.1f, 0.2));
  std::vector<int64_t> expected = {-5,
                                   -3000,
                                   -200000,
                                   -5000000000,
                                   std::bit_cast<int64_t>(double(0.1f)),
                                   std::bit_cast<int64_t>(0.2)};
  EXPECT_EQ(download(out, 6), expected);
}

TEST_P(DeviceTest, GridsAndBlocksOfThreeDimensions) {
  rt::Launch how;
  how.grid = {3, 2, 4};
  how.block = {5, 3, 2};
  size_t count = 24 * 30;
  int32_t *out = allocate<int32_t>(count);
  ASSERT_OK(stream->fill(out, 0xffffffff, 4, count));
  void *arguments[] = {&out};
  how.arguments = arguments;
  how.numArguments = 1;
  rt::Kernel *function = kernel("forge_test_grid");
  ASSERT_NE(function, nullptr);
  ASSERT_OK(stream->launch(*function, how));
  std::vector<int32_t> expected;
  for (int32_t block = 0; block < 24; ++block)
    for (int32_t thread = 0; thread < 30; ++thread)
      expected.push_back(block % 3 | block / 3 % 2 << 4 | block / 6 << 8 | thread % 5 << 12 |
                         thread / 5 % 3 << 16 | thread / 15 << 20);
  EXPECT_EQ(download(out, count), expected);
}

TEST_P(DeviceTest, DynamicSharedMemory) {
  std::vector<int32_t> values(4 * 256), expected(values.size());
  for (int32_t &value : values)
    value = static_cast<int32_t>(random());
  for (size_t i = 0; i < values.size(); ++i)
    expected[i] = values[i / 256 * 256 + 255 - i % 256];
  // Little, and as much as a block can have.
  for (size_t bytes : {size_t(1024), device->properties().maxSharedMemoryPerBlock}) {
    int32_t *data = upload(values);
    ASSERT_OK(launch(*stream, "forge_test_reverse", 4, 256, bytes, data));
    EXPECT_EQ(download(data, values.size()), expected) << bytes;
  }
}

TEST_P(DeviceTest, WorkOfAStreamIsInOrder) {
  // y = ((0 + 1*x) + 2*x) + ... with a fill and copies in between.
  constexpr size_t n = 4096;
  std::vector<float> x = randomFloats(n), y(n, 0.0f), z(n);
  float *dx = upload(x), *dy = allocate<float>(n), *dz = allocate<float>(n);
  ASSERT_OK(stream->fill(dy, 0, 4, n));
  for (int step = 1; step <= 20; ++step) {
    ASSERT_OK(launch(*stream, "forge_test_axpy", n / 256, 256, 0, dy, dx, float(step), int64_t(n)));
    if (step == 10)
      ASSERT_OK(stream->copyOnDevice(dz, dy, n * 4));
    for (size_t i = 0; i < n; ++i)
      y[i] = std::fma(float(step), x[i], y[i]);
    if (step == 10)
      z = y;
  }
  std::vector<float> gotY = download(dy, n), gotZ = download(dz, n);
  for (size_t i = 0; i < n; ++i) {
    ASSERT_NEAR(gotY[i], y[i], 1e-4) << i;
    ASSERT_NEAR(gotZ[i], z[i], 1e-4) << i;
  }
}

static uint64_t spun(int64_t n) {
  uint64_t x = 0;
  for (; n > 0; --n)
    x = x * 6364136223846793005u + 1;
  return x;
}

TEST_P(DeviceTest, StreamsMeetAtAnEvent) {
  constexpr int64_t n = 200000;
  auto other = device->createStream();
  ASSERT_OK(other);
  auto event = device->createEvent(false);
  ASSERT_OK(event);
  uint64_t *out = allocate<uint64_t>(1), *copy = allocate<uint64_t>(1);
  ASSERT_OK(stream->fill(out, 0, 4, 2));
  ASSERT_OK(stream->fill(copy, 0, 4, 2));
  ASSERT_OK(stream->synchronize());
  ASSERT_OK(launch(*stream, "forge_test_spin", 1, 1, 0, out, n));
  ASSERT_OK(stream->record(**event));
  ASSERT_OK((*other)->wait(**event));
  ASSERT_OK((*other)->copyOnDevice(copy, out, 8));
  ASSERT_OK((*other)->synchronize());
  EXPECT_EQ(download(copy, 1)[0], spun(n));
}

TEST_P(DeviceTest, EventsTellTime) {
  auto start = device->createEvent(true), end = device->createEvent(true);
  ASSERT_OK(start);
  ASSERT_OK(end);
  uint64_t *out = allocate<uint64_t>(1);
  auto spin = [&](int64_t n) {
    EXPECT_OK(stream->record(**start));
    EXPECT_OK(launch(*stream, "forge_test_spin", 1, 1, 0, out, n));
    EXPECT_OK(stream->record(**end));
    EXPECT_OK((*end)->synchronize());
    Result<double> ms = (*end)->millisecondsSince(**start);
    EXPECT_OK(ms);
    return ms ? *ms : -1;
  };
  spin(1);
  double brief = spin(1000), lengthy = spin(1000000);
  EXPECT_GE(brief, 0);
  EXPECT_GT(lengthy, brief);
  Result<bool> reached = (*end)->reached();
  ASSERT_OK(reached);
  EXPECT_TRUE(*reached);
}

TEST_P(DeviceTest, EventsWithoutTime) {
  auto plain = device->createEvent(false), fresh = device->createEvent(true),
       used = device->createEvent(true);
  ASSERT_OK(plain);
  ASSERT_OK(fresh);
  ASSERT_OK(used);
  ASSERT_OK(stream->record(**plain));
  ASSERT_OK(stream->record(**used));
  ASSERT_OK(stream->synchronize());
  EXPECT_ERROR((*plain)->millisecondsSince(**used), "made for timing");
  EXPECT_ERROR((*used)->millisecondsSince(**fresh), "recorded");
  EXPECT_OK((*fresh)->synchronize());
}

TEST_P(DeviceTest, BrokenModulesAreErrors) {
  Result<std::string> bytes = GetParam().kernels(device->properties());
  ASSERT_OK(bytes);
  EXPECT_ERROR(device->loadModule("", "nothing"), "nothing");
  EXPECT_ERROR(device->loadModule("not code at all", "a poem"), "a poem");
  std::string half = bytes->substr(0, bytes->size() / 2);
  EXPECT_ERROR(device->loadModule(half, "half a module"), "half a module");
  // The device is as before.
  EXPECT_FALSE(device->isLost());
  int32_t *out = allocate<int32_t>(1);
  ASSERT_OK(launch(*stream, "forge_test_store", 1, 1, 0, out));
  EXPECT_EQ(download(out, 1)[0], 7);
}

TEST_P(DeviceTest, KernelsByName) {
  rt::Kernel *first = kernel("forge_test_iota");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->name(), "forge_test_iota");
  EXPECT_EQ(kernel("forge_test_iota"), first);
  EXPECT_ERROR(module->kernel("no_such_kernel"), "no_such_kernel");
  Result<rt::KernelResources> resources = first->resources();
  ASSERT_OK(resources);
  EXPECT_GE(resources->maxThreadsPerBlock, 128u);
  EXPECT_EQ(resources->staticSharedBytes, 0u);
}

TEST_P(DeviceTest, TwoModulesOfTheSameCode) {
  Result<std::string> bytes = GetParam().kernels(device->properties());
  ASSERT_OK(bytes);
  auto second = device->loadModule(*bytes, "the same again");
  ASSERT_OK(second);
  Result<rt::Kernel *> other = (*second)->kernel("forge_test_store");
  ASSERT_OK(other);
  EXPECT_NE(*other, kernel("forge_test_store"));
  int32_t *out = allocate<int32_t>(1);
  void *arguments[] = {&out};
  rt::Launch how;
  how.arguments = arguments;
  how.numArguments = 1;
  ASSERT_OK(stream->launch(**other, how));
  EXPECT_EQ(download(out, 1)[0], 7);
}

TEST_P(DeviceTest, ImpossibleLaunchesAreErrors) {
  int32_t *out = allocate<int32_t>(1);
  uint32_t tooMany = device->properties().maxThreadsPerBlock + 1;
  EXPECT_ERROR(launch(*stream, "forge_test_store", 1, tooMany, 0, out), "forge_test_store");
  EXPECT_ERROR(launch(*stream, "forge_test_store", 1, tooMany, 0, out), "a conformance test");
  EXPECT_ERROR(launch(*stream, "forge_test_store", 0, 1, 0, out), "grid.x");
  EXPECT_ERROR(launch(*stream, "forge_test_store", 1, 1,
                      device->properties().maxSharedMemoryPerBlock + 1, out),
               "shared memory");
  if (GetParam().countsArguments) {
    EXPECT_ERROR(launch(*stream, "forge_test_store", 1, 1, 0), "expected 1 arguments, but got 0");
    EXPECT_ERROR(launch(*stream, "forge_test_store", 1, 1, 0, out, out),
                 "expected 1 arguments, but got 2");
  }
  ASSERT_OK(launch(*stream, "forge_test_store", 1, 1, 0, out));
  EXPECT_EQ(download(out, 1)[0], 7);
}

TEST_P(DeviceTest, ABadStoreIsAnErrorAndTheDeviceComesBack) {
  if (!GetParam().survivesBadStore)
    GTEST_SKIP() << "a store to a wrong address ends the process, or loses the device for it, on "
                 << GetParam().target;
  int32_t *nowhere = reinterpret_cast<int32_t *>(uintptr_t(4096));
  Result<void> launched = launch(*stream, "forge_test_store", 1, 1, 0, nowhere);
  Result<void> waited = stream->synchronize();
  EXPECT_FALSE(launched && waited);
  if (device->isLost()) {
    // Everything fails until the reset, and what is from before it stays unusable.
    EXPECT_FALSE(device->allocate(4));
    ASSERT_OK(device->reset());
    EXPECT_ERROR(stream->synchronize(), "before the device was reset");
    module.reset();
    auto made = device->createStream();
    ASSERT_OK(made);
    stream = std::move(*made);
  }
  EXPECT_FALSE(device->isLost());
  int32_t *out = allocate<int32_t>(1);
  ASSERT_OK(launch(*stream, "forge_test_store", 1, 1, 0, out));
  EXPECT_EQ(download(out, 1)[0], 7);
}
