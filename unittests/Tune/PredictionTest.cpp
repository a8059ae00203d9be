// Predicted times of kernels beside what was measured on an H200 (docs/gpu-h200.md).
#include "TestModule.h"

#include "forge/Codegen/Explain.h"
#include "forge/Execution/Lowering.h"

using namespace forge;

namespace {

struct Measured {
  const char *name, *strategy;
  std::string text;
  double microseconds;
};

std::string attention(const std::string &queries, const std::string &keys,
                      const std::string &attributes) {
  std::string q = "tensor<" + queries + "xbf16>", k = "tensor<" + keys + "xbf16>";
  return "func.func @main(%q: " + q + ", %k: " + k + ", %v: " + k + ") -> " + q +
         " {\n  %0 = transformer.attention %q, %k, %v " + attributes + " : (" + q + ", " + k +
         ", " + k + ") -> " + q + "\n  return %0 : " + q + "\n}";
}

class Predictions : public ::testing::TestWithParam<Measured> {};

/// Within a third.
TEST_P(Predictions, AreNearWhatWasMeasured) {
  TestModule test(GetParam().text);
  CompileOptions options;
  options.target = "sim:sm_90a";
  Result<void> lowered = lowerTo(test.get(), options, Phase::Kernels);
  ASSERT_TRUE(lowered) << lowered.error().message;
  std::vector<KernelExplanation> kernels =
      explainKernels(test.get(), *Target::parse("sim:sm_90a")->chip, {});
  ASSERT_EQ(kernels.size(), 1u);
  for (const Offer &offer : kernels.front().offers) {
    if (!offer || offer.strategy->name != GetParam().strategy)
      continue;
    ASSERT_TRUE(offer.seconds);
    double ratio = *offer.seconds * 1e6 / GetParam().microseconds;
    EXPECT_GT(ratio, 0.75);
    EXPECT_LT(ratio, 1.34);
    EXPECT_LE(floorSeconds(kernels.front(), *Target::parse("sim:sm_90a")->chip), *offer.seconds);
    return;
  }
  FAIL() << "no offer by " << GetParam().strategy;
}

INSTANTIATE_TEST_SUITE_P(
    H200, Predictions,
    ::testing::Values(
        Measured{"Transpose", "rows", R"(
func.func @main(%x: tensor<4096x8192xbf16>) -> tensor<8192x4096xbf16> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4096x8192xbf16>) -> tensor<8192x4096xbf16>
  return %0 : tensor<8192x4096xbf16>
})",
                 236},
        Measured{"OneThread", "generic", R"(
func.func @main(%x: tensor<32768x4096xbf16>, %g: tensor<4096xbf16>) -> tensor<32768x4096xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<32768x4096xbf16>, tensor<4096xbf16>) -> tensor<32768x4096xbf16>
  return %0 : tensor<32768x4096xbf16>
}
)",
                 7.34e6},
        Measured{"OneRow", "flash", attention("1x32x1x128", "1x8x32768x128", ""), 46},
        Measured{"SixteenRows", "flash", attention("16x32x1x128", "16x8x2048x128", ""), 40},
        // On an H100.
        Measured{"Depth64", "flash", attention("16x16x1024x64", "16x16x1024x64", ""), 164},
        Measured{"Depth64Causal", "flash", attention("16x16x1024x64", "16x16x1024x64", "{causal}"),
                 105},
        Measured{"Depth128", "flash", attention("4x32x4096x128", "4x32x4096x128", ""), 1487},
        Measured{"Depth128Causal", "flash", attention("4x32x4096x128", "4x32x4096x128", "{causal}"),
                 829},
        Measured{"Depth256Causal", "flash", attention("4x16x4096x256", "4x16x4096x256", "{causal}"),
                 761}),
    [](const auto &measured) { return std::string(measured.param.name); });

} // namespace
