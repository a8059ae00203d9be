#include "forge/Verify/Verify.h"

#include "Shrink.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Executable.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include <chrono>

using namespace mlir;
using namespace forge;

bool StageReport::agree() const {
  return error.empty() &&
         llvm::all_of(results, [](const Comparison &result) { return result.agree; });
}

bool VerifyReport::agree() const {
  return llvm::all_of(stages, [](const StageReport &stage) { return stage.agree(); });
}

/// Compiles and runs through forge/Execution.
static Executor defaultExecutor(const VerifyOptions &options) {
  return [options](ModuleOp module, StringRef function, StringRef phase,
                   const std::vector<HostTensor> &inputs) -> Result<std::vector<HostTensor>> {
    CompileOptions compileOptions;
    compileOptions.function = function.str();
    compileOptions.target = options.target;
    std::optional<Tier> tier = parseTier(options.tier);
    if (!tier)
      return Error{"unknown tier '" + options.tier + "'"};
    compileOptions.tier = *tier;
    compileOptions.from = options.from;
    if (!phase.empty())
      compileOptions.naiveAfter = parsePhase(phase);
    Result<Executable> executable = Executable::compile(module, compileOptions);
    if (!executable)
      return executable.error();
    Result<RunResult> run = executable->run(inputs);
    if (!run)
      return run.error();
    if (!run->failedChecks.empty())
      return Error{run->failedChecks.front()};
    return std::move(run->results);
  };
}

/// The phases after `from` that leave something of their own to execute.
static std::vector<std::string> defaultPhases(const std::string &targetText, Phase from) {
  std::vector<std::string> names;
  Result<Target> target = Target::parse(targetText);
  if (!target)
    return names;
  for (Phase phase : targetPhases(*target))
    if (phase > from && phase != Phase::LLVM)
      names.push_back(phaseName(phase).str());
  return names;
}

/// What runs last belongs to the phase after the last that was executed alone.
static std::string lastPhaseName(const VerifyOptions &options) {
  Result<Target> target = Target::parse(options.target);
  return target ? phaseName(lastPhaseOf(*target)).str() : "";
}

static StageReport runStage(func::FuncOp function, StringRef phase, const Executor &executor,
                            const std::vector<HostTensor> &inputs,
                            const std::vector<HostTensor> &expected,
                            std::vector<Tolerance> &tolerances, const ErrorModelOptions &model) {
  StageReport report;
  report.phase = phase.str();
  OwningOpRef<ModuleOp> clone = function->getParentOfType<ModuleOp>().clone();
  auto start = std::chrono::steady_clock::now();
  ScopedDiagnosticHandler watch(function.getContext(), [&](Diagnostic &diagnostic) {
    report.refused |= errorKindOf(diagnostic) == ErrorKind::User;
    return failure();
  });
  Result<std::vector<HostTensor>> actual = executor(*clone, function.getName(), phase, inputs);
  report.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!actual) {
    report.error = actual.error().message;
    return report;
  }
  if (actual->size() != expected.size()) {
    report.error = "expected " + std::to_string(expected.size()) + " results, but got " +
                   std::to_string(actual->size());
    return report;
  }
  report.results = compareResults(function, inputs, *actual, expected, tolerances, model);
  return report;
}

/// The module asks for what Forge does not have, or for a schedule that does not fit: there is
/// nothing to look for.
static bool isUsersMistake(const StageReport &stage) { return stage.refused; }

/// Shrinks the first difference and writes it.
static void reproduce(VerifyReport &report, func::FuncOp function, const VerifyOptions &options,
                      const Executor &executor, const std::vector<HostTensor> &inputs) {
  for (const StageReport &stage : report.stages) {
    if (stage.agree())
      continue;
    if (isUsersMistake(stage))
      return;
    if (options.progress)
      options.progress("looking for the smallest failing part");
    Failure failure =
        shrink(function, inputs, stage.phase, executor, options.target, options.progress);
    Result<Reproducer> written = writeReproducer(failure, options);
    if (written) {
      report.reproducer = written->module;
      report.rerun = written->command;
    } else {
      report.notWritten = written.error().message;
    }
    return;
  }
}

FailureOr<VerifyReport> forge::verify(ModuleOp module, const VerifyOptions &options) {
  Result<func::FuncOp> entry = findEntry(module, options.function);
  if (!entry)
    return module.emitError(entry.error().message);
  func::FuncOp function = *entry;
  std::vector<HostTensor> inputs = options.inputs;
  if (inputs.empty()) {
    FailureOr<std::vector<HostTensor>> made =
        makeInputs(function, {options.seed, options.dynamicSize, options.distribution});
    if (failed(made))
      return failure();
    inputs = std::move(*made);
  }
  if (options.progress)
    options.progress("reference");
  FailureOr<std::vector<HostTensor>> expected = Interpreter(module).run(function, inputs);
  if (failed(expected))
    return failure();
  VerifyReport report;
  if (options.progress)
    options.progress("error model");
  ErrorModelOptions model = errorModelOf(options.target);
  report.tolerances = measureTolerances(function, inputs, model);

  Executor executor = options.executor ? options.executor : defaultExecutor(options);
  std::vector<std::string> phases;
  if (options.eachStage)
    phases = options.phases.empty() ? defaultPhases(options.target, options.from) : options.phases;
  phases.push_back(""); // everything
  for (const std::string &phase : phases) {
    if (options.progress)
      options.progress(phase.empty() ? "whole pipeline" : "phase " + phase);
    report.stages.push_back(
        runStage(function, phase, executor, inputs, *expected, report.tolerances, model));
    if (report.firstDiffering.empty() && !report.stages.back().agree())
      report.firstDiffering = phase.empty() && options.eachStage ? lastPhaseName(options) : phase;
  }
  if (!report.agree() && !options.reproducerDir.empty())
    reproduce(report, function, options, executor, inputs);
  return report;
}

static std::string nameOf(const StageReport &stage) {
  return stage.phase.empty() ? "whole" : stage.phase;
}

std::string forge::describe(const VerifyReport &report, bool verbose) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const StageReport &stage : report.stages) {
    std::string milliseconds = std::to_string(static_cast<int64_t>(stage.milliseconds)) + " ms";
    if (!stage.error.empty())
      os << nameOf(stage) << ": failed: " << stage.error << " (" << milliseconds << ")\n";
    for (auto [i, result] : llvm::enumerate(stage.results))
      os << nameOf(stage) << ": result " << i << (result.agree ? " agrees: " : " differs: ")
         << describe(result) << " (" << milliseconds << ")\n";
    if (verbose)
      for (auto [i, result] : llvm::enumerate(stage.results))
        os << "  result " << i << ": " << describeDetails(result, report.tolerances[i]) << "\n";
  }
  if (!report.firstDiffering.empty())
    os << "first differing phase: " << report.firstDiffering << "\n";
  // What simplify leaves is executed by lowering it to linalg.
  if (report.firstDiffering == phaseName(Phase::Simplify))
    os << "simplify is executed by way of the lowering to linalg, where the mistake may be, too\n";
  if (!report.reproducer.empty())
    os << "smallest failing part: " << report.reproducer << "\nrun it again: " << report.rerun
       << "\n";
  if (!report.notWritten.empty())
    os << "no reproducer: " << report.notWritten << "\n";
  return text;
}
