#include "forge/Tune/Tune.h"

#include "CheckSearch.h"
#include "KernelBench.h"
#include "Proposer.h"

#include "forge/Codegen/Alternatives.h"
#include "forge/Codegen/CostModel.h"
#include "forge/Execution/Lowering.h"
#include "forge/Tune/Measure.h"
#include "forge/Tune/Search.h"

#include "mlir/IR/OwningOpRef.h"

#include <chrono>
#include <set>

using namespace forge;
using mlir::func::FuncOp;
using Clock = std::chrono::steady_clock;

static std::optional<double> predicted(FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  std::optional<PredictedTime> time = predictTime(*findStrategy(schedule.strategy()), kernel, chip);
  return time ? std::optional(time->seconds) : std::nullopt;
}

static Clock::duration asDuration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

/// Schedules whose code is kept where searches are checked: some MB each.
static constexpr size_t kMostKeptCode = 512;

namespace {
/// What the search of one kernel needs.
struct Subject {
  FuncOp kernel;
  const KernelExplanation &explanation;
  const TargetDevice &machine;
  const TuneOptions &options;
  CostBasis basis;
  Clock::time_point deadline;

  const GPUChip &chip() const { return *machine.target.chip; }
};
} // namespace

/// Whether what is kept is a schedule of the kernel that its strategy takes.
static bool isUsable(const Subject &subject, ScheduleAttr schedule) {
  mlir::ScopedDiagnosticHandler silent(subject.kernel->getContext(),
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  return schedule && succeeded(verifyKernelSchedule(subject.kernel, schedule, subject.chip()));
}

/// What was found before; null if there is nothing that can be used.
static ScheduleAttr keptOf(const Subject &subject) {
  const TunedSchedules *known = subject.options.known;
  ScheduleAttr kept =
      known ? known->find(subject.explanation.hash, subject.kernel->getContext()) : nullptr;
  return isUsable(subject, kept) ? kept : nullptr;
}

/// The schedule in force, and those offered by strategies that may be better.
static std::vector<ScheduleAttr> startsOf(const Subject &subject, TunedKernel &result) {
  std::vector<ScheduleAttr> starts = {subject.explanation.schedule};
  if (ScheduleAttr kept = keptOf(subject); kept && kept != starts.front())
    starts.push_back(kept);
  for (const Offer &offer : subject.explanation.offers) {
    if (!offer || llvm::is_contained(starts, offer.schedule))
      continue;
    if (isFarWorse(offer, subject.explanation.offers))
      result.leftOut.push_back(offer.strategy->name.str());
    else
      starts.push_back(offer.schedule);
  }
  return starts;
}

static SearchSpace spaceOf(Subject &subject, Proposer &proposer, TunedKernel &result) {
  SearchSpace space;
  space.starts = startsOf(subject, result);
  if (subject.basis == CostBasis::Measured) {
    space.neighbours = [&subject](ScheduleAttr schedule) {
      return neighboursOf(subject.kernel, schedule, subject.chip());
    };
    space.pairs = [&subject](ScheduleAttr schedule) {
      return pairNeighboursOf(subject.kernel, schedule, subject.chip());
    };
  }
  if (subject.options.ask)
    space.propose = [&](Proposer::Tried tried) {
      double before = proposer.waitedSeconds();
      std::vector<ScheduleAttr> schedules = proposer.propose(tried);
      subject.deadline += asDuration(proposer.waitedSeconds() - before);
      return schedules;
    };
  return space;
}

/// Schedules whose results were compared.
using Compared = llvm::DenseMap<ScheduleAttr, bool>;

static SearchQuestions questionsOf(const Subject &subject, KernelBench &bench, Proposer &proposer,
                                   Compared &compared, TunedKernel &result) {
  SearchQuestions questions;
  questions.costs = [&](mlir::ArrayRef<ScheduleAttr> schedules) {
    if (subject.basis == CostBasis::Measured)
      return bench.seconds(schedules);
    std::vector<std::optional<double>> costs;
    for (ScheduleAttr schedule : schedules)
      costs.push_back(predicted(subject.kernel, schedule, subject.chip()));
    return costs;
  };
  questions.isRight = [&](ScheduleAttr schedule) {
    auto [entry, isNew] = compared.try_emplace(schedule, false);
    if (!isNew)
      return entry->second;
    if (Result<void> expected = bench.computeExpected(); !expected) {
      result.incomplete = "there is nothing to compare with: " + expected.error().message;
      proposer.reject(schedule, result.incomplete);
      return false;
    }
    Result<void> right = bench.check(schedule);
    if (!right) {
      result.wrong.push_back(schedule.describe() + ": " + right.error().message);
      proposer.reject(schedule, right.error().message);
    }
    return entry->second = bool(right);
  };
  questions.isOver = [&] { return Clock::now() >= subject.deadline; };
  return questions;
}

/// What was measured of schedules that a strategy offers.
static std::vector<Prediction> predictionsOf(const Subject &subject, const TunedKernel &result) {
  std::vector<Prediction> predictions;
  for (const auto &[schedule, ignored, measured] : result.tried)
    for (const Offer &offer : subject.explanation.offers)
      if (measured && *measured > 0 && offer.schedule == schedule && offer.seconds)
        predictions.push_back({subject.explanation.name, offer.strategy->name.str(),
                               *offer.seconds + kLaunchSeconds, *measured, *offer.workSeconds});
  return predictions;
}

/// Counts what was proposed, and keeps it.
static void keepExchanges(const Proposer &proposer, TunedKernel &result, TuneReport &report) {
  for (const Exchange &exchange : proposer.exchanges())
    for (const Proposal &proposal : exchange.proposals) {
      ++result.proposed;
      result.rejected += !proposal.rejection.empty();
      result.isProposed |= proposal.schedule && proposal.schedule == result.best;
    }
  llvm::append_range(report.exchanges, proposer.exchanges());
  if (report.noProposals.empty())
    report.noProposals = proposer.problem();
}

/// Fills `result` by a search.
static void searchBest(const Subject &subject, const SearchSpace &space,
                       const SearchQuestions &questions, Proposer &proposer, TunedKernel &result) {
  SearchResult found = searchSchedules(space, questions, {.seed = subject.options.seed});
  result.best = found.best;
  result.startSeconds = found.startCost;
  result.bestSeconds = found.bestCost;
  for (auto [schedule, cost] : found.tried)
    result.tried.push_back({schedule, {}, cost});
  proposer.settle(found.tried);
  if (!found.isComplete && result.incomplete.empty())
    result.incomplete = "the time was over";
}

static void search(Subject &subject, TunedKernel &result, TuneReport &report) {
  KernelBench bench(subject.kernel, subject.machine, subject.options.compile.tier,
                    subject.options.seed);
  Proposer proposer(subject.kernel, subject.explanation, subject.chip(), subject.options.ask);
  SearchSpace space = spaceOf(subject, proposer, result);
  if (!report.noProposals.empty())
    space.propose = nullptr;
  Compared compared;
  SearchQuestions questions = questionsOf(subject, bench, proposer, compared, result);
  if (subject.options.checkedStarts > 0) {
    // Each of its searches comes back to schedules of the others.
    bench.keepCode(kMostKeptCode);
    checkSearch(space, questions, subject.options.checkedStarts, subject.options.seed, result);
  } else {
    searchBest(subject, space, questions, proposer, result);
  }
  for (TriedSchedule &tried : result.tried) {
    tried.predicted = predicted(subject.kernel, tried.schedule, subject.chip());
    if (subject.basis != CostBasis::Measured)
      tried.measured = std::nullopt;
  }
  result.failed = bench.failures();
  keepExchanges(proposer, result, report);
  if (subject.basis == CostBasis::Measured)
    result.offers = predictionsOf(subject, result);
}

/// Why a kernel's schedule stays as it is, or empty.
static std::string whyNot(const Subject &subject) {
  if (!subject.explanation.work)
    return "sizes or numbers of iterations are not known";
  if (!KernelBench::canCheck(*subject.explanation.work, subject.machine))
    return "it is too large to be checked on a simulated device";
  return "";
}

static void tuneKernel(Subject &subject, TunedKernel &result, TuneReport &report) {
  result.incomplete = whyNot(subject);
  if (!result.incomplete.empty())
    return;
  bool isAnswered = !subject.options.ask && subject.options.checkedStarts == 0;
  ScheduleAttr kept = isAnswered ? keptOf(subject) : nullptr;
  if (kept) {
    result.best = kept;
    result.isKnown = true;
    return;
  }
  search(subject, result, report);
  const TunedSchedules *known = subject.options.known;
  if (known && result.incomplete.empty() && report.notKept.empty())
    if (Result<void> stored = known->store({result.hash, result.name, result.best}); !stored)
      report.notKept = stored.error().message;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// What a kernel takes of a run, as far as that is predicted.
static double shareOf(const Subject &subject) {
  std::optional<double> seconds =
      predicted(subject.kernel, subject.explanation.schedule, subject.chip());
  return (seconds.value_or(0) + kLaunchSeconds) *
         double(std::max<int64_t>(subject.explanation.launches, 1));
}

/// The kernels with most of the time first: what time they leave is for the others.
static void tuneAll(std::vector<Subject> &subjects, const TuneOptions &options,
                    TuneReport &report) {
  std::vector<size_t> order;
  double rest = 0;
  for (size_t i = 0; i < subjects.size(); ++i) {
    order.push_back(i);
    rest += shareOf(subjects[i]);
  }
  llvm::stable_sort(
      order, [&](size_t a, size_t b) { return shareOf(subjects[a]) > shareOf(subjects[b]); });
  Clock::time_point end = Clock::now() + asDuration(options.budgetSeconds);
  std::vector<Prediction> predictions;
  for (size_t i = 0; i < order.size(); ++i) {
    Subject &subject = subjects[order[i]];
    TunedKernel &result = report.kernels[order[i]];
    if (options.progress)
      options.progress(result.name + ", kernel " + std::to_string(i + 1) + " of " +
                       std::to_string(order.size()));
    double share = shareOf(subject);
    Clock::time_point begin = Clock::now();
    double left = std::max(std::chrono::duration<double>(end - begin).count(), 0.0);
    subject.deadline = begin + asDuration(left * (rest > 0 ? std::min(share / rest, 1.0) : 1.0));
    Clock::time_point before = subject.deadline;
    rest -= share;
    tuneKernel(subject, result, report);
    llvm::append_range(predictions, result.offers);
    // By how long answers took.
    end += subject.deadline - before;
  }
  report.modelError = modelErrorOf(predictions);
}

Result<TuneReport> forge::tune(mlir::ModuleOp module, const TuneOptions &options) {
  Result<TargetDevice> machine = openTarget(options.compile.target);
  if (!machine)
    return machine.error();
  if (!machine->target.isGPU())
    return Error{"expected a GPU as target, but got " + machine->target.text()};
  CompileOptions compile = options.compile;
  compile.target = machine->target.text();
  mlir::OwningOpRef<mlir::ModuleOp> lowered(module.clone());
  if (Result<void> done = lowerTo(*lowered, compile, Phase::Kernels); !done)
    return done.error();
  TuneReport report;
  bool isSimulated = machine->device->driverName() == "sim";
  report.basis = options.basis.value_or(isSimulated ? CostBasis::Predicted : CostBasis::Measured);
  std::vector<KernelExplanation> explanations = explainKernels(*lowered, *machine->target.chip, {});
  std::vector<Subject> subjects;
  std::set<std::string> hashes;
  for (const KernelExplanation &one : explanations) {
    if (!hashes.insert(one.hash).second)
      continue;
    auto kernel = lowered->lookupSymbol<FuncOp>(one.name);
    subjects.push_back({kernel, one, *machine, options, report.basis, {}});
    TunedKernel result;
    result.name = one.name;
    result.hash = one.hash;
    result.launches = one.launches;
    result.start = result.best = one.schedule;
    report.kernels.push_back(std::move(result));
  }
  tuneAll(subjects, options, report);
  return report;
}
