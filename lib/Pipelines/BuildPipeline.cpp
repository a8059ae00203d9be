// Puts the stages together, and gives them to forge-opt as --forge-pipeline.
#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/ErrorHandling.h"

using namespace forge;

void forge::buildPhase(mlir::OpPassManager &pm, Phase phase, const PipelineOptions &options) {
  switch (phase) {
  case Phase::Import:
    return;
  case Phase::Simplify:
    return buildSimplifyStage(pm, options);
  case Phase::Linalg:
    return buildLinalgStage(pm, options);
  case Phase::Fuse:
    return buildFuseStage(pm, options);
  case Phase::Tile:
    return buildTileStage(pm, options);
  case Phase::Kernels:
    return buildKernelsStage(pm, options);
  case Phase::Bufferize:
    return buildBufferizeStage(pm, options);
  case Phase::GPU:
    return buildGPUStage(pm, options);
  case Phase::Lower:
    return options.target.isGPU() ? buildLowerGPUStage(pm, options) : buildLowerStage(pm, options);
  case Phase::LLVM:
    return buildLLVMStage(pm, options);
  }
}

void forge::buildPipeline(mlir::OpPassManager &pm, const PipelineOptions &options) {
  for (Phase phase : targetPhases(options.target))
    if (phase > options.from && phase <= options.to)
      buildPhase(pm, phase, options);
}

namespace {
/// The options of --forge-pipeline, as text.
struct TextOptions : public mlir::PassPipelineOptions<TextOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("what to compile for: cpu, cuda:sm_90a, hip:gfx942, sim:sm_90a ..."),
      llvm::cl::init("cpu")};
  Option<std::string> tier{*this, "tier", llvm::cl::desc("correctness, optimized or production"),
                           llvm::cl::init("hybrid")};
  Option<std::string> from{*this, "from", llvm::cl::desc("the phase the input is at"),
                           llvm::cl::init("import")};
  Option<std::string> to{*this, "to", llvm::cl::desc("the last phase to run"), llvm::cl::init("")};
  Option<std::string> naiveAfter{
      *this, "naive-after",
      llvm::cl::desc("the last phase before the naive tail (as forge verify --each-stage)"),
      llvm::cl::init("")};
};
} // namespace

/// Reads `text` as a phase of `target`; a wrong name is the user's mistake, told in one line.
static Phase readPhase(const Target &target, const std::string &option, const std::string &text) {
  std::optional<Phase> phase = parsePhase(text);
  if (phase && hasPhase(target, *phase))
    return *phase;
  llvm::report_fatal_error(llvm::Twine("--forge-pipeline: expected one of ") + phaseNames(target) +
                               " for '" + option + "', but got '" + text + "'",
                           /*gen_crash_diag=*/false);
}

static PipelineOptions readOptions(const TextOptions &text) {
  PipelineOptions options;
  Result<Target> target = Target::parse(text.target);
  if (!target)
    llvm::report_fatal_error("--forge-pipeline: " + llvm::Twine(target.error().message),
                             /*gen_crash_diag=*/false);
  options.target = *target;
  std::optional<Tier> tier = parseTier(text.tier);
  if (!tier)
    llvm::report_fatal_error("--forge-pipeline: expected correctness, optimized, production or "
                             "hybrid for 'tier', but got '" +
                                 llvm::Twine(text.tier) + "'",
                             /*gen_crash_diag=*/false);
  options.tier = *tier;
  options.from = readPhase(options.target, "from", text.from);
  options.to =
      text.to.empty() ? lastPhaseOf(options.target) : readPhase(options.target, "to", text.to);
  if (options.to < options.from)
    llvm::report_fatal_error("--forge-pipeline: expected 'to' not before 'from', but got " +
                                 phaseName(options.to) + " and " + phaseName(options.from),
                             /*gen_crash_diag=*/false);
  if (!text.naiveAfter.empty())
    options.naiveAfter = readPhase(options.target, "naive-after", text.naiveAfter);
  return options;
}

void forge::registerForgePipeline() {
  mlir::PassPipelineRegistration<TextOptions>("forge-pipeline",
                                              "The phases of compilation by name: " + phaseNames(),
                                              [](mlir::OpPassManager &pm, const TextOptions &text) {
                                                buildPipeline(pm, readOptions(text));
                                              });
}
