// The sizes that an execution shows, and the work that it is.
#include "../../lib/Verify/SeenSizes.h"

#include "TestModule.h"

using namespace forge;
using reference::Dims;

namespace {

/// Executes `main` under `seen`; whether it came to its end.
bool execute(TestModule &module, SeenSizes &seen, const std::vector<HostTensor> &arguments) {
  InterpreterOptions options;
  options.hook = &seen;
  Interpreter interpreter(module.get(), options);
  return succeeded(interpreter.run(module.function(), arguments));
}

HostTensor zeros(std::vector<int64_t> dims) {
  return *HostTensor::create(DType::F32, std::move(dims));
}

mlir::Operation *firstOp(TestModule &module) {
  return &module.function().getBody().front().front();
}

constexpr const char *kOpen = R"(
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.tanh %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
})";

TEST(SeenSizes, OpenSizesAreThoseOfTheExecution) {
  TestModule module(kOpen);
  mlir::Operation *op = firstOp(module);
  SeenSizes seen(1e9);
  EXPECT_EQ(seen.operand(op, 0, 64), (Dims{64, 3}));
  EXPECT_EQ(seen.result(op, 0, 64), (Dims{64, 3}));
  ASSERT_TRUE(execute(module, seen, {zeros({5, 3})}));
  EXPECT_EQ(seen.operand(op, 0, 64), (Dims{5, 3}));
  EXPECT_EQ(seen.result(op, 0, 64), (Dims{5, 3}));
  EXPECT_EQ(seen.work(), 15);
  // Of several executions, the largest.
  ASSERT_TRUE(execute(module, seen, {zeros({2, 3})}));
  EXPECT_EQ(seen.operand(op, 0, 64), (Dims{5, 3}));
  EXPECT_EQ(seen.work(), 15 + 6);
}

constexpr const char *kProduct = R"(
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})";

// Elements times the terms of each.
TEST(SeenSizes, SumsCountTheirTerms) {
  TestModule module(kProduct);
  SeenSizes seen(1e9);
  ASSERT_TRUE(execute(module, seen, {zeros({4, 16}), zeros({16, 8})}));
  EXPECT_EQ(seen.work(), 4 * 8 * 16);
}

// A product that would be too much work is not begun.
TEST(SeenSizes, EndsBeforeTooMuchWork) {
  TestModule module(kProduct);
  SeenSizes seen(100);
  EXPECT_FALSE(execute(module, seen, {zeros({64, 512}), zeros({512, 64})}));
  EXPECT_GT(seen.work(), 100);
}

TEST(SeenSizes, WorkOfAnOperation) {
  TestModule module(kProduct);
  mlir::Operation *op = firstOp(module);
  auto operand = [](unsigned i) { return i == 0 ? Dims{2, 7} : Dims{7, 3}; };
  auto result = [](unsigned) { return Dims{2, 3}; };
  EXPECT_EQ(workOf(op, operand, result), 2 * 3 * 7);
}

TEST(SeenSizes, OpenSizesOfAFunction) {
  EXPECT_TRUE(hasOpenSizes(TestModule(kOpen).function()));
  TestModule fixed("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                   "  %0 = stablehlo.tanh %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}");
  EXPECT_FALSE(hasOpenSizes(fixed.function()));
}

} // namespace
