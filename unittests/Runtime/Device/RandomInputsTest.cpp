// Random inputs: the same on every device as on the host.
#include "ConformanceFixture.h"

#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/RandomInputs.h"

#include <cmath>
#include <cstring>

using namespace forge;
using namespace forge::test;

namespace {
class RandomInputsTest : public DeviceTest {};
} // namespace
FORGE_FOR_ALL_DEVICES(RandomInputsTest);

TEST_P(RandomInputsTest, EqualTheHosts) {
  auto context = rt::DeviceContext::create(device);
  ASSERT_OK(context);
  rt::RandomInputs inputs(7), other(7);
  constexpr int64_t period = rt::RandomInputs::kPeriod;
  size_t argument = 0;
  for (auto [type, count] : std::vector<std::pair<DType, int64_t>>{{DType::F32, 1},
                                                                   {DType::F32, 1000},
                                                                   {DType::BF16, 5 * period + 3},
                                                                   {DType::F16, period},
                                                                   {DType::F8E4M3FN, period + 1},
                                                                   {DType::F8E5M2, 77},
                                                                   {DType::F64, period - 1},
                                                                   {DType::I1, 100},
                                                                   {DType::I4, 100},
                                                                   {DType::U8, 2 * period},
                                                                   {DType::I16, 100},
                                                                   {DType::I32, 100},
                                                                   {DType::U64, 100}}) {
    SCOPED_TRACE(std::string(dtypeName(type)) + " " + std::to_string(count));
    Result<HostTensor> expected = other.draw({type, {count}}, argument);
    ASSERT_OK(expected);
    size_t bytes = expected->numBytes();
    char *memory = allocate(bytes);
    ASSERT_NE(memory, nullptr);
    ASSERT_OK(inputs.draw(**context, memory, type, count, argument));
    ASSERT_OK((*context)->synchronize());
    EXPECT_EQ(std::memcmp(download(memory, bytes).data(), expected->data(), bytes), 0);
    ++argument;
  }
}

// No device is needed for what follows.

static HostTensor draw(DType type, int64_t count, uint64_t seed, size_t argument) {
  return std::move(*rt::RandomInputs(seed).draw({type, {count}}, argument));
}

TEST(RandomInputs, AreUniform) {
  constexpr int64_t count = 200'000;
  for (DType type : {DType::F64, DType::F32, DType::F16, DType::BF16, DType::F8E4M3FN}) {
    HostTensor tensor = draw(type, count, 1, 0);
    double sum = 0, squares = 0, most = 0;
    for (int64_t i = 0; i < count; ++i) {
      double value = tensor.getDouble(i);
      sum += value;
      squares += value * value;
      most = std::max(most, std::fabs(value));
    }
    EXPECT_LE(most, 1);
    EXPECT_GT(most, 0.9);
    EXPECT_NEAR(sum / count, 0, 0.02) << dtypeName(type);
    EXPECT_NEAR(squares / count, 1.0 / 3, 0.02) << dtypeName(type);
  }
  for (DType type : {DType::I1, DType::I4, DType::U8, DType::I64}) {
    HostTensor tensor = draw(type, count, 1, 0);
    int64_t ones = 0;
    for (int64_t i = 0; i < count; ++i) {
      ASSERT_LE(tensor.getBits(i), 1u);
      ones += static_cast<int64_t>(tensor.getBits(i));
    }
    EXPECT_NEAR(static_cast<double>(ones) / count, 0.5, 0.03) << dtypeName(type);
  }
}

TEST(RandomInputs, DependOnSeedAndArgument) {
  constexpr int64_t count = 1000;
  auto same = [](const HostTensor &a, const HostTensor &b) {
    int64_t equal = 0;
    for (int64_t i = 0; i < count; ++i)
      equal += a.getBits(i) == b.getBits(i);
    return equal;
  };
  HostTensor first = draw(DType::F32, count, 1, 0);
  EXPECT_EQ(same(first, draw(DType::F32, count, 1, 0)), count);
  EXPECT_LT(same(first, draw(DType::F32, count, 2, 0)), 20);
  EXPECT_LT(same(first, draw(DType::F32, count, 1, 1)), 20);
}

TEST(RandomInputs, TooLarge) {
  EXPECT_FALSE(rt::RandomInputs(1).draw({DType::F32, {int64_t(1) << 62}}, 0));
}
