// One pass manager per phase: their times, and where they fail.
#include "RunPhases.h"
#include "PassTrace.h"
#include "PhaseWatch.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Runtime/Fourier.h"
#include "forge/Diagnostics/ErrorContext.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/Crash.h"
#include "forge/Support/StagedFolder.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace forge;

namespace {
/// Remembers the first error that passes by, and lets it pass: what is not the user's mistake is
/// the compiler's.
class FirstError {
public:
  /// `about` tells what an error is about that does not say so itself.
  FirstError(mlir::MLIRContext *context, std::function<ErrorDetails()> about)
      : about(std::move(about)), handler(context, [this](mlir::Diagnostic &diagnostic) {
          // MLIR's note about its reproducer; ours says where the file is.
          if (llvm::StringRef(diagnostic.str()).starts_with("Failures have been detected"))
            return mlir::success();
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
            return mlir::failure();
          setErrorKind(diagnostic, ErrorKind::Compiler);
          addErrorDetails(diagnostic, this->about());
          if (message.empty()) {
            message = diagnostic.str();
            location = locationText(diagnostic.getLocation());
            details = errorDetailsOf(diagnostic);
            isUsers = errorKindOf(diagnostic) == ErrorKind::User;
          }
          return mlir::failure();
        }) {}

  std::string message;
  std::string location;
  ErrorDetails details;
  bool isUsers = false;

private:
  std::function<ErrorDetails()> about;
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

/// Which pass it was, and what it said; some of MLIR's say nothing.
static std::string describeFailure(const PassTrace &trace, const std::string &failed,
                                   const FirstError &error) {
  std::string said = error.message.empty() ? "" : error.location + ": " + error.message;
  if (std::string pass = trace.crashed(); !pass.empty())
    return pass + " crashed (" + lastCrashSignal() + ")" + (said.empty() ? "" : ": " + said);
  return failed + (said.empty() ? " failed without a diagnostic" : ": " + said);
}

/// The pass that leaves `module` invalid, and the module before it: once more, verified behind
/// each.
static std::string findInvalidatingPass(mlir::ModuleOp module, Phase phase,
                                        const PipelineOptions &pipeline, std::string &reproducer) {
  mlir::ScopedDiagnosticHandler silent(module.getContext(),
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::PassManager pm(module.getContext(), mlir::ModuleOp::getOperationName());
  buildPhase(pm, phase, pipeline);
  PassTrace trace;
  pm.addInstrumentation(trace.instrumentation());
  pm.enableCrashReproducerGeneration(
      [&](std::string &) { return std::make_unique<ReproducerText>(reproducer); });
  (void)pm.run(module);
  return trace.failed();
}

/// Where the compiler is wrong.
static constexpr char kAdvice[] =
    "--tier correctness, which leaves out what makes code fast; the reproducer repeats the failure "
    "by forge-opt --run-reproducer";

static Result<void> runPhase(mlir::ModuleOp module, Phase phase, const CompileOptions &options,
                             const PipelineOptions &pipeline) {
  mlir::MLIRContext *context = module.getContext();
  mlir::PassManager pm(context, mlir::ModuleOp::getOperationName());
  pm.enableVerifier(options.verifyEach);
  buildPhase(pm, phase, pipeline);
  if (pm.empty())
    return {};
  mlir::OwningOpRef<mlir::ModuleOp> before = module.clone();
  std::string reproducer;
  PassTrace trace;
  pm.addInstrumentation(trace.instrumentation());
  pm.enableCrashReproducerGeneration(
      [&](std::string &) { return std::make_unique<ReproducerText>(reproducer); });
  const std::string stage = phaseName(phase).str();
  FirstError error(context, [&] {
    ErrorDetails details = trace.runningOn();
    details.stage = stage;
    return details;
  });
  // A phase that leaves invalid IR behind has failed: what follows may not survive it.
  if (mlir::succeeded(pm.run(module)) && mlir::succeeded(mlir::verify(module)))
    return {};
  if (error.isUsers)
    return withDetails(Error{error.location + ": " + error.message}, error.details);
  std::string pass = trace.failed();
  if (reproducer.empty()) // no pass failed
    pass = findInvalidatingPass(*before, phase, pipeline, reproducer);
  ErrorDetails details = error.details;
  details.fillFrom(trace.failedOn());
  details.fillFrom({.stage = stage, .advice = kAdvice});
  return withDetails(Error{"phase " + stage + " failed: " + describeFailure(trace, pass, error) +
                           reproducerNote(reproducer, options.reproducerDir)},
                     details);
}

Result<void> forge::runPhases(mlir::ModuleOp module, const CompileOptions &options, Phase to,
                              CompileReport &report) {
  std::vector<KernelInfo> &kernels = report.kernels, products;
  PipelineOptions pipeline;
  Result<Target> target = Target::parse(options.target);
  if (!target)
    return target.error();
  pipeline.target = *target;
  pipeline.tier = options.tier;
  pipeline.naiveAfter = options.naiveAfter;
  pipeline.stamps = options.stamps;
  // Asked only where it matters: it opens the library.
  pipeline.fftLibrary = !target->isGPU() && hasFftComposites(module) && rt::fourierLibrary();
  if (!hasPhase(*target, options.from))
    return Error{"target " + target->text() + " has no phase " + phaseName(options.from).str() +
                 ", only " + phaseNames(*target)};
  {
    FirstError error(module.getContext(),
                     [&] { return ErrorDetails{.stage = phaseName(options.from).str()}; });
    if (mlir::failed(checkPhase(module, options.from, *target)))
      return withDetails(Error{error.location + ": " + error.message}, error.details);
  }
  if (options.from >= Phase::Kernels && options.from < Phase::GPU)
    collectKernelFunctions(module, kernels);
  for (Phase phase : targetPhases(*target)) {
    if (phase <= options.from || phase > to)
      continue;
    PhaseWatch watch(report.phases);
    if (Result<void> result = runPhase(module, phase, options, pipeline); !result)
      return result;
    watch.lap(phaseName(phase).str());
    if (phase == Phase::Loops) {
      collectTensorKernels(module, kernels);
      collectProducts(module, products);
    } else if (phase == Phase::Kernels)
      collectKernelFunctions(module, kernels);
    else if (phase == Phase::GPU) {
      collectFusedKernels(module, kernels);
      collectStages(module, kernels);
      report.temporaryBytes = plannedTemporaryBytes(module);
    } else if (phase == Phase::Lower && !target->isGPU()) {
      collectFunctionKernels(module, std::move(products), kernels);
      report.temporaryBytes = plannedTemporaryBytes(module);
    }
  }
  return {};
}
