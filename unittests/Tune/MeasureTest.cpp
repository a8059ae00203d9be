// Times of kernels one by one, on a simulated chip, and what they are made of.
#include "TestModule.h"

#include "forge/Execution/Lowering.h"
#include "forge/Tune/Measure.h"

using namespace forge;

namespace {

TEST(TimeParts, AddUp) {
  // A floor of 10 us, predicted 12: what is above 3 us of launch and 2 of the strategy is the rest.
  TimeParts parts = partsOf(17e-6, 10e-6, 12e-6);
  EXPECT_DOUBLE_EQ(parts.floor, 10e-6);
  EXPECT_DOUBLE_EQ(parts.launch, 3e-6);
  EXPECT_NEAR(parts.strategy, 2e-6, 1e-12);
  EXPECT_NEAR(parts.rest, 2e-6, 1e-12);
}

TEST(TimeParts, LessThanPredicted) {
  TimeParts parts = partsOf(14e-6, 10e-6, 12e-6);
  EXPECT_NEAR(parts.strategy, 1e-6, 1e-12);
  EXPECT_NEAR(parts.rest, 0, 1e-12);
  // Less than the floor: it is all there is.
  parts = partsOf(7e-6, 10e-6, std::nullopt);
  EXPECT_DOUBLE_EQ(parts.floor, 7e-6);
  EXPECT_EQ(parts.launch + parts.strategy + parts.rest, 0);
}

TEST(TimeParts, WithoutAPrediction) {
  TimeParts parts = partsOf(20e-6, 10e-6, std::nullopt);
  EXPECT_EQ(parts.strategy, 0);
  EXPECT_NEAR(parts.rest, 7e-6, 1e-12);
}

/// The only kernel of a module, by the default schedule and, as if planned, by another one.
class Measure : public ::testing::Test {
protected:
  Measure()
      : Measure(R"(
func.func @main(%x: tensor<6x300xf32>) -> tensor<6x300xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<6x300xf32>
  return %0 : tensor<6x300xf32>
})") {}
  explicit Measure(const char *text) : test(text), machine(*openTarget("sim:sm_90a")) {
    CompileOptions options;
    options.target = machine.target.text();
    Result<void> lowered = lowerTo(test.get(), options, Phase::Kernels);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    explanation = explainKernels(test.get(), *machine.target.chip, {}).front();
  }
  KernelMeasurement measure() {
    return measureKernel(test.function(explanation.name), explanation, machine, Tier::Hybrid, 0);
  }

  TestModule test;
  TargetDevice machine;
  KernelExplanation explanation;
};

namespace {
class MeasureElementwise : public Measure {
protected:
  MeasureElementwise()
      : Measure(R"(
func.func @main(%x: tensor<6x300xf32>) -> tensor<6x300xf32> {
  %0 = stablehlo.tanh %x : tensor<6x300xf32>
  return %0 : tensor<6x300xf32>
})") {}
};
} // namespace

/// Of a softmax strategy generic has one thread, which is predicted to take long.
TEST_F(Measure, NoTimeOfWhatIsPredictedToTakeLong) {
  KernelMeasurement measurement = measure();
  EXPECT_EQ(measurement.whyNot, "");
  for (auto [offer, seconds] : llvm::zip_equal(explanation.offers, measurement.offerSeconds))
    EXPECT_EQ(seconds.has_value(), offer.strategy->name == "rows") << offer.strategy->name.str();
}

TEST_F(MeasureElementwise, TimesOfAllThatIsOffered) {
  KernelMeasurement measurement = measure();
  EXPECT_EQ(measurement.whyNot, "");
  EXPECT_TRUE(measurement.failures.empty());
  ASSERT_TRUE(measurement.seconds);
  EXPECT_GT(*measurement.seconds, 0);
  EXPECT_FALSE(measurement.otherElements);
  size_t measured = 0;
  for (auto [offer, seconds] : llvm::zip_equal(explanation.offers, measurement.offerSeconds)) {
    EXPECT_EQ(bool(offer), seconds.has_value()) << offer.strategy->name.str();
    measured += seconds.has_value();
  }
  // rows and generic.
  EXPECT_EQ(measured, 2u);
}

/// Sums by one thread for each row are other ones than by 32.
TEST_F(Measure, CountsElementsWithOtherBits) {
  explanation.byDefault = explanation.schedule;
  for (const Offer &offer : explanation.offers)
    if (offer.strategy->name == "generic")
      explanation.schedule = offer.schedule;
  KernelMeasurement measurement = measure();
  ASSERT_TRUE(measurement.otherElements);
  EXPECT_GT(*measurement.otherElements, 0);
  EXPECT_EQ(measurement.elements, 1800);
  // The default itself has no other bits.
  explanation.schedule = explanation.byDefault;
  measurement = measure();
  EXPECT_EQ(measurement.otherElements, 0);
}

TEST_F(Measure, SaysWhatDoesNotRun) {
  explanation.schedule = ScheduleAttr::empty(&test.context)
                             .orWord("strategy", "rows")
                             .orSize("vector", 4)
                             .orSize("loads", 3)
                             .orSize("rows", 8)
                             .orSize("blocks", 1)
                             .orSize("threads", 77);
  KernelMeasurement measurement = measure();
  EXPECT_FALSE(measurement.seconds);
  EXPECT_EQ(measurement.whyNot, "it does not compile or run");
  ASSERT_EQ(measurement.failures.size(), 1u);
  EXPECT_NE(measurement.failures.front().find("threads 77"), std::string::npos);
}

TEST_F(Measure, NotWithoutSizes) {
  explanation.work = std::nullopt;
  EXPECT_EQ(measure().whyNot, "sizes or numbers of iterations are not known");
}

} // namespace
