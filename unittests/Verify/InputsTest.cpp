// Inputs made from a seed.
#include "forge/Verify/Inputs.h"

#include "TestModule.h"

using namespace forge;

namespace {

constexpr const char *kTwo = R"(
func.func @main(%x: tensor<1000x64xbf16>, %y: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %0 = stablehlo.tanh %y : tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
})";

/// The same, the first argument longer than what a thread fills at a time.
constexpr const char *kLonger = R"(
func.func @main(%x: tensor<5000x64xbf16>, %y: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %0 = stablehlo.tanh %y : tensor<3x64xf32>
  return %0 : tensor<3x64xf32>
})";

bool beginsWith(const HostTensor &longer, const HostTensor &tensor) {
  return std::memcmp(longer.data(), tensor.data(), tensor.numBytes()) == 0;
}

TEST(Inputs, AnElementDependsOnItsPlaceAlone) {
  TestModule module(kTwo), longer(kLonger);
  for (auto [name, distribution] : allDistributions()) {
    InputOptions options{3, 5, distribution};
    std::vector<HostTensor> few = *makeInputs(module.function(), options);
    std::vector<HostTensor> many = *makeInputs(longer.function(), options);
    ASSERT_EQ(few.size(), 2u);
    EXPECT_TRUE(beginsWith(many[0], few[0])) << name.str();
    EXPECT_TRUE(beginsWith(many[1], few[1])) << name.str();
  }
}

TEST(Inputs, WhatIsGivenIsLeftOut) {
  TestModule module(kTwo);
  std::vector<HostTensor> all = *makeInputs(module.function(), {3, 5});
  std::vector<HostTensor> others =
      *makeInputs(module.function(), {3, 5, Distribution::Uniform, {true, false}});
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].dims(), all[1].dims());
  EXPECT_TRUE(beginsWith(others[0], all[1]));
  EXPECT_TRUE(makeInputs(module.function(), {3, 5, Distribution::Uniform, {true, true}})->empty());
}

} // namespace
