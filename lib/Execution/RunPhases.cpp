// One pass manager per phase: their times, and where they fail.
#include "RunPhases.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/StagedFolder.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>

using namespace forge;

static std::string locationText(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  location->print(stream);
  // loc("file":1:2) reads better without its wrapping.
  llvm::StringRef inner = text;
  if (inner.consume_front("loc("))
    inner.consume_back(")");
  std::string plain = inner.str();
  llvm::erase(plain, '"');
  return plain;
}

namespace {
/// Remembers the first error that passes by, and lets it pass.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          // MLIR's note about its reproducer; ours says where the file is.
          if (llvm::StringRef(diagnostic.str()).starts_with("Failures have been detected"))
            return mlir::success();
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && message.empty()) {
            message = diagnostic.str();
            location = locationText(diagnostic.getLocation());
          }
          return mlir::failure();
        }) {}

  std::string message;
  std::string location;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// The text of a reproducer, taken as MLIR hands it over, for us to decide whether it is written.
class ReproducerText : public mlir::ReproducerStream {
public:
  explicit ReproducerText(std::string &text) : stream(text) {}
  llvm::StringRef description() override { return "(in memory)"; }
  llvm::raw_ostream &os() override { return stream; }

private:
  llvm::raw_string_ostream stream;
};
} // namespace

namespace {
/// Remembers the innermost pass that fails, and on what: some of MLIR's say nothing themselves.
class FailedPass : public mlir::PassInstrumentation {
public:
  explicit FailedPass(std::string &message) : message(message) {}
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override {
    if (!message.empty())
      return;
    llvm::StringRef name = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
    message = locationText(op->getLoc()) + ": pass " + name.str() + " failed without a diagnostic";
  }

private:
  std::string &message;
};
} // namespace

/// Writes `text` to a new folder in `directory`; the file's path.
static Result<std::string> writeReproducer(const std::string &text, const std::string &directory) {
  Result<StagedFolder> folder = StagedFolder::createNumbered(directory);
  if (!folder)
    return folder.error();
  if (Result<void> ok = writeFileAtomically(folder->pathOf("failure.mlir"), text); !ok)
    return folder->inFolder(ok.error());
  if (Result<void> ok = folder->commit(); !ok)
    return ok.error();
  return folder->path() + "/failure.mlir";
}

/// What to say of a failure's reproducer, in brackets.
static std::string reproducerNote(const std::string &text, const std::string &directory) {
  if (directory.empty())
    return "";
  Result<std::string> path = writeReproducer(text, directory);
  return path ? " (reproducer: " + *path + ")" : " (no reproducer: " + path.error().message + ")";
}

/// True for what the user has to hear as it is: the module asks for something Forge does not have.
static bool isUsersError(const FirstError &error) {
  return llvm::StringRef(error.message).contains("unsupported");
}

static Result<void> runPhase(mlir::ModuleOp module, Phase phase, const CompileOptions &options,
                             const PipelineOptions &pipeline) {
  mlir::MLIRContext *context = module.getContext();
  mlir::PassManager pm(context, mlir::ModuleOp::getOperationName());
  pm.enableVerifier(options.verifyEach);
  buildPhase(pm, phase, pipeline);
  if (pm.empty())
    return {};
  std::string reproducer, failedPass;
  pm.addInstrumentation(std::make_unique<FailedPass>(failedPass));
  pm.enableCrashReproducerGeneration(
      [&reproducer](std::string &) { return std::make_unique<ReproducerText>(reproducer); });
  FirstError error(context);
  // A phase that leaves invalid IR behind has failed: what follows may not survive it.
  if (mlir::succeeded(pm.run(module)) && mlir::succeeded(mlir::verify(module)))
    return {};
  if (reproducer.empty()) // no pass failed
    llvm::raw_string_ostream(reproducer) << module;
  if (isUsersError(error))
    return Error{error.location + ": " + error.message};
  std::string message = !error.message.empty() ? error.location + ": " + error.message
                        : !failedPass.empty()  ? failedPass
                                               : "no diagnostic";
  return Error{"phase " + phaseName(phase).str() + " failed: " + message +
               reproducerNote(reproducer, options.reproducerDir)};
}

Result<void> forge::runPhases(mlir::ModuleOp module, const CompileOptions &options, Phase to,
                              std::vector<PhaseTime> &times, std::vector<KernelInfo> &kernels) {
  PipelineOptions pipeline;
  Result<Target> target = Target::parse(options.target);
  if (!target)
    return target.error();
  pipeline.target = *target;
  pipeline.tier = options.tier;
  pipeline.naiveAfter = options.naiveAfter;
  for (Phase phase : targetPhases(*target)) {
    if (phase <= options.from || phase > to)
      continue;
    auto start = std::chrono::steady_clock::now();
    if (Result<void> result = runPhase(module, phase, options, pipeline); !result)
      return result;
    std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    times.push_back({phaseName(phase).str(), taken.count()});
    if (phase == Phase::Tile)
      collectTensorKernels(module, kernels);
    else if (phase == Phase::Kernels)
      collectKernelFunctions(module, kernels);
    else if (phase == Phase::Lower && !target->isGPU())
      collectFunctionKernels(module, kernels);
  }
  return {};
}
