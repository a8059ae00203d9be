#include "forge/Tune/FitCosts.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

/// Kernels of `work` microseconds that take `overhead` more than `factor` times that, and a launch.
std::vector<Prediction> samplesOf(std::string strategy, double overhead, double factor,
                                  std::vector<double> work) {
  std::vector<Prediction> samples;
  for (double us : work)
    samples.push_back({std::to_string(us), strategy, us * 1e-6 + kLaunchSeconds,
                       (us * factor + overhead) * 1e-6 + kLaunchSeconds, us * 1e-6});
  return samples;
}

TEST(FitCosts, FindsWhatWasPlanted) {
  std::vector<Prediction> samples = samplesOf("rows", 2.5, 1.1, {1, 10, 50, 130, 700});
  llvm::append_range(samples, samplesOf("gemv", 0, 0.9, {4, 20, 30, 200}));
  StrategyCosts costs = fitCosts(samples);
  EXPECT_NEAR(costs["rows"].overhead, 2.5e-6, 1e-9);
  EXPECT_NEAR(costs["rows"].factor, 1.1, 1e-3);
  EXPECT_NEAR(costs["gemv"].overhead, 0, 1e-9);
  EXPECT_NEAR(costs["gemv"].factor, 0.9, 1e-3);
  ModelError error = modelErrorOf(predictBy(costs, samples));
  EXPECT_NEAR(error.worst->predicted / error.worst->measured, 1, 1e-3);
  EXPECT_LT(*modelErrorOf(samples).rankCorrelation, *error.rankCorrelation);
  EXPECT_NEAR(*error.rankCorrelation, 1, 1e-9);
}

TEST(FitCosts, FewSamplesHaveAFactorAlone) {
  StrategyCosts costs = fitCosts(samplesOf("flash", 5, 2, {100, 200, 1000}));
  EXPECT_EQ(costs["flash"].overhead, 0);
  EXPECT_GT(costs["flash"].factor, 2);
  EXPECT_LT(costs["flash"].factor, 2.06);
}

TEST(FitCosts, ValidationLeavesTheKernelOut) {
  std::vector<Prediction> samples = samplesOf("rows", 0, 1, {10, 20, 40, 80, 160});
  // One that no other kernel tells.
  samples.back().measured *= 4;
  std::vector<Prediction> left = crossValidate(samples);
  ASSERT_EQ(left.size(), samples.size());
  EXPECT_NEAR(left.back().predicted, 160e-6 + kLaunchSeconds, 1e-7);
  // A strategy with nothing else is what it says itself.
  std::vector<Prediction> only = samplesOf("tiles", 0, 3, {10});
  EXPECT_NEAR(crossValidate(only).front().predicted, 10e-6 + kLaunchSeconds, 1e-12);
}

TEST(FitCosts, ChoicesCost) {
  // Kernel a: gemv is chosen and takes twice as long; b: equal predictions, not by the library; c:
  // by one strategy only.
  std::vector<Prediction> samples = {{"a", "rows", 3e-6, 4e-6, 0},    {"a", "gemv", 2e-6, 8e-6, 0},
                                     {"b", "library", 5e-6, 1e-6, 0}, {"b", "wgmma", 5e-6, 2e-6, 0},
                                     {"b", "tiles", 6e-6, 4e-6, 0},   {"c", "rows", 1e-6, 9e-6, 0}};
  ChoiceError error = choiceErrorOf(samples);
  EXPECT_EQ(error.kernels, 2u);
  EXPECT_NEAR(error.mean, 2, 1e-9);
  EXPECT_NEAR(error.most, 2, 1e-9);
  EXPECT_EQ(error.worst.kernel, "a");
  EXPECT_EQ(error.worst.strategy, "gemv");
  EXPECT_EQ(choiceErrorOf({}).kernels, 0u);
  EXPECT_EQ(choiceErrorOf({}).mean, 1);
}

TEST(FitCosts, ReadsWhatIsPrinted) {
  Result<CostSamples> read = readCostSamples(R"({"chip": "sm_90a", "kernels": [
    {"name": "a", "ways": [
      {"strategy": "rows", "work_us": 10, "predicted_us": 11, "measured_us": 15},
      {"strategy": "generic", "work_us": 10, "predicted_us": 10},
      {"strategy": "gemv", "why_not": "it is no product"}]},
    {"name": "b", "ways": []}]})",
                                             "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->chip, "sm_90a");
  ASSERT_EQ(read->samples.size(), 1u);
  EXPECT_EQ(read->samples[0].kernel, "m.json:a");
  EXPECT_EQ(read->samples[0].strategy, "rows");
  EXPECT_DOUBLE_EQ(read->samples[0].work, 10e-6);
  EXPECT_DOUBLE_EQ(read->samples[0].predicted, 11e-6 + kLaunchSeconds);
  EXPECT_DOUBLE_EQ(read->samples[0].measured, 15e-6);
}

TEST(FitCosts, RefusesOthers) {
  for (const char *text : {"", "[]", "{}", "{\"chip\": \"sm_90a\"}",
                           "{\"chip\": \"sm_90a\", \"kernels\": [{\"name\": 1}, 2]}"}) {
    Result<CostSamples> read = readCostSamples(text, "m.json");
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().message.starts_with("m.json: not what forge explain --measure"));
  }
}

} // namespace
