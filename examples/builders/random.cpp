// Models of random shapes, one for each seed: each is run on every target and compared with the
// reference, or with --compile compiled to an object file, which is not kept.
#include "Example.h"
#include "RandomModel.h"

#include "forge/Execution/Lowering.h"

#include "llvm/Support/Format.h"

#include <chrono>

using namespace forge;

/// Empty, or why it failed.
static std::string compileFor(mlir::ModuleOp module, const RandomModel &model,
                              const std::string &targetName, const std::string &tier) {
  Result<Target> target = Target::parse(targetName);
  if (!target)
    return target.error().message;
  CompileOptions options;
  options.function = model.function;
  options.target = targetName;
  options.tier = *parseTier(tier);
  if (Result<void> lowered = lowerTo(module, options, targetPhases(*target).back()); !lowered)
    return lowered.error().message;
  Result<std::string> code = emitCode(module, CodeForm::Object, options.tier, targetName);
  return code ? "" : code.error().message;
}

/// Empty, or what differs.
static std::string verifyOn(mlir::ModuleOp module, const RandomModel &model,
                            const std::string &target, const ExampleOptions &options,
                            uint64_t seed) {
  VerifyOptions verifyOptions;
  verifyOptions.function = model.function;
  verifyOptions.target = target;
  verifyOptions.tier = options.tier;
  verifyOptions.seed = seed;
  mlir::FailureOr<VerifyReport> report = verify(module, verifyOptions);
  if (mlir::failed(report))
    return "there is no reference to compare with";
  return report->agree() ? "" : describe(*report);
}

int main(int argc, char **argv) {
  ExampleOptions options = parseExampleOptions(argc, argv);
  int64_t runs = 0, failures = 0;
  for (int64_t i = 0; i < options.count; ++i) {
    uint64_t seed = options.seed + static_cast<uint64_t>(i);
    auto context = makeContext();
    RandomModel model = makeRandomModel(*context, seed, options);
    llvm::outs() << "seed " << seed << ": " << model.description << "\n";
    if (!model.module) {
      llvm::errs() << "error: " << model.module.error().message << "\n";
      ++failures;
      continue;
    }
    mlir::ModuleOp module = **model.module;
    if (options.print)
      module->print(llvm::outs(), mlir::OpPrintingFlags().printNameLocAsPrefix());
    for (const std::string &target : options.targets) {
      auto start = std::chrono::steady_clock::now();
      mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
      std::string why = options.compileOnly ? compileFor(*copy, model, target, options.tier)
                                            : verifyOn(*copy, model, target, options, seed);
      std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      llvm::outs() << "  " << target << ": "
                   << (!why.empty()          ? "FAILED\n" + why
                       : options.compileOnly ? "compiled"
                                             : "agrees")
                   << llvm::format(" (%.1f s)\n", taken.count());
      llvm::outs().flush();
      ++runs;
      failures += !why.empty();
    }
  }
  llvm::outs() << options.count << " models, " << runs << " runs, " << failures << " failed\n";
  return failures > 0;
}
