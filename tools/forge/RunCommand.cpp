// forge run: compiles a function, runs it on .npy files, compares the results.
#include "Progress.h"
#include "Session.h"
#include "Stats.h"
#include "Tensors.h"
#include "TraceFile.h"
#include "Weights.h"

#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Executable.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Npy.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Interpreter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

namespace {
struct RunOptions {
  ModuleOptions module;
  std::vector<std::string> inputs;
  std::vector<std::string> expected;
  std::string saveFolder;
  std::string toleranceFolder;
  std::string statsFile;
  TraceOption trace;
  bool verbose = false;
};
} // namespace

/// Compiles with a line of progress; null when it failed, which has been reported.
static std::optional<Executable> compile(Session &session, const RunOptions &options) {
  Progress progress("compiling " + options.module.path);
  CompileOptions compileOptions;
  compileOptions.function = options.module.function;
  compileOptions.target = options.module.target;
  compileOptions.tier = options.module.parsedTier();
  compileOptions.reproducerDir = options.module.reproducerDir;
  compileOptions.from = options.module.parsedFrom();
  compileOptions.stamps = !options.trace.file.empty();
  // Other modules are those of somebody who works on them.
  std::unique_ptr<CodeCache> cache;
  if (llvm::sys::fs::is_directory(options.module.path))
    cache = options.module.openCache();
  compileOptions.cache = cache.get();
  session.holdErrors();
  Result<Executable> executable = Executable::compile(session.module(), compileOptions);
  progress.finish();
  if (executable) {
    if (cache)
      llvm::errs() << (cache->numMisses() == 0 ? "code from the cache\n" : "compiled\n");
    warnOfCache(cache.get());
    return std::move(*executable);
  }
  session.reportCompileError(executable.error().message);
  return std::nullopt;
}

static int reportChecks(const RunResult &run) {
  for (const std::string &message : run.failedChecks)
    fail(message);
  if (run.numChecks > 0 && run.failedChecks.empty())
    llvm::outs() << run.numChecks << (run.numChecks == 1 ? " check holds\n" : " checks hold\n");
  return run.failedChecks.empty() ? kSuccess : kFailed;
}

static std::vector<Comparison> compareAll(const std::vector<HostTensor> &results,
                                          const std::vector<HostTensor> &expected,
                                          const std::vector<Tolerance> &tolerances) {
  std::vector<Comparison> comparisons;
  for (size_t i = 0; i < expected.size(); ++i)
    comparisons.push_back(compare(results[i], expected[i], tolerances[i]));
  return comparisons;
}

/// What each element may be off by, as f64 of the shape of its result; zeros where all must be
/// equal. Fails where nothing was measured.
static Result<std::vector<HostTensor>> allowedOf(const std::vector<HostTensor> &results,
                                                 const std::vector<Tolerance> &tolerances) {
  std::vector<HostTensor> allowed;
  for (auto [result, tolerance] : llvm::zip_equal(results, tolerances)) {
    Result<HostTensor> tensor = HostTensor::create(DType::F64, result.dims());
    if (!tensor)
      return tensor.error();
    bool measured = tolerance.elements && !tolerance.elements->allowed.empty();
    if (!measured && tolerance.ofScale > 0)
      return Error{"no tolerances to save: " + tolerance.basis};
    for (int64_t i = 0; i < tensor->numElements(); ++i)
      tensor->setDouble(i, measured ? tolerance.elements->allowed[static_cast<size_t>(i)] : 0);
    allowed.push_back(std::move(*tensor));
  }
  return allowed;
}

/// Compares and prints one line per result: to stdout, or to stderr when it differs; with `verbose`
/// a second one with the numbers behind it.
static int compareResults(const RunResult &run, const std::vector<HostTensor> &expected,
                          const std::vector<Tolerance> &tolerances, bool verbose,
                          std::vector<Comparison> &comparisons) {
  comparisons = compareAll(run.results, expected, tolerances);
  int status = kSuccess;
  for (size_t i = 0; i < run.results.size(); ++i) {
    std::string name = "result " + std::to_string(i);
    if (i >= expected.size()) {
      llvm::outs() << name << ": " << previewString(run.results[i])
                   << (expected.empty() ? "\n" : " (not compared: no --expect)\n");
      continue;
    }
    const Comparison &comparison = comparisons[i];
    if (comparison.agree)
      llvm::outs() << name << ": " << typeString(run.results[i])
                   << " agrees: " << describe(comparison) << "\n";
    else
      status = fail(name + " differs: " + describe(comparison));
    if (verbose && comparison.mismatch.empty())
      llvm::outs() << "  " << describeDetails(comparison, tolerances[i]) << "\n";
  }
  return status;
}

static RunStats statsOf(const RunOptions &options, const Executable &executable,
                        const RunResult &run, std::vector<Comparison> comparisons,
                        std::vector<Tolerance> tolerances) {
  RunStats stats;
  stats.module = options.module.path;
  stats.function = executable.signature().name;
  stats.target = options.module.target;
  stats.tier = options.module.tier;
  stats.phases = executable.phaseTimes();
  stats.kernels = executable.kernels();
  stats.runMs = run.runMs;
  stats.peakTemporaryBytes = run.peakTemporaryBytes;
  stats.launchesIssued = run.launchesIssued;
  stats.graphCaptures = run.graphCaptures;
  stats.graphReplays = run.graphReplays;
  stats.threadsSimulated = run.threadsSimulated;
  for (const HostTensor &result : run.results)
    stats.resultTypes.push_back(typeString(result));
  stats.comparisons = std::move(comparisons);
  stats.tolerances = std::move(tolerances);
  return stats;
}

/// Everything after the module is open and the files are read.
static int compileAndRun(Session &session, const RunOptions &options, mlir::func::FuncOp function,
                         std::vector<HostTensor> inputs, const std::vector<HostTensor> &expected) {
  std::optional<Executable> executable = compile(session, options);
  if (!executable)
    return kFailed;
  Progress progress("running @" + executable->signature().name);
  bool measures = !expected.empty() || !options.toleranceFolder.empty();
  Result<RunResult> run = executable->run(measures ? inputs : std::move(inputs));
  progress.finish();
  if (!run)
    return fail(withDetails(run.error(), {.stage = "run"}).message);
  // Tolerances are measured on these inputs.
  std::vector<Tolerance> tolerances;
  if (measures)
    tolerances = session.tolerancesOf(function, executable->signature(), inputs,
                                      errorModelOf(options.module.target));
  std::vector<Comparison> comparisons;
  int status = std::max(reportChecks(*run),
                        compareResults(*run, expected, tolerances, options.verbose, comparisons));
  if (!options.saveFolder.empty())
    if (Result<void> saved =
            writeNpyFiles(options.saveFolder, "out", run->results, executable->signature().results);
        !saved)
      return fail(saved.error().message);
  if (!options.toleranceFolder.empty()) {
    Result<std::vector<HostTensor>> allowed = allowedOf(run->results, tolerances);
    if (!allowed)
      return fail(allowed.error().message);
    if (Result<void> saved = writeNpyFiles(options.toleranceFolder, "out", *allowed); !saved)
      return fail(saved.error().message);
  }
  if (!options.statsFile.empty()) {
    RunStats stats =
        statsOf(options, *executable, *run, std::move(comparisons), std::move(tolerances));
    if (Result<void> written = writeStats(options.statsFile, stats); !written)
      return fail(written.error().message);
  }
  return status;
}

/// The sizes of the tokens in the first input go to a folder's model where they have to be static.
/// What is not a file of tokens is reported when inputs are read.
static ModuleOptions withSizes(const RunOptions &options) {
  ModuleOptions module = options.module;
  if (options.inputs.empty() || options.inputs.front() == "-")
    return module;
  Result<HostTensor> tokens = readNpy(options.inputs.front());
  if (tokens && tokens->rank() == 2) {
    module.batch = tokens->dims()[0];
    module.length = tokens->dims()[1];
  }
  return module;
}

static int run(const RunOptions &options) {
  if (auto status = rejectSharedInput(options.module.path, options.inputs, options.expected))
    return *status;
  Session session;
  bool isFolder = isCheckpoint(options.module.path);
  if (std::optional<int> status = session.open(isFolder ? withSizes(options) : options.module))
    return *status;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  if (std::optional<int> status = session.findFunction(options.module, function, &signature))
    return *status;
  Weights weights;
  if (std::optional<int> status = weights.open(options.module, function, signature))
    return *status;
  std::vector<HostTensor> inputs, expected;
  if (std::optional<int> status = readInputs(options.inputs, weights.others(), inputs))
    return *status;
  if (std::optional<int> status = readExpected(options.expected, signature, expected))
    return *status;
  if (std::optional<int> status = weights.insertInto(inputs))
    return *status;
  return compileAndRun(session, options, function, std::move(inputs), expected);
}

Command tool::addRunCommand(CLI::App &app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App *sub = app.add_subcommand("run", "Compile a function, run it, compare its results");
  options->module.addTo(*sub);
  options->module.addQuantize(*sub);
  options->module.addFromTo(*sub);
  options->module.addPlan(*sub);
  options->module.addReproducerDir(*sub);
  options->module.addWeights(*sub);
  options->module.addNoCache(*sub);
  sub->add_option("--input", options->inputs,
                  "The arguments but weights, in order; - is standard input")
      ->check(isPath())
      ->option_text("FILE.npy ...")
      ->allow_extra_args(false);
  sub->add_option("--expect", options->expected, "What the results should be, in order")
      ->check(isPath())
      ->option_text("FILE.npy ...")
      ->allow_extra_args(false);
  sub->add_option("--save", options->saveFolder,
                  "Write the results there, as out0.npy, out1.npy ...")
      ->check(isPath())
      ->option_text("FOLDER");
  sub->add_option("--save-tolerances", options->toleranceFolder,
                  "Write what each element may be off by there, for forge-exec")
      ->check(isPath())
      ->option_text("FOLDER");
  sub->add_option("--stats", options->statsFile, "Write phases, kernels, times and differences")
      ->check(isPath())
      ->option_text("FILE.json");
  options->trace.addTo(*sub);
  sub->add_flag("--verbose", options->verbose,
                "Print the largest differences and the tolerance behind each verdict, too");
  return {sub, [options] { return options->trace.record([&] { return ::run(*options); }); }};
}
