#include "TestModule.h"

#include "forge/Bench/Bench.h"

using namespace forge;

namespace {

constexpr const char *kProduct = R"(
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
})";

BenchOptions optionsFor(const char *target) {
  BenchOptions options;
  options.compile.target = target;
  options.inputs = {*HostTensor::create(DType::F32, {64, 64}),
                    *HostTensor::create(DType::F32, {64, 64})};
  options.runs = 7;
  options.ceilings = false;
  return options;
}

TEST(Bench, TimesEveryTier) {
  TestModule test(kProduct);
  BenchOptions options = optionsFor("cpu");
  options.tiers = {"hybrid", "correctness"};
  Result<BenchReport> report = bench(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 2u);
  EXPECT_EQ(report->rows[0].name, "hybrid");
  EXPECT_EQ(report->rows[1].name, "correctness");
  double least[2] = {1e9, 1e9};
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(report->rows[i].ms.size(), 7u);
    for (double ms : report->rows[i].ms)
      least[i] = std::min(least[i], ms);
    EXPECT_GT(least[i], 0);
  }
  // Vector code beats plain loops.
  EXPECT_LT(least[0], least[1]);
  EXPECT_TRUE(report->kernels.empty());
}

TEST(Bench, CeilingsHaveWork) {
  TestModule test(kProduct);
  BenchOptions options = optionsFor("cpu");
  options.ceilings = true;
  Result<BenchReport> report = bench(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 3u);
  EXPECT_EQ(report->rows[1].name, "copy");
  EXPECT_EQ(report->rows[1].bytes, 8.0 * (1 << 24));
  EXPECT_EQ(report->rows[2].name, "product");
  EXPECT_EQ(report->rows[2].flops, 2.0 * 1024 * 1024 * 1024);
}

TEST(Bench, SimulatedDevicesHaveNoClock) {
  TestModule test(kProduct);
  Result<BenchReport> report = bench(test.get(), optionsFor("sim:sm_90a"));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            "expected a target with a clock, but got sim:sm_90a, a simulated device");
  EXPECT_FALSE(openTimedTarget("sim:gfx942"));
  EXPECT_FALSE(openTimedTarget("cpu:3"));
  EXPECT_TRUE(openTimedTarget("cpu"));
}

TEST(Bench, Refusals) {
  TestModule test(kProduct);
  BenchOptions options = optionsFor("cpu");
  options.tiers = {"fast"};
  Result<BenchReport> report = bench(test.get(), options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "unknown tier 'fast'");
  options.tiers = {"correctness", "correctness"};
  report = bench(test.get(), options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "tier 'correctness' is there twice");
  options = optionsFor("cpu");
  options.inputs.pop_back();
  report = bench(test.get(), options);
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("hybrid: "), std::string::npos) << report.error().message;
}

} // namespace
