// forge bench: times a function by each tier, and says what got slower.
#include "BenchSuite.h"
#include "Progress.h"
#include "Session.h"
#include "Weights.h"

#include "forge/Bench/Baseline.h"
#include "forge/Bench/Samples.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Verify/Inputs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <filesystem>

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

namespace {
struct BenchCommandOptions {
  ModuleOptions module;
  std::vector<std::string> tiers;
  uint64_t seed = 0;
  int64_t dynamicSize = 5;
  size_t runs = 21;
  double tolerance = 0.03;
  bool noCeilings = false;
  bool noPeers = false;
  bool asJson = false;
  std::string saveFile;
  std::string baselineFile;
};

/// A row that the baseline has, too.
struct ComparedRow {
  MedianInterval before;
  Change change = Change::None;
};

/// What was timed of a module.
struct TimedFunction {
  /// As the command line has it, or in the folder that it has.
  std::string path;
  std::string function;
  /// Of a checkpoint: "16 x 2048 tokens in caches", or those of the first input, "2 x 64".
  std::string sizes;
  BenchReport report;
  /// For each row of the report.
  std::vector<std::optional<ComparedRow>> compared;

  /// By which baselines know it.
  std::string fileName() const { return std::filesystem::path(path).filename(); }
};
} // namespace

static const char *changeText(Change change) {
  return change == Change::Slower ? "slower" : change == Change::Faster ? "faster" : "as before";
}

/// Of a ceiling: "4.25 TB/s" or "744 TFLOP/s".
static std::string rateText(const BenchRow &row, double ms) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (row.bytes > 0)
    os << llvm::format("%.3g TB/s", row.bytes / ms * 1e-9);
  if (row.flops > 0)
    os << llvm::format("%.3g TFLOP/s", row.flops / ms * 1e-9);
  return text;
}

/// The medians of all libraries together, where they compute all that the first tier does.
static std::optional<double> peersMs(const BenchReport &report, size_t numTiers) {
  if (report.numPeers == 0 || !report.withoutPeer.empty())
    return std::nullopt;
  double ms = 0;
  for (const BenchRow &row : llvm::ArrayRef(report.rows).slice(numTiers, report.numPeers))
    ms += medianInterval(row.ms)->median;
  return ms;
}

/// What the libraries take beside the tiers, and what they do not compute.
static void printPeers(const TimedFunction &timed) {
  const BenchReport &report = timed.report;
  for (const KernelWithoutPeer &kernel : report.withoutPeer)
    llvm::outs() << "no library for " << kernel.kernel << ": " << kernel.why << "\n";
  if (std::optional<double> peers = peersMs(report, report.work.size()))
    for (const BenchRow &row : llvm::ArrayRef(report.rows).take_front(report.work.size()))
      llvm::outs() << row.name
                   << llvm::format(" takes %.3f of what the libraries do\n",
                                   medianInterval(row.ms)->median / *peers);
}

static void printBenchText(const TimedFunction &timed) {
  const BenchReport &report = timed.report;
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const BenchRow &row = report.rows[i];
    MedianInterval now = *medianInterval(row.ms);
    llvm::outs() << llvm::format("%-12s median %.4f ms, %.4f to %.4f", row.name.c_str(), now.median,
                                 now.low, now.high);
    if (std::string rate = rateText(row, now.median); !rate.empty())
      llvm::outs() << ", " << rate;
    if (!row.work.empty())
      llvm::outs() << "; " << row.work;
    if (row.isCalledEachTime)
      llvm::outs() << "; called in each run, which takes time on the host, since a graph cannot "
                      "capture it";
    if (i < report.kernels.size() && report.kernels[i])
      llvm::outs() << llvm::format("; kernels at least %.4f ms, predicted %.4f",
                                   report.kernels[i]->floorMs, report.kernels[i]->predictedMs);
    if (const std::optional<ComparedRow> &compared = timed.compared[i])
      llvm::outs() << llvm::format("; before %.4f ms, %.4f to %.4f: ", compared->before.median,
                                   compared->before.low, compared->before.high)
                   << changeText(compared->change);
    llvm::outs() << "\n";
  }
  printPeers(timed);
  llvm::outs().flush();
}

static Json intervalJson(const MedianInterval &interval) {
  return {{"median_ms", interval.median}, {"low_ms", interval.low}, {"high_ms", interval.high}};
}

static Json rowsJson(const TimedFunction &timed) {
  Json rows = Json::array();
  for (size_t i = 0; i < timed.report.rows.size(); ++i) {
    const BenchRow &row = timed.report.rows[i];
    Json json = {{"name", row.name}, {"ms", row.ms}};
    json.update(intervalJson(*medianInterval(row.ms)));
    if (row.bytes > 0)
      json["bytes"] = row.bytes;
    if (row.flops > 0)
      json["flops"] = row.flops;
    if (!row.work.empty())
      json["work"] = row.work;
    if (row.isCalledEachTime)
      json["called_each_time"] = true;
    if (i < timed.report.kernels.size()) {
      const std::optional<KernelTimes> &kernels = timed.report.kernels[i];
      json["floor_ms"] = kernels ? Json(kernels->floorMs) : Json();
      json["predicted_ms"] = kernels ? Json(kernels->predictedMs) : Json();
    }
    if (const std::optional<ComparedRow> &compared = timed.compared[i]) {
      json["before"] = intervalJson(compared->before);
      json["change"] = changeText(compared->change);
    }
    rows.push_back(json);
  }
  return rows;
}

static Json functionJson(const TimedFunction &timed) {
  Json json = {{"module", timed.path}, {"function", timed.function}, {"rows", rowsJson(timed)}};
  for (const KernelWithoutPeer &kernel : timed.report.withoutPeer)
    json["without_peer"].push_back({{"kernel", kernel.kernel}, {"why", kernel.why}});
  if (std::optional<double> ms = peersMs(timed.report, timed.report.work.size()))
    json["peers_ms"] = *ms;
  return json;
}

static void printBenchJson(const std::vector<TimedFunction> &all) {
  Json functions = Json::array();
  for (const TimedFunction &timed : all)
    functions.push_back(functionJson(timed));
  llvm::outs() << Json{{"functions", functions}}.dump(2, ' ', false, Json::error_handler_t::replace)
               << "\n";
  llvm::outs().flush();
}

//===----------------------------------------------------------------------===//
// Baselines
//===----------------------------------------------------------------------===//

/// Of each row; nothing where the baseline has not the row, or has too few times of it.
static void compareRows(TimedFunction &timed, const std::optional<Baseline> &baseline,
                        double tolerance) {
  timed.compared.resize(timed.report.rows.size());
  const FunctionTimes *times =
      baseline ? baseline->find(timed.fileName(), timed.function) : nullptr;
  if (!times)
    return;
  for (size_t i = 0; i < timed.compared.size(); ++i) {
    const BenchRow &now = timed.report.rows[i];
    auto row =
        llvm::find_if(times->rows, [&](const BenchRow &before) { return before.name == now.name; });
    if (row == times->rows.end())
      continue;
    if (std::optional<MedianInterval> before = medianInterval(row->ms))
      timed.compared[i] = {*before, compareIntervals(*before, *medianInterval(now.ms), tolerance)};
  }
}

/// An exit status where there is none for the target.
static std::optional<int> readBaseline(const BenchCommandOptions &options,
                                       std::optional<Baseline> &baseline) {
  if (options.baselineFile.empty())
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(options.baselineFile);
  if (!file)
    return badCall(options.baselineFile + ": cannot read: " + file.getError().message());
  Result<Baseline> read = forge::readBaseline((*file)->getBuffer(), options.baselineFile);
  if (!read)
    return fail(read.error().message);
  if (read->target != options.module.target)
    return badCall(options.baselineFile + ": expected times of target " + options.module.target +
                   ", but got those of " + read->target);
  baseline = std::move(*read);
  return std::nullopt;
}

/// What ceilings take is the machine's affair.
static int reportSlower(const TimedFunction &timed) {
  int status = kSuccess;
  for (auto [row, compared] : llvm::zip_equal(timed.report.rows, timed.compared))
    if (compared && compared->change == Change::Slower && parseTier(row.name))
      status = fail(timed.path + ": " + row.name + " got slower");
  return status;
}

static Result<void> save(const std::vector<TimedFunction> &all, const std::string &target,
                         const std::string &path) {
  Baseline baseline{target, {}};
  for (const TimedFunction &timed : all)
    baseline.functions.push_back({timed.fileName(), timed.function, timed.report.rows});
  return writeFileAtomically(path, writeBaseline(baseline));
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static BenchOptions benchOptionsOf(const BenchCommandOptions &options, const ModuleOptions &module,
                                   llvm::StringRef function) {
  BenchOptions result;
  result.compile.function = function.str();
  result.compile.target = module.target;
  result.compile.from = module.parsedFrom();
  result.tiers = options.tiers;
  if (result.tiers.empty())
    result.tiers = {module.tier};
  result.runs = options.runs;
  result.ceilings = !options.noCeilings;
  result.peers = !options.noPeers;
  return result;
}

/// Of @decode (forge/Import/HuggingFace.h): so many tokens before the first run that the last one,
/// each appends a token, still has a place, of those that warm up too.
static void fillCaches(BenchOptions &options, int64_t capacity) {
  constexpr size_t kLengths = 1, kWarmUp = 2;
  HostTensor &lengths = options.inputs[kLengths];
  int64_t before = std::max<int64_t>(capacity - int64_t(options.runs + kWarmUp), 0);
  std::fill_n(lengths.dataAs<int32_t>(), lengths.numElements(), static_cast<int32_t>(before));
}

static std::string sizesOf(const ModuleOptions &module, mlir::func::FuncOp function) {
  if (module.cache)
    return std::to_string(module.batch) + " x " + std::to_string(*module.cache) +
           " tokens in caches";
  auto input = mlir::cast<mlir::ShapedType>(function.getArgumentTypes().front());
  std::string sizes;
  llvm::raw_string_ostream os(sizes);
  llvm::interleave(input.getShape(), os, " x ");
  return sizes;
}

/// An exit status where that is not possible.
static std::optional<int> timeModule(const BenchCommandOptions &options,
                                     const ModuleOptions &module, TimedFunction &timed) {
  Session session;
  if (std::optional<int> status = session.open(module))
    return status;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  if (std::optional<int> status = session.findFunction(module, function, &signature))
    return status;
  if (!function)
    return badCall("expected a function that inputs can be made for, but got the LLVM dialect");
  if (module.cache && function.getSymName() != "decode")
    return badCall("--function: expected decode with --cache, but got " +
                   function.getSymName().str());
  BenchOptions benchOptions = benchOptionsOf(options, module, function.getSymName());
  if (std::optional<int> status =
          makeArguments(session, module, {options.seed, options.dynamicSize}, function, signature,
                        benchOptions.inputs))
    return status;
  if (module.cache)
    fillCaches(benchOptions, *module.cache);
  Progress progress("timing " + module.path);
  benchOptions.progress = [&](llvm::StringRef step) {
    progress.step(module.path + ": " + step.str());
  };
  session.holdErrors();
  Result<BenchReport> report = forge::bench(session.module(), benchOptions);
  progress.finish();
  if (!report)
    return session.reportCompileError(report.error().message);
  timed.path = module.path;
  timed.function = function.getSymName().str();
  if (isCheckpoint(module.path)) {
    timed.sizes = sizesOf(module, function);
    timed.function += " of " + timed.sizes;
  }
  timed.report = std::move(*report);
  return std::nullopt;
}

static int bench(const BenchCommandOptions &options) {
  if (std::optional<int> status = rejectTarget(options.module.target))
    return *status;
  for (auto tier = options.tiers.begin(); tier != options.tiers.end(); ++tier)
    if (std::find(options.tiers.begin(), tier, *tier) != tier)
      return badCall("--tiers: expected each tier once, but got " + *tier + " twice");
  // Before modules are read, which takes long. It is open until the last has been timed.
  Result<TargetDevice> machine = openTimedTarget(options.module.target);
  if (!machine)
    return fail(machine.error().message);
  std::optional<Baseline> baseline;
  if (std::optional<int> status = readBaseline(options, baseline))
    return *status;
  ModuleOptions asked = options.module;
  if (std::optional<int> status = asked.chooseDecode())
    return *status;
  Result<std::vector<ModuleOptions>> subjects = subjectsOf(asked);
  if (!subjects)
    return badCall(subjects.error().message);
  int status = kSuccess;
  std::vector<TimedFunction> all;
  for (ModuleOptions &module : *subjects) {
    module.hasStaticSizes = true;
    TimedFunction timed;
    if (std::optional<int> wrong = timeModule(options, module, timed)) {
      status = std::max(status, *wrong);
      continue;
    }
    compareRows(timed, baseline, options.tolerance);
    if (!options.asJson && subjects->size() > 1)
      llvm::outs() << module.path << (timed.sizes.empty() ? "" : ", ") << timed.sizes << "\n";
    if (!options.asJson)
      printBenchText(timed);
    status = std::max(status, reportSlower(timed));
    all.push_back(std::move(timed));
  }
  if (options.asJson)
    printBenchJson(all);
  else if (!all.empty())
    llvm::outs() << options.runs << " runs of each; ranges hold the median with 95 % confidence\n";
  if (!options.saveFile.empty() && !all.empty())
    if (Result<void> saved = save(all, options.module.target, options.saveFile); !saved)
      return fail(saved.error().message);
  if (baseline && !all.empty() && llvm::none_of(all, [](const TimedFunction &timed) {
        return llvm::any_of(timed.compared, [](const auto &row) { return row.has_value(); });
      }))
    return fail(options.baselineFile + ": it has none of these rows, or too few times of them");
  return status;
}

Command tool::addBenchCommand(CLI::App &app) {
  auto options = std::make_shared<BenchCommandOptions>();
  CLI::App *sub = app.add_subcommand("bench", "Time a function by each tier, name what got slower");
  options->module.addTo(*sub);
  options->module.addQuantize(*sub);
  options->module.addFromTo(*sub);
  options->module.addPlan(*sub);
  options->module.addWeights(*sub);
  sub->add_option("--tiers", options->tiers, "Several tiers in turn, instead of --tier")
      ->delimiter(',')
      ->check(CLI::IsMember({"hybrid", "production", "optimized", "correctness"}))
      ->option_text("TIER,...");
  options->module.addSizes(*sub, "1", "64");
  // A step of decoding takes one token.
  sub->get_option("--length")->excludes("--cache");
  sub->add_option("--runs", options->runs, "Timed runs of each; default: 21")
      ->check(CLI::Range(kLeastSamples, size_t(100000)))
      ->option_text("N");
  sub->add_option("--seed", options->seed, "Seed of the inputs")
      ->check(isNaturalNumber())
      ->option_text("N");
  sub->add_option("--dynamic-size", options->dynamicSize, "Size taken for every dynamic dimension")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 20))
      ->option_text("N");
  sub->add_flag("--no-ceilings", options->noCeilings,
                "Time no copy and no product as ceilings of the machine");
  sub->add_flag("--no-peers", options->noPeers,
                "Do not call the vendor's libraries for what kernels compute");
  sub->add_option("--save", options->saveFile, "Write the times, for --baseline")
      ->check(isPath())
      ->option_text("FILE.json");
  sub->add_option("--baseline", options->baselineFile,
                  "Compare with times of --save; exit with 1 where a tier got slower")
      ->check(isPath())
      ->option_text("FILE.json");
  sub->add_option("--tolerance", options->tolerance,
                  "The share by which times may be longer than the baseline's; default: 0.03")
      ->check(isNumber(0, 1e6))
      ->option_text("SHARE");
  sub->add_flag("--json", options->asJson, "Print JSON");
  return {sub, [options] { return ::bench(*options); }};
}
