// forge bench: times a function by each tier, and says what got slower.
#include "Progress.h"
#include "Session.h"
#include "Weights.h"

#include "forge/Bench/Baseline.h"
#include "forge/Bench/Samples.h"
#include "forge/Codegen/Target.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Verify/Inputs.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

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
  bool asJson = false;
  std::string saveFile;
  std::string baselineFile;
};

/// A row that the baseline has, too.
struct ComparedRow {
  MedianInterval before;
  Change change = Change::None;
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

static void printText(const BenchReport &report,
                      const std::vector<std::optional<ComparedRow>> &compared) {
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const BenchRow &row = report.rows[i];
    MedianInterval now = *medianInterval(row.ms);
    llvm::outs() << llvm::format("%-12s median %.4f ms, %.4f to %.4f", row.name.c_str(), now.median,
                                 now.low, now.high);
    if (std::string rate = rateText(row, now.median); !rate.empty())
      llvm::outs() << ", " << rate;
    if (i < report.floorMs.size() && report.floorMs[i])
      llvm::outs() << llvm::format("; kernels at least %.4f ms", *report.floorMs[i]);
    if (compared[i])
      llvm::outs() << llvm::format("; before %.4f ms, %.4f to %.4f: ", compared[i]->before.median,
                                   compared[i]->before.low, compared[i]->before.high)
                   << changeText(compared[i]->change);
    llvm::outs() << "\n";
  }
  llvm::outs() << report.rows.front().ms.size()
               << " runs of each; ranges hold the median with 95 % confidence\n";
}

static Json intervalJson(const MedianInterval &interval) {
  return {{"median_ms", interval.median}, {"low_ms", interval.low}, {"high_ms", interval.high}};
}

static void printJson(const BenchReport &report,
                      const std::vector<std::optional<ComparedRow>> &compared) {
  Json rows = Json::array();
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const BenchRow &row = report.rows[i];
    Json json = {{"name", row.name}, {"ms", row.ms}};
    json.update(intervalJson(*medianInterval(row.ms)));
    if (row.bytes > 0)
      json["bytes"] = row.bytes;
    if (row.flops > 0)
      json["flops"] = row.flops;
    if (i < report.floorMs.size())
      json["floor_ms"] = report.floorMs[i] ? Json(*report.floorMs[i]) : Json();
    if (compared[i]) {
      json["before"] = intervalJson(compared[i]->before);
      json["change"] = changeText(compared[i]->change);
    }
    rows.push_back(json);
  }
  llvm::outs() << Json{{"rows", rows}}.dump(2) << "\n";
}

/// Of each row; nothing where the baseline has not the row, or has too few times of it.
static std::vector<std::optional<ComparedRow>>
compareAll(const BenchReport &report, const std::optional<Baseline> &baseline, double tolerance) {
  std::vector<std::optional<ComparedRow>> compared(report.rows.size());
  for (size_t i = 0; baseline && i < report.rows.size(); ++i) {
    auto row = llvm::find_if(
        baseline->rows, [&](const BenchRow &before) { return before.name == report.rows[i].name; });
    if (row == baseline->rows.end())
      continue;
    if (std::optional<MedianInterval> before = medianInterval(row->ms))
      compared[i] = {*before,
                     compareIntervals(*before, *medianInterval(report.rows[i].ms), tolerance)};
  }
  return compared;
}

/// Reads the baseline, of the same function; an exit status where that cannot be done.
static std::optional<int> readBaseline(const BenchCommandOptions &options,
                                       const std::string &function,
                                       std::optional<Baseline> &baseline) {
  if (options.baselineFile.empty())
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(options.baselineFile);
  if (!file)
    return badCall(options.baselineFile + ": cannot read: " + file.getError().message());
  Result<Baseline> read = forge::readBaseline((*file)->getBuffer(), options.baselineFile);
  if (!read)
    return fail(read.error().message);
  auto differs = [&](const char *what, const std::string &mine, const std::string &theirs) {
    return badCall(options.baselineFile + ": expected times of " + what + " " + mine +
                   ", but got those of " + theirs);
  };
  if (read->function != function)
    return differs("function", function, read->function);
  if (read->target != options.module.target)
    return differs("target", options.module.target, read->target);
  baseline = std::move(*read);
  return std::nullopt;
}

static int report(const BenchReport &report, const BenchCommandOptions &options,
                  const std::string &function, const std::optional<Baseline> &baseline) {
  std::vector<std::optional<ComparedRow>> compared =
      compareAll(report, baseline, options.tolerance);
  (options.asJson ? printJson : printText)(report, compared);
  llvm::outs().flush();
  if (!options.saveFile.empty())
    if (Result<void> saved = writeFileAtomically(
            options.saveFile,
            writeBaseline({options.module.path, function, options.module.target, report.rows}));
        !saved)
      return fail(saved.error().message);
  if (baseline && llvm::none_of(compared, [](const auto &row) { return row.has_value(); }))
    return fail(options.baselineFile + ": it has none of these rows, or too few times of them");
  int status = kSuccess;
  // What ceilings take is the machine's affair.
  for (size_t i = 0; i < report.rows.size(); ++i)
    if (compared[i] && compared[i]->change == Change::Slower && parseTier(report.rows[i].name))
      status = fail(report.rows[i].name + " got slower");
  return status;
}

/// Made up, weights aside.
static std::optional<int> makeArguments(Session &session, const BenchCommandOptions &options,
                                        mlir::func::FuncOp function,
                                        const FunctionSignature &signature,
                                        std::vector<HostTensor> &inputs) {
  Weights weights;
  if (std::optional<int> status = weights.open(options.module, function, signature))
    return status;
  mlir::FailureOr<std::vector<HostTensor>> made =
      makeInputs(function, {options.seed, options.dynamicSize, Distribution::Uniform});
  if (failed(made))
    return session.reportFailure(options.module.path + ": no inputs can be made");
  inputs = weights.any() ? weights.removeFrom(std::move(*made)) : std::move(*made);
  return weights.any() ? weights.insertInto(inputs) : std::nullopt;
}

static int bench(const BenchCommandOptions &options) {
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  if (std::optional<int> status = session.findFunction(options.module, function, &signature))
    return *status;
  if (!function)
    return badCall("expected a function that inputs can be made for, but got the LLVM dialect");
  std::string name = function.getSymName().str();
  std::optional<Baseline> baseline;
  if (std::optional<int> status = readBaseline(options, name, baseline))
    return *status;
  BenchOptions benchOptions;
  if (std::optional<int> status =
          makeArguments(session, options, function, signature, benchOptions.inputs))
    return *status;
  benchOptions.compile.function = name;
  benchOptions.compile.target = options.module.target;
  benchOptions.compile.from = options.module.parsedFrom();
  benchOptions.tiers = options.tiers;
  if (benchOptions.tiers.empty())
    benchOptions.tiers = {options.module.tier};
  benchOptions.runs = options.runs;
  benchOptions.ceilings = !options.noCeilings;
  Progress progress("timing " + options.module.path);
  benchOptions.progress = [&](llvm::StringRef step) {
    progress.step(options.module.path + ": " + step.str());
  };
  session.holdErrors();
  Result<BenchReport> timed = forge::bench(session.module(), benchOptions);
  progress.finish();
  if (!timed)
    return session.reportCompileError(timed.error().message);
  return report(*timed, options, name, baseline);
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
  sub->add_option("--save", options->saveFile, "Write the times, for --baseline")
      ->check(isPath())
      ->option_text("FILE.json");
  sub->add_option("--baseline", options->baselineFile,
                  "Compare with times of --save; exit with 1 where a tier got slower")
      ->check(isPath())
      ->option_text("FILE.json");
  sub->add_option("--tolerance", options->tolerance,
                  "The share by which times may be longer than the baseline's; default: 0.03")
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("SHARE");
  sub->add_flag("--json", options->asJson, "Print JSON");
  return {sub, [options] { return ::bench(*options); }};
}
