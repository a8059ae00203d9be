// One kernel alone on a simulated chip: what it computes is checked.
#include "KernelBench.h"
#include "TestModule.h"

#include "forge/Codegen/Alternatives.h"
#include "forge/Execution/Lowering.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <array>

using namespace forge;

namespace {

class KernelBenchTest : public ::testing::TestWithParam<const char *> {
protected:
  KernelBenchTest() : test(GetParam()), machine(*openTarget("sim:sm_90a")) {
    CompileOptions options;
    options.target = machine.target.text();
    Result<void> lowered = lowerTo(test.get(), options, Phase::Kernels);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    for (auto function : test.get().getOps<mlir::func::FuncOp>())
      if (isKernel(function))
        kernel = function;
  }

  TestModule test;
  TargetDevice machine;
  mlir::func::FuncOp kernel;
};

/// Squares and adds: by the reference.
constexpr const char *kSmall = R"(
func.func @main(%x: tensor<6x300xf32>) -> tensor<6x300xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<6x300xf32>
  %1 = stablehlo.add %0, %x : tensor<6x300xf32>
  return %1 : tensor<6x300xf32>
})";
/// More operations than the reference is asked for: by single threads.
constexpr const char *kLarge = R"(
func.func @main(%x: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<512x1024xf32>
  %1 = stablehlo.add %0, %x : tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
})";

/// Rows that a thread by itself does not hold: by the CPU.
constexpr const char *kLargeRows = R"(
func.func @main(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<256x1024xf32>
  return %0 : tensor<256x1024xf32>
})";

TEST_P(KernelBenchTest, FindsWhatIsWrong) {
  KernelBench bench(kernel, machine, Tier::Hybrid, /*seed=*/0);
  ScheduleAttr schedule = getSchedule(kernel);
  Result<void> right = bench.check(schedule);
  ASSERT_TRUE(right) << right.error().message;
  // The expected results are those from before.
  bool isRows = GetParam() == std::string(kLargeRows);
  kernel.walk([&](mlir::Operation *op) {
    mlir::OpBuilder b(op);
    mlir::Value other;
    if (llvm::isa<mlir::arith::AddFOp>(op) && !isRows)
      other = mlir::arith::SubFOp::create(b, op->getLoc(), op->getOperand(0), op->getOperand(1));
    else if (llvm::isa<mlir::arith::DivFOp>(op))
      other = mlir::arith::MulFOp::create(b, op->getLoc(), op->getOperand(0), op->getOperand(1));
    if (!other)
      return;
    op->replaceAllUsesWith(mlir::ValueRange(other));
    op->erase();
  });
  Result<void> wrong = bench.check(schedule);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("result 0 differs from the reference"), std::string::npos)
      << wrong.error().message;
}

TEST_P(KernelBenchTest, SaysThatThereIsNoReference) {
  // An operation that the interpreter does not have, and that code generation drops.
  mlir::OpBuilder b(kernel.getBody());
  mlir::OperationState unknown(kernel.getLoc(), "vector.step");
  unknown.addTypes(mlir::VectorType::get({4}, b.getIndexType()));
  b.create(unknown);
  KernelBench bench(kernel, machine, Tier::Hybrid, /*seed=*/0);
  Result<void> expected = bench.computeExpected();
  ASSERT_EQ(bool(expected), GetParam() != std::string(kSmall));
  if (!expected)
    EXPECT_EQ(expected.error().message, "the reference does not run this kernel");
}

/// By several threads first, in contexts of their own.
TEST_P(KernelBenchTest, ManySchedulesAtATime) {
  KernelBench bench(kernel, machine, Tier::Hybrid, /*seed=*/0);
  std::vector<ScheduleAttr> schedules = {getSchedule(kernel)};
  for (ScheduleAttr neighbour : neighboursOf(kernel, schedules.front(), *machine.target.chip))
    if (schedules.size() < 5)
      schedules.push_back(neighbour);
  bench.keepCode(3);
  // The second time some are compiled again.
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<std::optional<double>> times = bench.seconds(schedules);
    ASSERT_EQ(times.size(), schedules.size());
    for (const std::optional<double> &time : times)
      EXPECT_TRUE(time && *time > 0);
  }
  EXPECT_TRUE(bench.failures().empty());
  EXPECT_TRUE(test.messages.empty()) << test.messages;
}

TEST_P(KernelBenchTest, NoTimeOfWhatDoesNotCompile) {
  KernelBench bench(kernel, machine, Tier::Hybrid, /*seed=*/0);
  ScheduleAttr schedule = getSchedule(kernel);
  // Without its fields.
  ScheduleAttr broken = ScheduleAttr::empty(&test.context).orWord("strategy", "wgmma");
  std::vector<std::optional<double>> times = bench.seconds({schedule, broken, schedule});
  ASSERT_EQ(times.size(), 3u);
  ASSERT_TRUE(times[0]);
  EXPECT_GT(*times[0], 0);
  EXPECT_FALSE(times[1]);
  EXPECT_TRUE(times[2]);
  ASSERT_EQ(bench.failures().size(), 1u);
  EXPECT_EQ(bench.failures().front().find("wgmma"), 0u) << bench.failures().front();
}

std::string nameOf(const ::testing::TestParamInfo<const char *> &text) {
  return std::array<const char *, 3>{"Small", "Large", "LargeRows"}[text.index];
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelBenchTest, ::testing::Values(kSmall, kLarge, kLargeRows),
                         nameOf);

} // namespace
