// forge tune: searches better schedules for the kernels of a module.
#include "Progress.h"
#include "Proposals.h"
#include "Session.h"

#include "forge/Codegen/CostModel.h"
#include "forge/Codegen/Target.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Tune/Tune.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

namespace {
struct TuneCommandOptions {
  ModuleOptions module;
  double budget = 60;
  uint64_t seed = 0;
  /// Where the schedules are written as a plan; empty: nowhere.
  std::string planFile;
  /// Only those that are better than the schedule in force.
  bool onlyBetter = false;
  /// Random schedules that searches are checked from.
  unsigned checkedStarts = 0;
  ProposeOptions propose;
  bool asJson = false;
};
} // namespace

static const char *basisText(CostBasis basis) {
  return basis == CostBasis::Predicted ? "predicted" : "measured";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string microseconds(std::optional<double> seconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (seconds)
    os << llvm::format("%.3g us", *seconds * 1e6);
  return seconds ? text : "-";
}

/// How many times as fast, or "-" if that is not known.
static std::string gainText(const TunedKernel &kernel) {
  if (!kernel.startSeconds || !kernel.bestSeconds || *kernel.bestSeconds <= 0)
    return "-";
  return llvm::formatv("{0:f2}", *kernel.startSeconds / *kernel.bestSeconds).str();
}

static std::string noteText(const TunedKernel &kernel) {
  std::string note;
  if (kernel.isKnown)
    note += ", found before";
  if (kernel.isProposed)
    note += ", proposed";
  if (!kernel.incomplete.empty())
    note += ", not all tried: " + kernel.incomplete;
  return note;
}

static void printRow(llvm::StringRef name, llvm::StringRef launches, llvm::StringRef start,
                     llvm::StringRef best, llvm::StringRef gain, llvm::StringRef tried,
                     const llvm::Twine &schedule) {
  llvm::outs() << llvm::formatv("{0,-20} {1,8} {2,14} {3,14} {4,8} {5,6}  ", name, launches, start,
                                best, gain, tried)
               << schedule << "\n";
}

static void printModelError(const ModelError &error) {
  if (!error.worst)
    return;
  llvm::outs() << "predictions: " << error.predictions;
  if (error.rankCorrelation)
    llvm::outs() << llvm::formatv(", rank correlation {0:f2}", *error.rankCorrelation);
  llvm::outs() << "; worst: " << error.worst->kernel << " by " << error.worst->strategy
               << ", predicted " << microseconds(error.worst->predicted) << ", measured "
               << microseconds(error.worst->measured) << "\n";
}

/// Where a model was asked.
static void printProposals(const TuneReport &report) {
  if (report.exchanges.empty())
    return;
  size_t proposed = 0, rejected = 0;
  for (const TunedKernel &kernel : report.kernels) {
    proposed += kernel.proposed;
    rejected += kernel.rejected;
  }
  llvm::outs() << "proposals: " << proposed << ", rejected: " << rejected << "\n";
}

/// Where searches were checked.
static void printCheckedSearch(const TunedKernel &kernel) {
  if (kernel.searchedStarts.empty())
    return;
  std::optional<double> worst;
  size_t tried = 0;
  for (const SearchedStart &start : kernel.searchedStarts) {
    if (start.ofFastest)
      worst = std::max(worst.value_or(0), *start.ofFastest);
    tried += start.tried;
  }
  llvm::outs() << kernel.name << ": " << kernel.tried.size() << " schedules; searches from "
               << kernel.searchedStarts.size() << " random ones tried "
               << tried / kernel.searchedStarts.size() << " each and ended at ";
  if (worst)
    llvm::outs() << llvm::formatv("{0:f3} of the fastest time at worst\n", *worst);
  else
    llvm::outs() << "none that has a time\n";
}

static void printTuneText(const TuneReport &report) {
  printRow("kernel", "launches", "in force", "best", "gain", "tried", "schedule");
  size_t better = 0;
  for (const TunedKernel &kernel : report.kernels) {
    bool changed = kernel.best != kernel.start;
    better += changed;
    printRow(kernel.name, std::to_string(kernel.launches), microseconds(kernel.startSeconds),
             microseconds(kernel.bestSeconds), gainText(kernel),
             std::to_string(kernel.tried.size()),
             (changed ? "" : "as it is: ") + kernel.best.describe() + noteText(kernel));
    printCheckedSearch(kernel);
  }
  llvm::outs() << report.kernels.size() << (report.kernels.size() == 1 ? " kernel, " : " kernels, ")
               << better << " with a better schedule; times are " << basisText(report.basis)
               << "\n";
  printModelError(report.modelError);
  printProposals(report);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static Json microsecondsJson(std::optional<double> seconds) {
  return seconds ? Json(*seconds * 1e6) : Json();
}

static std::string textOf(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text;
}

/// Of what strategies offer, as forge explain --measure has it.
static Json offersJson(const TunedKernel &kernel) {
  Json list = Json::array();
  for (const Prediction &offer : kernel.offers)
    list.push_back({{"strategy", offer.strategy},
                    {"work_us", offer.work * 1e6},
                    {"predicted_us", (offer.predicted - kLaunchSeconds) * 1e6},
                    {"measured_us", offer.measured * 1e6}});
  return list;
}

static Json triedJson(const TunedKernel &kernel) {
  Json list = Json::array();
  for (const TriedSchedule &tried : kernel.tried)
    list.push_back({{"schedule", textOf(tried.schedule)},
                    {"strategy", tried.schedule.strategy().str()},
                    {"predicted_us", microsecondsJson(tried.predicted)},
                    {"measured_us", microsecondsJson(tried.measured)}});
  return list;
}

static Json startsJson(const TunedKernel &kernel) {
  Json list = Json::array();
  for (const SearchedStart &start : kernel.searchedStarts)
    list.push_back({{"start", textOf(start.start)},
                    {"best", textOf(start.best)},
                    {"of_fastest", start.ofFastest ? Json(*start.ofFastest) : Json()},
                    {"tried", start.tried}});
  return list;
}

static Json modelErrorJson(const ModelError &error) {
  if (!error.worst)
    return Json();
  return {{"predictions", error.predictions},
          {"rank_correlation", error.rankCorrelation ? Json(*error.rankCorrelation) : Json()},
          {"worst",
           {{"kernel", error.worst->kernel},
            {"strategy", error.worst->strategy},
            {"predicted_us", error.worst->predicted * 1e6},
            {"measured_us", error.worst->measured * 1e6}}}};
}

static void printTuneJson(const TuneReport &report, const std::string &chip) {
  Json list = Json::array();
  for (const TunedKernel &kernel : report.kernels)
    list.push_back({{"name", kernel.name},
                    {"hash", kernel.hash},
                    {"launches", kernel.launches},
                    {"start", textOf(kernel.start)},
                    {"best", textOf(kernel.best)},
                    {"start_us", microsecondsJson(kernel.startSeconds)},
                    {"best_us", microsecondsJson(kernel.bestSeconds)},
                    {"tried", kernel.tried.size()},
                    {"ways", offersJson(kernel)},
                    {"schedules", triedJson(kernel)},
                    {"searched_starts", startsJson(kernel)},
                    {"left_out", kernel.leftOut},
                    {"wrong", kernel.wrong},
                    {"failed", kernel.failed},
                    {"incomplete", kernel.incomplete},
                    {"known", kernel.isKnown},
                    {"proposed", kernel.proposed},
                    {"rejected", kernel.rejected},
                    {"best_is_proposed", kernel.isProposed}});
  Json document = {{"chip", chip},
                   {"times", basisText(report.basis)},
                   {"kernels", list},
                   {"model_error", modelErrorJson(report.modelError)}};
  llvm::outs() << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static Result<void> savePlan(const TuneReport &report, llvm::StringRef chip, bool onlyBetter,
                             const std::string &path) {
  std::vector<PlanLine> lines;
  for (const TunedKernel &kernel : report.kernels)
    if (!onlyBetter || kernel.best != kernel.start)
      lines.push_back({kernel.hash, kernel.name, kernel.best});
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(os, versionText(), chip, lines);
  return writeFileAtomically(path, text);
}

/// What there is to search for, or exit status.
static std::optional<int> rejectOptions(const TuneCommandOptions &options) {
  if (std::optional<int> status = rejectTarget(options.module.target))
    return status;
  Target target = *Target::parse(options.module.target);
  if (!target.isGPU())
    return badCall("expected a GPU as --target, as cuda: the CPU's schedules are in no plan");
  if (std::optional<int> status = rejectPhase(target, options.module.from))
    return status;
  if (options.module.parsedTier() == Tier::Correctness)
    return badCall("expected another --tier than correctness, which chooses no schedules");
  if (options.module.parsedFrom() >= Phase::Kernels)
    return badCall("expected --from fuse or before, but got " + options.module.from +
                   ", which has its schedules in the file");
  return std::nullopt;
}

/// The file of what was found on such a device before; nothing without a cache.
static std::optional<TunedSchedules> knownSchedules(const TuneCommandOptions &options,
                                                    const Target &target) {
  std::unique_ptr<CodeCache> cache = options.module.openCache();
  warnOfCache(cache.get());
  if (!cache || !cache->problem().empty())
    return std::nullopt;
  std::string name = "tuned-" + target.text() + "-" + options.module.tier + ".plan";
  llvm::replace(name, ':', '-');
  return TunedSchedules(CodeCache::defaultFolder() + "/" + name, versionText(),
                        target.chip->name.str());
}

static int report(const TuneReport &report, const TuneCommandOptions &options,
                  const Target &target) {
  if (options.asJson)
    printTuneJson(report, target.chip->name.str());
  else
    printTuneText(report);
  llvm::outs().flush();
  if (!report.notKept.empty())
    warn("results are not kept: " + report.notKept);
  if (!options.planFile.empty())
    if (Result<void> saved =
            savePlan(report, target.chip->name, options.onlyBetter, options.planFile);
        !saved)
      return fail(saved.error().message);
  if (!report.noProposals.empty())
    warn("no more proposals: " + report.noProposals + "; the search went on without");
  int status = kSuccess;
  for (const TunedKernel &kernel : report.kernels)
    for (const std::string &failed : kernel.failed)
      warn("kernel " + kernel.name + " by " + failed);
  for (const TunedKernel &kernel : report.kernels)
    for (const std::string &wrong : kernel.wrong)
      status = fail("kernel " + kernel.name + " by " + wrong);
  return status;
}

static int tune(TuneCommandOptions options) {
  if (std::optional<int> status = rejectOptions(options))
    return *status;
  if (std::optional<int> status = options.module.chooseDecode())
    return *status;
  Result<std::optional<ChatEndpoint>> found = endpointOf(options.propose);
  if (!found)
    return badCall(found.error().message);
  const std::optional<ChatEndpoint> &endpoint = *found;
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  mlir::func::FuncOp function;
  if (!options.module.function.empty())
    if (std::optional<int> status = session.findFunction(options.module, function))
      return *status;
  Result<TargetDevice> machine = openTarget(options.module.target);
  if (!machine)
    return fail(machine.error().message);
  TuneOptions tuneOptions;
  tuneOptions.compile.function = options.module.function;
  tuneOptions.compile.target = options.module.target;
  tuneOptions.compile.tier = options.module.parsedTier();
  tuneOptions.compile.from = options.module.parsedFrom();
  tuneOptions.budgetSeconds = options.budget;
  tuneOptions.seed = options.seed;
  tuneOptions.checkedStarts = options.checkedStarts;
  std::optional<TunedSchedules> known = knownSchedules(options, machine->target);
  tuneOptions.known = known ? &*known : nullptr;
  if (endpoint)
    tuneOptions.ask = [&](const std::string &instructions, const std::string &question) {
      return askModel(*endpoint, instructions, question);
    };
  Progress progress("tuning " + options.module.path);
  tuneOptions.progress = [&](llvm::StringRef step) {
    progress.step("tuning " + options.module.path + ": " + step.str());
  };
  session.holdErrors();
  Result<TuneReport> tuned = forge::tune(session.module(), tuneOptions);
  progress.finish();
  if (!tuned)
    return session.reportCompileError(tuned.error().message);
  int status = report(*tuned, options, machine->target);
  if (endpoint)
    if (Result<void> kept = writeTranscript(*tuned, *endpoint, options.propose.transcript); !kept)
      return fail(kept.error().message);
  return status;
}

Command tool::addTuneCommand(CLI::App &app) {
  auto options = std::make_shared<TuneCommandOptions>();
  CLI::App *sub = app.add_subcommand("tune", "Search better schedules for a GPU's kernels");
  options->module.addTo(*sub);
  options->module.addQuantize(*sub);
  options->module.addFromTo(*sub);
  options->module.addPlan(*sub);
  options->module.addRandomWeights(*sub);
  options->module.addSizes(*sub, "any, or 1 with --length or --cache", "any, or 64 with --batch");
  options->module.addNoCache(*sub);
  sub->add_option("-o,--output", options->planFile, "Write the schedules as a plan")
      ->check(isPath())
      ->option_text("FILE");
  sub->add_flag("--only-better", options->onlyBetter,
                "Of those that are better than what is in force")
      ->needs("--output");
  sub->add_option("--budget", options->budget, "Time for the search; default: 60")
      ->check(isNumber(0, 1e6))
      ->option_text("SECONDS");
  sub->add_option("--seed", options->seed, "Of random places to begin at and of inputs; default: 0")
      ->check(isNaturalNumber())
      ->option_text("N");
  sub->add_option("--check-search", options->checkedStarts,
                  "Time all schedules instead, and compare what searches from N random ones find")
      ->check(isNaturalNumber())
      ->option_text("N");
  options->propose.addTo(*sub);
  sub->add_flag("--json", options->asJson, "Print JSON");
  return {sub, [options] { return ::tune(*options); }};
}
