// Puts the stages together, and gives them to forge-opt as --forge-pipeline.
#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

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
  case Phase::Loops:
    return buildLoopsStage(pm, options);
  case Phase::Kernels:
    return buildKernelsStage(pm, options);
  case Phase::Bufferize:
    return buildBufferizeStage(pm, options);
  case Phase::Blocks:
    return buildBlocksStage(pm, options);
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
  Option<std::string> tier{
      *this, "tier", llvm::cl::desc("hybrid (the default), production, optimized or correctness"),
      llvm::cl::init("hybrid")};
  Option<std::string> from{*this, "from", llvm::cl::desc("the phase the input is at"),
                           llvm::cl::init("import")};
  Option<std::string> to{*this, "to", llvm::cl::desc("the last phase to run"), llvm::cl::init("")};
  Option<std::string> naiveAfter{
      *this, "naive-after",
      llvm::cl::desc("the last phase before the naive tail (as forge verify --each-stage)"),
      llvm::cl::init("")};
  Option<bool> fftLibrary{*this, "fft-library",
                          llvm::cl::desc("the host has the library for Fourier transforms"),
                          llvm::cl::init(false)};
  Option<bool> stamps{*this, "stamps", llvm::cl::desc("kernels of a GPU take time stamps"),
                      llvm::cl::init(false)};
};
} // namespace

/// Reads `text` as a phase of `target`.
static Result<Phase> readPhase(const Target &target, const std::string &option,
                               const std::string &text) {
  std::optional<Phase> phase = parsePhase(text);
  if (phase && hasPhase(target, *phase))
    return *phase;
  return Error{"expected one of " + phaseNames(target) + " for '" + option + "', but got '" + text +
               "'"};
}

static Result<PipelineOptions> readOptions(const TextOptions &text) {
  PipelineOptions options;
  Result<Target> target = Target::parse(text.target);
  if (!target)
    return target.error();
  options.target = *target;
  std::optional<Tier> tier = parseTier(text.tier);
  if (!tier)
    return Error{"expected correctness, optimized, production or hybrid for 'tier', but got '" +
                 text.tier + "'"};
  options.tier = *tier;
  options.fftLibrary = text.fftLibrary;
  options.stamps = text.stamps;
  Result<Phase> from = readPhase(options.target, "from", text.from);
  if (!from)
    return from.error();
  options.from = *from;
  options.to = lastPhaseOf(options.target);
  if (!text.to.empty()) {
    Result<Phase> to = readPhase(options.target, "to", text.to);
    if (!to)
      return to.error();
    options.to = *to;
  }
  if (options.to < options.from)
    return Error{("expected 'to' not before 'from', but got " + phaseName(options.to) + " and " +
                  phaseName(options.from))
                     .str()};
  if (text.naiveAfter.empty())
    return options;
  Result<Phase> naiveAfter = readPhase(options.target, "naive-after", text.naiveAfter);
  if (!naiveAfter)
    return naiveAfter.error();
  options.naiveAfter = *naiveAfter;
  return options;
}

/// Adds what the text asks for to `pm`; a mistake in it is told by `report`.
static mlir::LogicalResult
addTextPipeline(mlir::OpPassManager &pm, llvm::StringRef text,
                llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> report) {
  TextOptions parsed;
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (mlir::failed(parsed.parseFromString(text, stream)))
    return report("forge-pipeline: " + llvm::StringRef(problem).trim());
  Result<PipelineOptions> options = readOptions(parsed);
  if (!options)
    return report("forge-pipeline: " + options.error().message);
  buildPipeline(pm, *options);
  return mlir::success();
}

void forge::registerForgePipeline() {
  mlir::registerPassPipeline("forge-pipeline", "The phases of compilation by name: " + phaseNames(),
                             addTextPipeline,
                             [](llvm::function_ref<void(const mlir::detail::PassOptions &)> visit) {
                               visit(TextOptions());
                             });
}
