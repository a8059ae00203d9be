// Tuning on a simulated chip, by predictions and by the simulator's time.
#include "TestModule.h"

#include "forge/Tune/Tune.h"

#include "mlir/IR/Builders.h"

#include <cstring>

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
  EXPECT_GT(kernel.tried.size(), 3u);
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

/// All schedules are timed; searches from random ones end at some of them.
TEST(Tune, ChecksSearches) {
  TestModule test(R"(
func.func @main(%x: tensor<15x7xf32>, %w: tensor<7x11xf32>) -> tensor<15x11xf32> {
  %0 = transformer.matmul %x, %w : (tensor<15x7xf32>, tensor<7x11xf32>) -> tensor<15x11xf32>
  return %0 : tensor<15x11xf32>
})");
  TuneOptions options = optionsFor("sim:sm_90a");
  options.basis = CostBasis::Measured;
  options.checkedStarts = 2;
  Result<TuneReport> report = tune(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  const TunedKernel &kernel = report->kernels.front();
  llvm::DenseSet<ScheduleAttr> all;
  for (const TriedSchedule &tried : kernel.tried)
    EXPECT_TRUE(all.insert(tried.schedule).second) << tried.schedule.describe();
  EXPECT_GT(all.size(), 5u);
  ASSERT_EQ(kernel.searchedStarts.size(), 2u);
  for (const SearchedStart &start : kernel.searchedStarts) {
    EXPECT_TRUE(all.contains(start.start));
    EXPECT_TRUE(all.contains(start.best));
    ASSERT_TRUE(start.ofFastest);
    EXPECT_GT(*start.ofFastest, 0);
    EXPECT_GT(start.tried, 1u);
  }
  EXPECT_TRUE(all.contains(kernel.best));
  EXPECT_EQ(kernel.incomplete, "");
}

TEST(Tune, WithoutTimeNothingIsChecked) {
  TestModule test(kSoftmax);
  TuneOptions options = optionsFor("sim:sm_90a");
  options.basis = CostBasis::Measured;
  options.checkedStarts = 2;
  options.budgetSeconds = 0;
  Result<TuneReport> report = tune(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->kernels.front().searchedStarts.empty());
  EXPECT_EQ(report->kernels.front().incomplete, "the time was over");
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

/// What is asked is answered with these, the last again and again.
class Answers {
public:
  explicit Answers(std::vector<std::string> texts) : texts(std::move(texts)) {}
  Asker asker() {
    return [this](const std::string &, const std::string &question) -> Result<std::string> {
      questions.push_back(question);
      std::string text = texts[std::min(questions.size(), texts.size()) - 1];
      if (text.empty())
        return Error{"the line is dead"};
      size_t at = text.find("HASH");
      return at == text.npos ? text : text.replace(at, 4, question.substr(strlen("Kernel "), 32));
    };
  }
  std::vector<std::string> texts, questions;
};

/// Checked like any other, and told of in the next question. By predicted times: where a climb by
/// measured ones comes by is the machine's affair.
TEST(Tune, ProposalsAreTried) {
  TestModule test(kSoftmax);
  Answers answers(
      {"kernel HASH #forge.schedule<strategy = rows, vector = 1, rows = 1, threads = 32>",
       "that is all"});
  TuneOptions options = optionsFor("sim:sm_90a");
  options.ask = answers.asker();
  Result<TuneReport> report = tune(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->exchanges.size(), 3u);
  ASSERT_EQ(report->exchanges[0].proposals.size(), 1u);
  const Proposal &proposal = report->exchanges[0].proposals.front();
  EXPECT_EQ(proposal.rejection, "");
  ASSERT_TRUE(proposal.seconds);
  EXPECT_GT(*proposal.seconds, 0);
  EXPECT_EQ(proposal.schedule.size("threads"), 32);
  std::string text;
  llvm::raw_string_ostream(text) << proposal.schedule;
  EXPECT_NE(answers.questions[1].find(text + ": "), std::string::npos) << answers.questions[1];
  EXPECT_EQ(report->kernels.front().proposed, 1u);
  EXPECT_EQ(report->kernels.front().rejected, 0u);
  EXPECT_TRUE(report->kernels.front().wrong.empty());
  EXPECT_EQ(report->noProposals, "");
}

/// Of two kernels only the first is asked about.
TEST(Tune, NoQuestionsOnceTheLineIsDead) {
  TestModule test(R"(
func.func @main(%x: tensor<6x300xf32>, %y: tensor<64xf32>) -> (tensor<6x300xf32>, tensor<64xf32>) {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<6x300xf32>
  %1 = stablehlo.tanh %y : tensor<64xf32>
  return %0, %1 : tensor<6x300xf32>, tensor<64xf32>
})");
  Answers answers({""});
  TuneOptions options = optionsFor("sim:sm_90a");
  options.ask = answers.asker();
  Result<TuneReport> report = tune(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->kernels.size(), 2u);
  EXPECT_EQ(answers.questions.size(), 1u);
  EXPECT_EQ(report->noProposals, "the line is dead");
  ASSERT_EQ(report->exchanges.size(), 1u);
  EXPECT_EQ(report->exchanges.front().error, "the line is dead");
  for (const TunedKernel &kernel : report->kernels)
    EXPECT_EQ(kernel.incomplete, "");
}

TEST(Tune, OfAnAnswerOnlySomeLinesAreRead) {
  TestModule test(kSoftmax);
  std::string text = "kernel HASH #forge.schedule<strategy = generic, threads = 32>\n";
  text += "kernel " + std::string(2000, 'x') + "\n";
  for (int i = 0; i < 9; ++i)
    text += "- `kernel f #forge.schedule<strategy = rows>`\n";
  Answers answers({text, "that is all"});
  TuneOptions options = optionsFor("sim:sm_90a");
  options.ask = answers.asker();
  Result<TuneReport> report = tune(test.get(), options);
  ASSERT_TRUE(report) << report.error().message;
  const Exchange &first = report->exchanges.front();
  EXPECT_EQ(first.remark, "expected at most 8 schedules, but got 11");
  ASSERT_EQ(first.proposals.size(), 8u);
  EXPECT_EQ(first.proposals[0].rejection, "");
  EXPECT_EQ(first.proposals[1].rejection, "expected a line of at most 1000 letters, but got 2007");
  EXPECT_EQ(first.proposals[1].line.size(), 1000u);
  EXPECT_EQ(first.proposals[2].line, "kernel f #forge.schedule<strategy = rows>");
}

TEST(Tune, NeedsADevice) {
  TestModule test(kSoftmax);
  Result<TuneReport> report = tune(test.get(), optionsFor("cpu"));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "expected a GPU as target, but got cpu");
}

} // namespace
