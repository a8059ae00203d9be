#include "CompileText.h"

#include "forge/Runtime/PendingRun.h"
#include "forge/Runtime/Resident.h"
#include "forge/Support/KeptResults.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

static HostTensor numbers(std::initializer_list<float> values) {
  HostTensor tensor = *HostTensor::create(DType::F32, {static_cast<int64_t>(values.size())});
  int64_t i = 0;
  for (float value : values)
    tensor.setDouble(i++, value);
  return tensor;
}

namespace {
class KeptTensors : public testing::TestWithParam<const char *> {
protected:
  static Executable compile(const std::string &text) {
    CompileOptions options;
    options.target = GetParam();
    Result<Executable> code = compileText(text, options, Phase::Import);
    EXPECT_TRUE(code) << code.error().message;
    return std::move(*code);
  }
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Targets, KeptTensors, testing::Values("cpu", "sim:sm_90a"),
                         [](const auto &info) {
                           return std::string(info.param) == "cpu" ? "cpu" : "sim";
                         });

TEST_P(KeptTensors, BecomeTheResultsOfARun) {
  // The sum, and both operands the other way round: a result is in the memory of another argument.
  Executable code = compile(R"mlir(
    func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 1 : i32},
                    %b: tensor<2xf32> {tf.aliasing_output = 2 : i32})
        -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %sum = stablehlo.add %a, %b : tensor<2xf32>
      return %sum, %b, %a : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    })mlir");
  rt::Resident a = std::move(*code.keep(numbers({1, 2}))),
               b = std::move(*code.keep(numbers({10, 20})));
  rt::Resident *arguments[] = {&a, &b};
  const std::optional<size_t> kept[] = {std::nullopt, 0, 1};
  auto run = [&](bool keeps) {
    Result<RunResult> done =
        code.run(arguments, keeps ? std::span(kept) : std::span<const std::optional<size_t>>());
    EXPECT_TRUE(done) << done.error().message;
    std::vector<double> first;
    for (const HostTensor &result : done->results)
      first.push_back(result.getDouble(0));
    return first;
  };
  EXPECT_EQ(run(/*keeps=*/true), std::vector<double>{11});
  // They have changed places.
  EXPECT_EQ(run(/*keeps=*/true), std::vector<double>{11});
  ASSERT_TRUE(code.write(a, numbers({5, 6})));
  EXPECT_EQ(run(/*keeps=*/true), std::vector<double>{15});
  EXPECT_EQ(run(/*keeps=*/false), (std::vector<double>{15, 5, 10}));
}

TEST_P(KeptTensors, AreWhatTheNextRunReadsBeforeTheHostHasSeenThem) {
  // A counter and a sum, neither in the memory of its argument; the sum is given, too.
  Executable code = compile(R"mlir(
    func.func @main(%sum: tensor<2xf32>, %count: tensor<2xf32>)
        -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %one = stablehlo.constant dense<1.0> : tensor<2xf32>
      %0 = stablehlo.add %sum, %count : tensor<2xf32>
      %1 = stablehlo.add %count, %one : tensor<2xf32>
      %2 = stablehlo.multiply %sum, %count : tensor<2xf32>
      return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    })mlir");
  rt::Resident sum = std::move(*code.keep(numbers({0, 5}))),
               count = std::move(*code.keep(numbers({1, 2})));
  rt::Resident *arguments[] = {&sum, &count};
  const std::optional<size_t> kept[] = {0 | kAlsoGiven, 1, std::nullopt};
  std::vector<rt::PendingRun> runs;
  for (int i = 0; i < 3; ++i) {
    Result<rt::PendingRun> begun = code.begin(arguments, kept);
    ASSERT_TRUE(begun) << begun.error().message;
    EXPECT_EQ(begun->endedAtOnce(), GetParam() == std::string("cpu"));
    runs.push_back(std::move(*begun));
  }
  // 0 + 1, 1 + 2, 3 + 3; 5 + 2, 7 + 3, 10 + 4.
  const std::vector<std::vector<double>> sums = {{1, 7}, {3, 10}, {6, 14}};
  for (int i = 0; i < 3; ++i) {
    Result<std::vector<HostTensor>> results = code.finish(std::move(runs[static_cast<size_t>(i)]));
    ASSERT_TRUE(results) << results.error().message;
    ASSERT_EQ(results->size(), 2u);
    EXPECT_EQ((*results)[0].getDouble(0), sums[static_cast<size_t>(i)][0]);
    EXPECT_EQ((*results)[0].getDouble(1), sums[static_cast<size_t>(i)][1]);
  }
  // A run that nobody waits for, then one that is waited for at once.
  ASSERT_TRUE(code.begin(arguments, kept));
  Result<RunResult> last = code.run(arguments, kept);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->results[0].getDouble(0), 15);
}

TEST_P(KeptTensors, ChangePlacesInARunThatEndsAtOnce) {
  // No order of copies does that.
  Executable code = compile(R"mlir(
    func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32},
                    %b: tensor<2xf32> {tf.aliasing_output = 1 : i32})
        -> (tensor<2xf32>, tensor<2xf32>) {
      return %b, %a : tensor<2xf32>, tensor<2xf32>
    })mlir");
  rt::Resident a = std::move(*code.keep(numbers({1, 2}))),
               b = std::move(*code.keep(numbers({10, 20})));
  rt::Resident *arguments[] = {&a, &b};
  const std::optional<size_t> kept[] = {0 | kAlsoGiven, 1 | kAlsoGiven};
  for (double first : {10, 1, 10}) {
    Result<rt::PendingRun> begun = code.begin(arguments, kept);
    ASSERT_TRUE(begun) << begun.error().message;
    Result<std::vector<HostTensor>> results = code.finish(std::move(*begun));
    ASSERT_TRUE(results);
    EXPECT_EQ((*results)[0].getDouble(0), first);
  }
}

TEST_P(KeptTensors, HaveTheTypesOfTheArguments) {
  Executable code =
      compile("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }");
  rt::Resident three = std::move(*code.keep(numbers({1, 2, 3})));
  rt::Resident *arguments[] = {&three};
  EXPECT_EQ(code.run(arguments, {}).error().message,
            "argument 0: expected tensor<2xf32>, but got tensor<3xf32>");
  EXPECT_EQ(code.run({}, {}).error().message, "expected 1 inputs, but got 0");
  EXPECT_EQ(code.write(three, numbers({1})).error().message,
            "expected tensor<3xf32>, but got tensor<1xf32>");
}
