// forge verify: runs a function on made-up inputs and compares with the reference interpreter.
#include "Progress.h"
#include "Session.h"
#include "Tensors.h"
#include "Weights.h"

#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Executable.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Verify/Interpreter.h"
#include "forge/Verify/Verify.h"

#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

namespace {
struct VerifyCommandOptions {
  ModuleOptions module;
  std::vector<std::string> inputs;
  bool eachStage = false;
  uint64_t seed = 0;
  int64_t dynamicSize = 5;
  std::string distribution = "uniform";
  bool verbose = false;
};
} // namespace

static VerifyOptions verifyOptionsOf(const VerifyCommandOptions &options,
                                     llvm::StringRef function) {
  VerifyOptions result;
  result.function = function.str();
  result.target = options.module.target;
  result.tier = options.module.tier;
  result.from = options.module.parsedFrom();
  result.seed = options.seed;
  result.dynamicSize = options.dynamicSize;
  result.distribution = *parseDistribution(options.distribution);
  result.eachStage = options.eachStage;
  result.reproducerDir = options.module.reproducerDir;
  return result;
}

/// What is known of it besides: how to go on is to look at each phase, or at the reproducer.
static ErrorDetails detailsOf(const VerifyReport &report, mlir::func::FuncOp function,
                              bool eachStage) {
  std::string shape;
  llvm::raw_string_ostream(shape) << function.getFunctionType();
  return {.stage = report.firstDiffering.empty() ? "verify" : report.firstDiffering,
          .kernel = function.getSymName().str(),
          .location = locationString(function.getLoc()),
          .shape = shape,
          .advice = !report.rerun.empty() ? report.rerun
                    : eachStage           ? ""
                                          : "--each-stage, which names the phase"};
}

/// Which result differs, where and by how much, of the first stage that does.
static std::string failureOf(const VerifyReport &report, mlir::func::FuncOp function,
                             bool eachStage) {
  // The stage that the smallest failing part is of.
  auto stage = llvm::find_if(report.stages, [](const StageReport &s) { return !s.agree(); });
  std::string text = "@" + function.getSymName().str();
  if (stage->ran()) {
    auto result = llvm::find_if(stage->results, [](const Comparison &c) { return !c.agree; });
    text += ": result " + std::to_string(result - stage->results.begin()) +
            " differs from the reference: " + describe(*result);
  } else {
    text += " failed to compile or run: " + stage->error;
  }
  if (!report.firstDiffering.empty())
    text += "; first in phase " + report.firstDiffering;
  if (report.firstDiffering == phaseName(Phase::Simplify))
    text += " or the lowering to linalg";
  if (!report.reproducer.empty())
    text += "; wrote " + report.reproducer;
  return withDetails(Error{text}, detailsOf(report, function, eachStage)).message;
}

static int verify(const VerifyCommandOptions &options) {
  if (auto status = rejectSharedInput(options.module.path, options.inputs, {}))
    return *status;
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  if (std::optional<int> status = session.findFunction(options.module, function, &signature))
    return *status;
  if (!function) {
    mlir::emitError(session.module().getLoc(),
                    "expected functions that the reference can run, but got the LLVM dialect only");
    return kFailed;
  }
  // A missing device is no difference: nothing is to be cut down.
  if (Result<void> there = checkDevice(options.module.target); !there)
    return fail(there.error().message);
  VerifyOptions verifyOptions = verifyOptionsOf(options, function.getSymName());
  Weights weights;
  if (std::optional<int> status = weights.open(options.module, function, signature))
    return *status;
  if (!options.inputs.empty()) {
    if (auto status = readInputs(options.inputs, weights.others(), verifyOptions.inputs))
      return *status;
  } else if (weights.any()) {
    mlir::FailureOr<std::vector<HostTensor>> made =
        makeInputs(function, {verifyOptions.seed, verifyOptions.dynamicSize,
                              verifyOptions.distribution, weights.given()});
    if (failed(made))
      return session.reportFailure(options.module.path + ": no inputs can be made");
    verifyOptions.inputs = std::move(*made);
  }
  if (weights.any())
    if (std::optional<int> status = weights.insertInto(verifyOptions.inputs))
      return *status;
  Progress progress("verifying " + options.module.path);
  verifyOptions.progress = [&](llvm::StringRef step) {
    progress.step("verifying " + options.module.path + ": " + step.str());
  };
  mlir::FailureOr<VerifyReport> report = forge::verify(session.module(), verifyOptions);
  progress.finish();
  if (failed(report))
    return session.reportFailure(options.module.path + ": there is no reference to compare with");
  if (llvm::any_of(report->stages, [](const StageReport &stage) { return stage.refused; }))
    return kFailed;
  llvm::outs() << describe(*report, options.verbose);
  llvm::outs().flush();
  if (report->agree())
    return kSuccess;
  return fail(failureOf(*report, function, options.eachStage));
}

Command tool::addVerifyCommand(CLI::App &app) {
  auto options = std::make_shared<VerifyCommandOptions>();
  CLI::App *sub = app.add_subcommand("verify", "Run on made-up inputs, compare with the reference");
  options->module.addTo(*sub);
  options->module.addQuantize(*sub);
  options->module.addReproducerDir(*sub);
  options->module.addWeights(*sub);
  options->module.addFromTo(*sub);
  options->module.addPlan(*sub);
  sub->add_flag("--each-stage", options->eachStage,
                "Also execute the IR after every phase; name the first that differs");
  sub->add_option("--input", options->inputs,
                  "The arguments but weights, in order, instead of made-up ones")
      ->check(isPath())
      ->option_text("FILE.npy ...")
      ->allow_extra_args(false);
  sub->add_option("--seed", options->seed, "Seed of the inputs")
      ->check(isNaturalNumber())
      ->option_text("N");
  sub->add_option("--dynamic-size", options->dynamicSize, "Size taken for every dynamic dimension")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 20))
      ->option_text("N");
  std::vector<std::string> distributions;
  for (auto [name, distribution] : allDistributions())
    distributions.push_back(name.str());
  sub->add_option("--distribution", options->distribution, "How made-up floats are spread")
      ->check(CLI::IsMember(distributions))
      ->option_text("NAME");
  sub->add_flag("--verbose", options->verbose,
                "Print the largest differences and the tolerance behind each verdict, too");
  return {sub, [options] { return ::verify(*options); }};
}
