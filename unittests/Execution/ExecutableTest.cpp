#include "CompileText.h"

#include <cmath>

using namespace forge;
using namespace forge::test;

static const char *addText = R"mlir(
  func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %e = tensor.empty() : tensor<2x3xf32>
    %r = linalg.add ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  })mlir";

namespace {
class TierTest : public ::testing::TestWithParam<Tier> {
protected:
  Result<Executable> compile(llvm::StringRef text) {
    CompileOptions options;
    options.tier = GetParam();
    options.verifyEach = true;
    return compileText(text, options);
  }
};
} // namespace
INSTANTIATE_TEST_SUITE_P(Tiers, TierTest, ::testing::Values(Tier::Correctness, Tier::Optimized));

TEST_P(TierTest, Add) {
  Result<Executable> executable = compile(addText);
  ASSERT_TRUE(executable) << executable.error().message;
  HostTensor a = tensor(DType::F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  for (int run = 0; run < 3; ++run) {
    Result<RunResult> result = executable->run({a, a});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->results.size(), 1u);
    EXPECT_EQ(values(result->results[0]), (std::vector<double>{2, 4, 6, 8, 10, 12}));
  }
  EXPECT_GE(executable->phaseTimes().size(), 5u);
}

TEST_P(TierTest, DynamicResultsOfSeveralTypes) {
  Result<Executable> executable = compile(R"mlir(
    func.func @main(%a: tensor<?x2xf32>, %b: tensor<f8E4M3FN>, %c: tensor<3xi1>) -> (tensor<?x2xf32>, tensor<f32>, tensor<3xi1>) {
      %c0 = arith.constant 0 : index
      %d = tensor.dim %a, %c0 : tensor<?x2xf32>
      %e = tensor.empty(%d) : tensor<?x2xf32>
      %r = linalg.add ins(%a, %a : tensor<?x2xf32>, tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
      %l = tensor.extract %b[] : tensor<f8E4M3FN>
      %x = arith.extf %l : f8E4M3FN to f32
      %y = math.tanh %x : f32
      %t = tensor.from_elements %y : tensor<f32>
      return %r, %t, %c : tensor<?x2xf32>, tensor<f32>, tensor<3xi1>
    })mlir");
  ASSERT_TRUE(executable) << executable.error().message;
  Result<RunResult> result =
      executable->run({tensor(DType::F32, {2, 2}, {1, 2, 3, 4}), tensor(DType::F8E4M3FN, {}, {0.5}),
                       tensor(DType::I1, {3}, {1, 0, 1})});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->results[0].dims(), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(values(result->results[0]), (std::vector<double>{2, 4, 6, 8}));
  EXPECT_NEAR(result->results[1].getDouble(0), std::tanh(0.5), 1e-6);
  EXPECT_EQ(values(result->results[2]), (std::vector<double>{1, 0, 1}));
}

TEST_P(TierTest, InputsAreNotWritten) {
  Result<Executable> executable = compile(R"mlir(
    func.func @main(%a: tensor<4xi32>, %b: tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
      %r = tensor.insert_slice %b into %a[2] [1] [1] : tensor<1xi32> into tensor<4xi32>
      return %r, %a : tensor<4xi32>, tensor<4xi32>
    })mlir");
  ASSERT_TRUE(executable) << executable.error().message;
  Result<RunResult> result =
      executable->run({tensor(DType::I32, {4}, {1, 2, 3, 4}), tensor(DType::I32, {1}, {9})});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(values(result->results[0]), (std::vector<double>{1, 2, 9, 4}));
  EXPECT_EQ(values(result->results[1]), (std::vector<double>{1, 2, 3, 4}));
}

TEST_P(TierTest, TimedInPlace) {
  Result<Executable> executable = compile(addText);
  ASSERT_TRUE(executable) << executable.error().message;
  HostTensor a = tensor(DType::F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  std::vector<HostTensor> inputs = {a, a};
  const void *before = inputs[0].data();
  for (int run = 0; run < 3; ++run) {
    Result<double> ms = executable->timeRun(inputs);
    ASSERT_TRUE(ms) << ms.error().message;
    EXPECT_GT(*ms, 0);
  }
  EXPECT_EQ(inputs[0].data(), before);
  EXPECT_EQ(values(inputs[1]), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  inputs.pop_back();
  Result<double> wrong = executable->timeRun(inputs);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "expected 2 inputs of function main, but got 1");
}

TEST_P(TierTest, FourBitIntegers) {
  Result<Executable> executable = compile(R"mlir(
    func.func @main(%a: tensor<3xi4>) -> (tensor<3xi4>, tensor<3xi1>) {
      %e = tensor.empty() : tensor<3xi4>
      %e1 = tensor.empty() : tensor<3xi1>
      %c = arith.constant dense<-3> : tensor<3xi4>
      %r = linalg.add ins(%a, %c : tensor<3xi4>, tensor<3xi4>) outs(%e : tensor<3xi4>) -> tensor<3xi4>
      %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%a : tensor<3xi4>) outs(%e1 : tensor<3xi1>) {
        ^bb0(%x: i4, %o: i1):
          %k = arith.constant -2 : i4
          %q = arith.cmpi eq, %x, %k : i4
          linalg.yield %q : i1
      } -> tensor<3xi1>
      return %r, %s : tensor<3xi4>, tensor<3xi1>
    })mlir");
  ASSERT_TRUE(executable) << executable.error().message;
  Result<RunResult> result = executable->run({tensor(DType::I4, {3}, {7, -2, -8})});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(values(result->results[0]), (std::vector<double>{4, -5, 5}));
  EXPECT_EQ(values(result->results[1]), (std::vector<double>{0, 1, 0}));
}

TEST_P(TierTest, NarrowFloatConstants) {
  Result<Executable> executable = compile(R"mlir(
    func.func @main() -> (tensor<3xf8E5M2>, tensor<2xbf16>, tensor<f8E4M3FN>) {
      %a = arith.constant dense<[0.5, -1.0, 0x7C]> : tensor<3xf8E5M2>
      %b = arith.constant dense<[1.5, -2.0]> : tensor<2xbf16>
      %s = arith.constant 448.0 : f8E4M3FN
      %c = tensor.from_elements %s : tensor<f8E4M3FN>
      return %a, %b, %c : tensor<3xf8E5M2>, tensor<2xbf16>, tensor<f8E4M3FN>
    })mlir");
  ASSERT_TRUE(executable) << executable.error().message;
  Result<RunResult> result = executable->run({});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(values(result->results[0]), (std::vector<double>{0.5, -1, INFINITY}));
  EXPECT_EQ(values(result->results[1]), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(values(result->results[2]), (std::vector<double>{448}));
}

TEST(Executable, InputsThatDoNotFit) {
  Result<Executable> executable = compileText(addText);
  ASSERT_TRUE(executable) << executable.error().message;
  HostTensor good = tensor(DType::F32, {2, 3}, {});
  auto message = [&](std::vector<HostTensor> inputs) {
    Result<RunResult> result = executable->run(std::move(inputs));
    return result ? std::string("no error") : result.error().message;
  };
  EXPECT_EQ(message({good}), "expected 2 inputs of function main, but got 1");
  EXPECT_EQ(message({good, tensor(DType::F64, {2, 3}, {})}),
            "argument 1: expected element type f32 of tensor<2x3xf32>, but got tensor<2x3xf64>");
  EXPECT_EQ(message({tensor(DType::F32, {6}, {}), good}),
            "argument 0: expected rank 2 of tensor<2x3xf32>, but got rank 1 of tensor<6xf32>");
  EXPECT_EQ(message({good, tensor(DType::F32, {2, 4}, {})}),
            "argument 1, dimension 1: expected size 3 of tensor<2x3xf32>, but got size 4 of "
            "tensor<2x4xf32>");
}

TEST(Executable, FunctionIsFoundOrNamed) {
  EXPECT_EQ(compileText("func.func @f() { return }\nfunc.func @g() { return }").error().message,
            "module has several public functions ('f', 'g', ...) and none is called 'main'");
  EXPECT_TRUE(compileText("func.func @f() { return }"));
  CompileOptions options;
  options.function = "g";
  EXPECT_TRUE(compileText("func.func @f() { return }\nfunc.func @g() { return }", options));
}

TEST(Executable, AssertionsAndSizes) {
  Result<Executable> executable = compileText(R"mlir(
    func.func private @assert_0(i1, i64) attributes {forge.assert_message = "expected at most 3, but got {0}"}
    func.func @main(%n: tensor<i64>) -> tensor<?xf32> {
      %c3 = arith.constant 3 : i64
      %v = tensor.extract %n[] : tensor<i64>
      %ok = arith.cmpi sle, %v, %c3 : i64
      func.call @assert_0(%ok, %v) : (i1, i64) -> ()
      %odd = arith.cmpi ne, %v, %c3 : i64
      cf.assert %odd, "three is not allowed"
      %i = arith.index_cast %v : i64 to index
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty(%i) : tensor<?xf32>
      %r = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    })mlir");
  ASSERT_TRUE(executable) << executable.error().message;
  auto message = [&](double n) {
    Result<RunResult> result = executable->run({tensor(DType::I64, {}, {n})});
    return result ? std::to_string(result->results[0].numElements()) : result.error().message;
  };
  EXPECT_EQ(message(2), "2");
  EXPECT_EQ(message(7), "expected at most 3, but got 7");
  EXPECT_EQ(message(3), "three is not allowed");
  EXPECT_EQ(message(-5), "negative dimension size -5");
  EXPECT_EQ(message(1), "1");
}

TEST(Executable, ChecksAreRecorded) {
  Result<Executable> executable = compileText(R"mlir(
    func.func private @forge_rt_expect_eq_i32(tensor<*xi32> {bufferization.access = "read"}, tensor<*xi32> {bufferization.access = "read"})
    func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) {
      %x = tensor.cast %a : tensor<2xi32> to tensor<*xi32>
      %y = tensor.cast %b : tensor<2xi32> to tensor<*xi32>
      call @forge_rt_expect_eq_i32(%x, %y) : (tensor<*xi32>, tensor<*xi32>) -> ()
      call @forge_rt_expect_eq_i32(%x, %x) : (tensor<*xi32>, tensor<*xi32>) -> ()
      return
    })mlir");
  ASSERT_TRUE(executable) << executable.error().message;
  Result<RunResult> result =
      executable->run({tensor(DType::I32, {2}, {1, 2}), tensor(DType::I32, {2}, {1, 3})});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->numChecks, 2);
  ASSERT_EQ(result->failedChecks.size(), 1u);
  EXPECT_EQ(result->failedChecks[0],
            "expect_eq of i32: element [1]: expected 3, but got 2 (1 of 2 differ)");
}
