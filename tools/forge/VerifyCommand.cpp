// forge verify: runs a function on made-up inputs and compares with the reference interpreter.
#include "Progress.h"
#include "Session.h"
#include "Tensors.h"

#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Executable.h"
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
  std::string reproducerDir = ".";
};
} // namespace

static VerifyOptions verifyOptionsOf(const VerifyCommandOptions &options,
                                     llvm::StringRef function) {
  VerifyOptions result;
  result.function = function.str();
  result.target = options.module.target;
  result.tier = options.module.tier;
  result.seed = options.seed;
  result.dynamicSize = options.dynamicSize;
  result.distribution = *parseDistribution(options.distribution);
  result.eachStage = options.eachStage;
  result.reproducerDir = options.reproducerDir;
  return result;
}

static int verify(const VerifyCommandOptions &options) {
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  if (std::optional<int> status = session.findFunction(options.module, function, &signature))
    return *status;
  // A missing device is no difference: nothing is to be cut down.
  if (Result<void> there = checkDevice(options.module.target); !there)
    return fail(there.error().message);
  VerifyOptions verifyOptions = verifyOptionsOf(options, function.getSymName());
  if (!options.inputs.empty())
    if (auto status = readInputs(options.inputs, signature, verifyOptions.inputs))
      return *status;
  Progress progress("verifying " + options.module.path);
  verifyOptions.progress = [&](llvm::StringRef step) {
    progress.step("verifying " + options.module.path + ": " + step.str());
  };
  mlir::FailureOr<VerifyReport> report = forge::verify(session.module(), verifyOptions);
  progress.finish();
  if (failed(report))
    return session.reportFailure(options.module.path + ": there is no reference to compare with");
  llvm::outs() << describe(*report);
  llvm::outs().flush();
  if (report->agree())
    return kSuccess;
  // The stage that the smallest failing part is of.
  auto stage = llvm::find_if(report->stages, [](const StageReport &s) { return !s.agree(); });
  const char *what = stage->ran() ? " differs from the reference" : " failed to compile or run";
  std::string where =
      report->firstDiffering.empty() ? "" : " first in phase " + report->firstDiffering;
  std::string file = report->reproducer.empty() ? "" : "; wrote " + report->reproducer;
  return fail("@" + function.getSymName().str() + what + where + file);
}

Command tool::addVerifyCommand(CLI::App &app) {
  auto options = std::make_shared<VerifyCommandOptions>();
  CLI::App *sub = app.add_subcommand("verify", "Run on made-up inputs, compare with the reference");
  options->module.addTo(*sub);
  sub->add_flag("--each-stage", options->eachStage,
                "Also execute the IR after every phase; name the first that differs");
  sub->add_option("--input", options->inputs, "An argument, in order, instead of made-up ones")
      ->option_text("FILE.npy")
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
  sub->add_option("--reproducer-dir", options->reproducerDir,
                  "Where the smallest failing function and its inputs are written")
      ->option_text("FOLDER");
  return {sub, [options] { return ::verify(*options); }};
}
