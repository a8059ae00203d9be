// What the conformance tests share: the opened device, its kernels, launches in one line.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_CONFORMANCEFIXTURE_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_CONFORMANCEFIXTURE_H

#include "Conformance.h"

#include <gtest/gtest.h>
#include <random>

namespace forge::test {

/// Fails the test with the error's text.
#define ASSERT_OK(expression)                                                                      \
  do {                                                                                             \
    auto &&outcome = (expression);                                                                 \
    ASSERT_TRUE(static_cast<bool>(outcome)) << outcome.error().message;                            \
  } while (false)
#define EXPECT_OK(expression)                                                                      \
  do {                                                                                             \
    auto &&outcome = (expression);                                                                 \
    EXPECT_TRUE(static_cast<bool>(outcome)) << outcome.error().message;                            \
  } while (false)
/// The expression is an Error whose text holds `words`.
#define EXPECT_ERROR(expression, words)                                                            \
  do {                                                                                             \
    auto &&outcome = (expression);                                                                 \
    EXPECT_FALSE(static_cast<bool>(outcome));                                                      \
    if (!outcome)                                                                                  \
      EXPECT_NE(outcome.error().message.find(words), std::string::npos)                            \
          << outcome.error().message;                                                              \
  } while (false)

class DeviceTest : public testing::TestWithParam<ConformanceTarget> {
protected:
  void SetUp() override {
    Result<std::shared_ptr<rt::Device>> opened = rt::openDevice(GetParam().target);
    if (!opened)
      GTEST_SKIP() << opened.error().message;
    device = *opened;
    if (device->isLost())
      ASSERT_OK(device->reset());
    auto made = device->createStream();
    ASSERT_OK(made);
    stream = std::move(*made);
    // Fresh inputs each time; the seed tells which.
    seed = std::random_device()();
    random.seed(seed);
    RecordProperty("seed", static_cast<int>(seed));
  }
  void TearDown() override {
    if (HasFailure())
      std::fprintf(stderr, "seed %u\n", seed);
    for (void *pointer : allocated)
      if (device && !device->isLost() && generation == device->generation())
        EXPECT_OK(device->release(pointer));
    stream.reset();
    module.reset();
  }

  /// Device memory to the end of the test.
  template <typename T = char> T *allocate(size_t count) {
    Result<void *> memory = device->allocate(count * sizeof(T));
    if (!memory) {
      ADD_FAILURE() << memory.error().message;
      return nullptr;
    }
    generation = device->generation();
    allocated.push_back(*memory);
    return static_cast<T *>(*memory);
  }
  template <typename T> T *upload(const std::vector<T> &values) {
    T *memory = allocate<T>(values.size());
    EXPECT_OK(stream->copyToDevice(memory, values.data(), values.size() * sizeof(T)));
    EXPECT_OK(stream->synchronize());
    return memory;
  }
  template <typename T> std::vector<T> download(const T *memory, size_t count) {
    std::vector<T> values(count);
    EXPECT_OK(stream->copyToHost(values.data(), memory, count * sizeof(T)));
    EXPECT_OK(stream->synchronize());
    return values;
  }

  rt::Kernel *kernel(const std::string &name) {
    if (!module) {
      Result<std::string> bytes = GetParam().kernels(device->properties());
      if (!bytes) {
        ADD_FAILURE() << bytes.error().message;
        return nullptr;
      }
      auto loaded = device->loadModule(*bytes, "conformance kernels");
      if (!loaded) {
        ADD_FAILURE() << loaded.error().message;
        return nullptr;
      }
      module = std::move(*loaded);
    }
    Result<rt::Kernel *> found = module->kernel(name);
    EXPECT_OK(found);
    return found ? *found : nullptr;
  }

  /// Launches with the arguments given.
  template <typename... Arguments>
  Result<void> launch(rt::Stream &where, const std::string &name, uint32_t grid, uint32_t block,
                      size_t shared, Arguments... arguments) {
    void *pointers[] = {&arguments...};
    rt::Launch how;
    how.grid = {grid, 1, 1};
    how.block = {block, 1, 1};
    how.dynamicSharedBytes = shared;
    how.arguments = pointers;
    how.numArguments = sizeof...(arguments);
    how.dependent = dependent;
    how.description = "a conformance test";
    rt::Kernel *function = kernel(name);
    return function ? where.launch(*function, how) : Result<void>(Error{"no kernel " + name});
  }

  std::vector<float> randomFloats(size_t count) {
    std::uniform_real_distribution<float> draw(-1, 1);
    std::vector<float> values(count);
    for (float &value : values)
      value = draw(random);
    return values;
  }

  std::shared_ptr<rt::Device> device;
  std::unique_ptr<rt::Stream> stream;
  std::unique_ptr<rt::Module> module;
  std::mt19937_64 random;
  unsigned seed = 0;
  /// What `launch` says of the kernels.
  bool dependent = false;

private:
  std::vector<void *> allocated;
  uint64_t generation = 0;
};

/// Instantiates a suite derived from DeviceTest for all targets.
#define FORGE_FOR_ALL_DEVICES(suite)                                                               \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                            \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
      Drivers, suite, testing::ValuesIn(conformanceTargets()),                                     \
      [](const testing::TestParamInfo<ConformanceTarget> &info) { return info.param.name; })

inline void PrintTo(const ConformanceTarget &target, std::ostream *os) { *os << target.target; }

} // namespace forge::test

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_CONFORMANCEFIXTURE_H
