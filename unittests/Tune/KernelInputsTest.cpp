// Inputs on which a kernel alone is timed.
#include "KernelInputs.h"

#include "forge/Execution/Lowering.h"
#include "forge/Kernels/Kernel.h"

#include "TestModule.h"

using namespace forge;

namespace {

/// Scores of rows of 512, of which so many as `%lengths` says are kept, by the comparison.
std::string masked(const std::string &comparison, const std::string &type = "i32") {
  return R"(
#scores = affine_map<(b, k) -> (b, k)>
#row = affine_map<(b, k) -> (b)>
func.func @main(%x: tensor<3x512xf32>, %lengths: tensor<3x)" +
         type + R"(>) -> tensor<3x512xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : )" +
         type + R"(
  %0 = tensor.empty() : tensor<3x512xf32>
  %1 = linalg.generic {indexing_maps = [#scores, #row, #scores], iterator_types = ["parallel", "parallel"]}
      ins(%x, %lengths : tensor<3x512xf32>, tensor<3x)" +
         type + R"(>) outs(%0 : tensor<3x512xf32>) {
  ^bb0(%in: f32, %length: )" +
         type + R"(, %out: f32):
    %k = linalg.index 1 : index
    %more = arith.addi %length, %one : )" +
         type + R"(
    %end = arith.index_cast %more : )" +
         type + R"( to index
    %seen = arith.cmpi )" +
         comparison + R"( : index
    %kept = arith.select %seen, %in, %zero : f32
    linalg.yield %kept : f32
  } -> tensor<3x512xf32>
  return %1 : tensor<3x512xf32>
})";
}

std::vector<int64_t> lengthsOf(const std::string &text, uint64_t seed) {
  TestModule module(text);
  std::vector<HostTensor> inputs = *makeKernelInputs(module.function(), seed);
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < inputs[1].numElements(); ++i)
    lengths.push_back(static_cast<int64_t>(inputs[1].getDouble(i)));
  return lengths;
}

TEST(KernelInputs, LengthsAreNearlyTheSizeThatTheyAreComparedWith) {
  std::vector<int64_t> expected = {511, 510, 509};
  EXPECT_EQ(lengthsOf(masked("slt, %k, %end"), 0), expected);
  EXPECT_EQ(lengthsOf(masked("sgt, %end, %k"), 0), expected);
  EXPECT_EQ(lengthsOf(masked("ult, %k, %end", "i64"), 8), expected);
  EXPECT_EQ(lengthsOf(masked("slt, %k, %end"), 7), (std::vector<int64_t>{504, 511, 510}));
}

TEST(KernelInputs, OtherIntegersAreSmall) {
  for (int64_t label : lengthsOf(masked("eq, %k, %end"), 0))
    EXPECT_LE(std::abs(label), 8);
  for (int64_t number : lengthsOf(masked("slt, %end, %end"), 0))
    EXPECT_LE(std::abs(number), 8);
}

TEST(KernelInputs, AttentionOfADecodeStepHasFullCaches) {
  TestModule module(R"(
func.func @main(%q: tensor<2x8x1x64xbf16>, %k: tensor<2x2x177x64xbf16>, %v: tensor<2x2x177x64xbf16>, %n: tensor<2xi32>) -> tensor<2x8x1x64xbf16> {
  %o = transformer.attention %q, %k, %v lengths %n {causal} : (tensor<2x8x1x64xbf16>, tensor<2x2x177x64xbf16>, tensor<2x2x177x64xbf16>, tensor<2xi32>) -> tensor<2x8x1x64xbf16>
  return %o : tensor<2x8x1x64xbf16>
})");
  CompileOptions options;
  options.target = "sim:sm_90a";
  ASSERT_TRUE(lowerTo(module.get(), options, Phase::Kernels)) << module.messages;
  int found = 0;
  for (auto kernel : module.get().getOps<mlir::func::FuncOp>()) {
    if (!isKernel(kernel))
      continue;
    std::vector<HostTensor> inputs = *makeKernelInputs(kernel, 0);
    for (const HostTensor &input : inputs)
      if (input.type() == DType::I32) {
        EXPECT_GE(input.getDouble(0), 170);
        EXPECT_LE(input.getDouble(0), 177);
        ++found;
      }
  }
  EXPECT_GT(found, 0);
}

} // namespace
