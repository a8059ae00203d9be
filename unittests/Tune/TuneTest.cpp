// Tuning on a simulated chip, by predictions and by the simulator's time.
#include "TestModule.h"

#include "forge/Tune/Tune.h"

#include "mlir/IR/Builders.h"

using namespace forge;

namespace {

constexpr const char *kSoftmax = R"(
func.func @main(%x: tensor<6x300xf32>) -> tensor<6x300xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<6x300xf32>
  return %0 : tensor<6x300xf32>
})";

TuneOptions optionsFor(const char *target) {
  TuneOptions options;
  options.compile.target = target;
  return options;
}

/// A plan of `schedule` for the only kernel.
void plan(mlir::ModuleOp module, const std::string &hash, ScheduleAttr schedule) {
  mlir::Builder b(module.getContext());
  auto place = mlir::FileLineColLoc::get(module.getContext(), "plan", 1, 1);
  mlir::Attribute entry =
      b.getDictionaryAttr({b.getNamedAttr("place", place), b.getNamedAttr("schedule", schedule)});
  mlir::Attribute kernels = b.getDictionaryAttr(b.getNamedAttr(hash, entry));
  module->setDiscardableAttr(kPlanAttr, b.getDictionaryAttr(b.getNamedAttr("sm_90a", kernels)));
}

TEST(Tune, DefaultsStayWherePredictionsChose) {
  TestModule test(kSoftmax);
  Result<TuneReport> report = tune(test.get(), optionsFor("sim:sm_90a"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->basis, CostBasis::Predicted);
  ASSERT_EQ(report->kernels.size(), 1u);
  const TunedKernel &kernel = report->kernels.front();
  EXPECT_EQ(kernel.best, kernel.start);
  EXPECT_EQ(kernel.best.strategy(), "rows");
  EXPECT_TRUE(kernel.wrong.empty());
  EXPECT_EQ(kernel.incomplete, "");
  EXPECT_FALSE(report->modelError.worst);
}

/// Every schedule is compiled, run and timed; which one wins is the machine's affair.
TEST(Tune, MeasuresAndChecks) {
  TestModule test(kSoftmax);
  TuneOptions options = optionsFor("sim:sm_90a");
  options.basis = CostBasis::Measured;
  Result<TuneReport> report = tune(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  const TunedKernel &kernel = report->kernels.front();
  EXPECT_GT(kernel.tried, 3u);
  ASSERT_TRUE(kernel.startSeconds && kernel.bestSeconds);
  EXPECT_GT(*kernel.bestSeconds, 0);
  EXPECT_LE(*kernel.bestSeconds, *kernel.startSeconds);
  for (const std::string &wrong : kernel.wrong)
    ADD_FAILURE() << wrong;
  for (const std::string &failed : kernel.failed)
    ADD_FAILURE() << failed;
  EXPECT_EQ(report->basis, CostBasis::Measured);
  EXPECT_GE(report->modelError.predictions, 1u);
}

TEST(Tune, WithoutTimeAllStays) {
  TestModule test(kSoftmax);
  TuneOptions options = optionsFor("sim:sm_90a");
  options.basis = CostBasis::Measured;
  options.budgetSeconds = 0;
  Result<TuneReport> report = tune(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  const TunedKernel &kernel = report->kernels.front();
  EXPECT_EQ(kernel.best, kernel.start);
  EXPECT_EQ(kernel.incomplete, "the time was over");
}

TEST(Tune, APlannedScheduleIsWhereItBegins) {
  TestModule test(kSoftmax);
  Result<TuneReport> report = tune(test.get(), optionsFor("sim:sm_90a"));
  ASSERT_TRUE(report) << report.error().message;
  ScheduleAttr byDefault = report->kernels.front().best;
  ScheduleAttr slow =
      ScheduleAttr::empty(&test.context).orWord("strategy", "rows").orSize("threads", 32);
  plan(test.get(), report->kernels.front().hash, slow);
  report = tune(test.get(), optionsFor("sim:sm_90a"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->kernels.front().start.size("threads"), 32);
  // Predictions do not tell it from the default.
  EXPECT_EQ(report->kernels.front().best, report->kernels.front().start);
  EXPECT_NE(report->kernels.front().start, byDefault);
}

TEST(Tune, UnknownSizesAreLeft) {
  TestModule test(R"(
func.func @main(%x: tensor<?x300xf32>) -> tensor<?x300xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<?x300xf32>
  return %0 : tensor<?x300xf32>
})");
  Result<TuneReport> report = tune(test.get(), optionsFor("sim:sm_90a"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->kernels.front().incomplete, "sizes or numbers of iterations are not known");
}

TEST(Tune, FarWorsePredictionsAreNotTried) {
  TestModule test(R"(
func.func @main(%x: tensor<256x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>
  return %0 : tensor<256x256xbf16>
})");
  Result<TuneReport> report = tune(test.get(), optionsFor("sim:sm_90a"));
  ASSERT_TRUE(report) << report.error().message;
  const TunedKernel &kernel = report->kernels.front();
  EXPECT_EQ(kernel.leftOut, std::vector<std::string>{"generic"});
  EXPECT_EQ(kernel.best, kernel.start);
}

TEST(Tune, TooLargeToBeCheckedOnASimulatedChip) {
  TestModule test(R"(
func.func @main(%x: tensor<1024x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
})");
  Result<TuneReport> report = tune(test.get(), optionsFor("sim:sm_90a"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_NE(report->kernels.front().incomplete.find("too large"), std::string::npos);
}

TEST(Tune, NeedsADevice) {
  TestModule test(kSoftmax);
  Result<TuneReport> report = tune(test.get(), optionsFor("cpu"));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "expected a GPU as target, but got cpu");
}

} // namespace
