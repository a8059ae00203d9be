// Conformance: launches of compiled code, their errors and times, and functions on host tensors.
#include <gmock/gmock.h>

#include "CompiledCodeFixture.h"

#include "forge/Runtime/Invoke.h"
#include "forge/Runtime/Resident.h"

#include <dlfcn.h>

using namespace forge;
using namespace forge::test;

namespace {
class DeviceABITest : public CompiledCodeTest {};
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

// What reaches the driver, as the stand-in of libcuda counts it.
TEST_P(DeviceABITest, DependentLaunches) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto *asked =
      static_cast<unsigned *>(driver ? dlsym(driver, "forge_fake_dependent_launches") : nullptr);
  bool isCounted = asked && GetParam().target == "cuda";
  std::vector<int32_t> got(2);
  // Two launches, one of them plain; how many the driver was asked to start early.
  auto countOf = [&](bool timed) -> int {
    unsigned before = isCounted ? *asked : 0;
    onDevice->setTiming(timed);
    Result<void> done = run([&] {
      auto *out = static_cast<int32_t *>(forge_rt_device_alloc(8));
      int32_t *second = out + 1;
      void *first[] = {&out}, *other[] = {&second};
      void *store = function("forge_test_store");
      forge_rt_launch_dependent(store, 1, 1, 1, 1, 1, 1, 0, first, 1, "one");
      forge_rt_launch(store, 1, 1, 1, 1, 1, 1, 0, other, 1, "two");
      forge_rt_device_read(got.data(), out, 8);
    });
    EXPECT_OK(done);
    EXPECT_EQ(got, std::vector<int32_t>(2, 7));
    return isCounted ? int(*asked - before) : -1;
  };
  int early = isCounted ? 1 : -1, none = isCounted ? 0 : -1;
  EXPECT_EQ(countOf(/*timed=*/false), early);
  EXPECT_EQ(countOf(/*timed=*/true), none);
  onDevice->setDependentLaunches(false);
  EXPECT_EQ(countOf(/*timed=*/false), none);
  EXPECT_ERROR(run([&] {
                 int32_t *out = nullptr;
                 void *arguments[] = {&out};
                 forge_rt_launch_dependent(function("forge_test_store"), -1, 1, 1, 1, 1, 1, 0,
                                           arguments, 1, "");
               }),
               "sizes from 0 to 2^32 - 1");
}

/// A dependent launch asks for the shared memory that its blocks use, and for what is left as
/// cache: 64 KiB of 228 less one block, of one block a multiprocessor, and of several.
TEST_P(DeviceABITest, DependentLaunchesSayWhatSharedMemoryTheyUse) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto *carveout = static_cast<int *>(driver ? dlsym(driver, "forge_fake_carveout") : nullptr);
  if (!carveout || GetParam().target != "cuda")
    GTEST_SKIP() << "only the stand-in of libcuda tells what was asked for";
  auto percentOf = [&](int64_t blocks, int64_t threads, int64_t bytes) {
    *carveout = -1;
    EXPECT_OK(run([&] {
      auto *out = static_cast<int32_t *>(forge_rt_device_alloc(8));
      void *arguments[] = {&out};
      forge_rt_launch_dependent(function("forge_test_store"), blocks, 1, 1, threads, 1, 1, bytes,
                                arguments, 1, "one");
    }));
    return *carveout;
  };
  auto processors = static_cast<int64_t>(onDevice->device().properties().multiprocessors);
  constexpr int64_t kTotal = 228 << 10;
  auto share = [](int64_t bytes) { return static_cast<int>((100 * bytes + kTotal - 1) / kTotal); };
  int64_t ofOne = 8192 + 1024, several = 3;
  EXPECT_EQ(percentOf(1, 32, 8192), share(ofOne));
  // The same again is not asked for.
  EXPECT_EQ(percentOf(1, 32, 8192), -1);
  EXPECT_EQ(percentOf(several * processors, 32, 8192), share(several * ofOne));
  // Two blocks of 1024 threads are all that a multiprocessor has.
  EXPECT_EQ(percentOf(several * processors, 1024, 8192), share(2 * ofOne));
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

TEST_P(DeviceABITest, TensorMapsAreChecked) {
  struct Map {
    std::vector<int64_t> sizes = {64, 3, 5, 7, 2}, strides = {128, 512, 4096, 32768},
                         box = {64, 1, 5, 1, 1};
    int64_t swizzle = 128, type = FORGE_RT_BF16, shift = 0;
  };
  auto make = [&](const Map &map) {
    return run([&] {
      alignas(64) char bytes[128];
      auto *memory = static_cast<char *>(forge_rt_device_alloc(65536));
      forge_rt_tensor_map(bytes, memory + map.shift, map.type,
                          static_cast<int64_t>(map.sizes.size()), map.sizes.data(),
                          map.strides.data(), map.box.data(), map.swizzle);
    });
  };
  // Five dimensions at any strides of 16 bytes, which chips and drivers without the unit refuse for
  // that alone.
  if (Result<void> made = make({}); !made)
    EXPECT_THAT(made.error().message,
                testing::AnyOf(testing::HasSubstr("no tensor memory accelerator"),
                               testing::HasSubstr("no cuTensorMapEncodeTiled")));
  auto with = [](auto change) {
    Map map;
    change(map);
    return map;
  };
  EXPECT_ERROR(make(with([](Map &map) { map.strides[1] = 520; })),
               "strides of multiples of 16 bytes below 2^40, but got 520");
  EXPECT_ERROR(make(with([](Map &map) { map.strides[3] = int64_t(1) << 40; })), "below 2^40");
  EXPECT_ERROR(make(with([](Map &map) { map.sizes[4] = (int64_t(1) << 32) + 1; })),
               "1 to 2^32 elements, but got 4294967297");
  EXPECT_ERROR(make(with([](Map &map) { map.box[2] = 257; })), "1 to 256 elements, but got 257");
  EXPECT_ERROR(make(with([](Map &map) { map.box[0] = 4; })), "rows of the box of multiples of 16");
  EXPECT_ERROR(make(with([](Map &map) { map.box[0] = 128; })), "at most the swizzle's 128 bytes");
  EXPECT_ERROR(make(with([](Map &map) { map.swizzle = 48; })), "a swizzle of 0, 32, 64 or 128");
  EXPECT_ERROR(make(with([](Map &map) { map.shift = 8; })), "a base at a multiple of 16 bytes");
  EXPECT_ERROR(make(with([](Map &map) { map.type = 9; })), "an element type from 0 to 5");
  EXPECT_ERROR(make(with([](Map &map) { map.box[1] = -1; })), "at least 0");
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

// As what a framework keeps on the device between calls.
TEST_P(DeviceABITest, TensorsOfALostDeviceAreErrorsAndNewOnesWork) {
  if (!GetParam().survivesBadStore)
    GTEST_SKIP() << "a store to a wrong address ends the process on " << GetParam().target;
  auto numbers = [] {
    Result<HostTensor> tensor = HostTensor::create(DType::I32, {2});
    tensor->dataAs<int32_t>()[1] = 5;
    return *std::move(tensor);
  };
  Result<rt::Resident> old = rt::Resident::create(context, numbers());
  ASSERT_OK(old);
  auto *nowhere = reinterpret_cast<int32_t *>(uintptr_t(4096));
  EXPECT_ERROR(run([&] { go("forge_test_store", 1, 1, nowhere); }), "@forge_test_store");
  bool isLost = device->isLost(); // some drivers go on
  Result<rt::Resident> made = rt::Resident::create(context, numbers());
  ASSERT_OK(made);
  Result<HostTensor> read = made->read(context);
  ASSERT_OK(read);
  EXPECT_EQ(read->dataAs<int32_t>()[1], 5);
  EXPECT_OK(made->copy(context));
  if (!isLost)
    return;
  EXPECT_ERROR(old->read(context), "the device was lost, and the tensor with it");
  EXPECT_ERROR(old->copy(context), "the device was lost, and the tensor with it");
  EXPECT_ERROR(old->write(context, numbers()), "the device was lost, and the tensor with it");
}

TEST_P(DeviceABITest, LaunchesAreTimed) {
  auto before = std::chrono::steady_clock::now();
  onDevice->setTiming(true);
  ASSERT_OK(run([&] {
    auto *out = static_cast<int64_t *>(forge_rt_device_alloc(8));
    go("forge_test_spin", 1, 1, out, int64_t(1000));
    go("forge_test_spin", 1, 1, out, int64_t(1000000));
  }));
  Result<std::vector<rt::DeviceTime>> times = onDevice->takeTimes();
  ASSERT_OK(times);
  ASSERT_EQ(times->size(), 2u);
  EXPECT_EQ((*times)[0].kind, rt::DeviceWork::Kernel);
  EXPECT_EQ((*times)[0].name, "forge_test_spin");
  EXPECT_EQ((*times)[0].description, "rows; tensor<1000xf32>");
  EXPECT_GT((*times)[1].ms, (*times)[0].ms);
  // In order, one after the other, in the time that the run took; events are told to a microsecond.
  std::chrono::duration<double, std::milli> between = (*times)[1].begin - (*times)[0].begin;
  EXPECT_GE(between.count(), (*times)[0].ms - 0.002);
  EXPECT_GE((*times)[0].begin, before);
  EXPECT_LE((*times)[1].begin, std::chrono::steady_clock::now());
  times = onDevice->takeTimes();
  ASSERT_OK(times);
  EXPECT_TRUE(times->empty());
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
