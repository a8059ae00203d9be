// Loops on a device: all their steps are one graph from the third run on.
#include "CompileText.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

/// A scan of 7 steps: each reads a row of its input at the step, and writes one of the stack that
/// it returns.
static constexpr const char *kScan = R"mlir(
  func.func @main(%x: tensor<7x4x8xf32>) -> (tensor<4x8xf32>, tensor<7x4x8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %c7 = stablehlo.constant dense<7> : tensor<i32>
    %state = stablehlo.constant dense<1.0> : tensor<4x8xf32>
    %none = stablehlo.constant dense<0.0> : tensor<7x4x8xf32>
    %r:3 = stablehlo.while(%i = %c0, %s = %state, %stack = %none)
        : tensor<i32>, tensor<4x8xf32>, tensor<7x4x8xf32>
    cond {
      %more = stablehlo.compare LT, %i, %c7 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %rows = stablehlo.reduce(%s init: %zero) applies stablehlo.maximum across dimensions = [1]
          : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      %wide = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
      %slice = stablehlo.dynamic_slice %x, %i, %c0, %c0, sizes = [1, 4, 8]
          : (tensor<7x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
      %row = stablehlo.reshape %slice : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %sum = stablehlo.add %wide, %row : tensor<4x8xf32>
      %columns = stablehlo.reduce(%sum init: %zero) applies stablehlo.maximum across dimensions = [0]
          : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
      %high = stablehlo.broadcast_in_dim %columns, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
      %next = stablehlo.subtract %high, %sum : tensor<4x8xf32>
      %line = stablehlo.reshape %next : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %new = stablehlo.dynamic_update_slice %stack, %line, %i, %c0, %c0
          : (tensor<7x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>)
          -> tensor<7x4x8xf32>
      %after = stablehlo.add %i, %c1 : tensor<i32>
      stablehlo.return %after, %next, %new : tensor<i32>, tensor<4x8xf32>, tensor<7x4x8xf32>
    }
    return %r#1, %r#2 : tensor<4x8xf32>, tensor<7x4x8xf32>
  })mlir";

static Result<Executable> scanFor(const char *target) {
  CompileOptions options;
  options.target = target;
  return compileText(kScan, options, Phase::Import);
}

static HostTensor inputOf(int64_t run) {
  HostTensor tensor = *HostTensor::create(DType::F32, {7, 4, 8});
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setDouble(i, static_cast<double>((i * 7 + run * 5) % 23));
  return tensor;
}

static void expectEqual(const HostTensor &got, const HostTensor &expected) {
  ASSERT_EQ(got.numElements(), expected.numElements());
  for (int64_t i = 0; i < got.numElements(); ++i)
    ASSERT_EQ(got.getDouble(i), expected.getDouble(i)) << "element " << i;
}

TEST(Loops, OfAKnownNumberOfStepsAreOneGraph) {
  Result<Executable> onHost = scanFor("cpu"), onDevice = scanFor("sim:sm_90a");
  ASSERT_TRUE(onHost) << onHost.error().message;
  ASSERT_TRUE(onDevice) << onDevice.error().message;
  for (int64_t run = 0; run < 4; ++run) {
    std::vector<HostTensor> inputs;
    inputs.push_back(inputOf(run));
    Result<RunResult> expected = onHost->run(inputs), got = onDevice->run(inputs);
    ASSERT_TRUE(expected) << expected.error().message;
    ASSERT_TRUE(got) << got.error().message;
    expectEqual(got->results[0], expected->results[0]);
    expectEqual(got->results[1], expected->results[1]);
    if (run < 2)
      continue;
    EXPECT_EQ(got->launchesIssued, 0) << "run " << run;
    EXPECT_EQ(got->graphReplays, 1) << "run " << run;
  }
}
