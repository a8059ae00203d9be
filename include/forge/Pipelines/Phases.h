// The named phases of compilation, and the stages that build them. `--forge-pipeline="target=cpu
// to=PHASE"` of forge-opt, `forge compile --to`, `--each-stage` and the statistics all use these
// names.
#ifndef FORGE_PIPELINES_PHASES_H
#define FORGE_PIPELINES_PHASES_H

#include "forge/Codegen/Target.h"

#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace forge {

/// In the order they run. A module "at" a phase is what that phase left.
enum class Phase {
  /// As parsed: StableHLO, chlo, check, func.
  Import,
  /// One function: calls inlined into the entry, chlo legalised, StableHLO in canonical form.
  Simplify,
  /// linalg, tensor, scf, arith and math on tensors.
  Linalg,
  /// Elementwise and reduction chains fused; still tensors.
  Fuse,
  /// Row kernels tiled to scf.forall loop nests; still tensors.
  Loops,
  /// GPU targets: the host calls kernel functions, one for each distinct kernel; still tensors.
  Kernels,
  /// memrefs: in place where the values allow it, temporaries from the arena.
  Bufferize,
  /// GPU targets: kernel functions as programs on tiles, where a file has them; others as they
  /// were.
  Blocks,
  /// GPU targets: kernel functions as gpu.func in one gpu.module, calls as gpu.launch_func.
  GPU,
  /// Contractions as vector microkernels, the rest as loops, math expanded, parallel loops
  /// outlined. GPU targets: the LLVM dialect, of the host and of the device.
  Lower,
  /// The LLVM dialect; the CPU's last.
  LLVM,
};

constexpr Phase firstPhase = Phase::Import;
constexpr Phase lastPhase = Phase::LLVM;

/// "import", "simplify", "linalg", "fuse", "loops", "kernels", "bufferize", "blocks", "gpu",
/// "lower", "llvm".
llvm::StringRef phaseName(Phase phase);
std::optional<Phase> parsePhase(llvm::StringRef name);
/// The names, separated by ", ", for error messages and help.
std::string phaseNames();

/// The phases `target` has, in order. `loops` and `llvm` are the CPU's, `kernels`, `blocks`
/// and `gpu` the GPUs'.
llvm::ArrayRef<Phase> targetPhases(const Target &target);
bool hasPhase(const Target &target, Phase phase);
/// The last of them.
Phase lastPhaseOf(const Target &target);
/// Their names, separated by ", ".
std::string phaseNames(const Target &target);

/// How much is done to make the code fast.
enum class Tier {
  /// From `linalg` straight to plain sequential loops: no fusion, tiling, vector code or expansion
  /// of math functions.
  Correctness,
  /// All phases. Every kernel is generated: the result depends on module and chip alone.
  Optimized,
  /// On a GPU, every product that the vendor's library offers is its; on the CPU, Fourier transforms
  /// are FFTW's. The rest as Optimized has it.
  Production,
  /// The default. On a GPU, products large enough to be worth it are the vendor's library's; on the
  /// CPU as Production.
  Hybrid,
};

/// Reads "correctness", "optimized", "production" or "hybrid".
std::optional<Tier> parseTier(llvm::StringRef name);

struct PipelineOptions {
  Target target;
  Tier tier = Tier::Hybrid;
  /// The phase the module is at: the first phase run is the one after it.
  Phase from = firstPhase;
  /// The last phase run.
  Phase to = lastPhase;
  /// The last phase that runs as the optimized tier has it; what follows is the naive tail. Set by
  /// the tier (Correctness: Linalg), and lower by `forge verify --each-stage`.
  std::optional<Phase> naiveAfter;
  /// The CPU: Fourier transforms may be calls of the library, which the host has.
  bool fftLibrary = false;
  /// GPU targets: kernels take time stamps (forge/Codegen/Stamps.h).
  bool stamps = false;

  /// True if `phase` runs as the naive tail has it.
  bool isNaive(Phase phase) const;
};

/// Whether convolutions become products that read windows of their input.
bool readsWindows(const PipelineOptions &options);

/// Bytes of memory of a block of threads that factors matrices and solves systems; 0 where one
/// thread does.
int64_t matrixBytes(const PipelineOptions &options);

/// Adds the passes that take a module from `options.from` to `options.to`. The pass manager is
/// anchored on builtin.module.
void buildPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Adds the passes of one phase (none for Import), as `options` has it.
void buildPhase(mlir::OpPassManager &pm, Phase phase, const PipelineOptions &options);

// One stage per phase; the order of its passes is justified in its own file
// (lib/Pipelines/<Name>Stage.cpp).
void buildSimplifyStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildLinalgStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildFuseStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildLoopsStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildKernelsStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildBufferizeStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildBlocksStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildGPUStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildLowerStage(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildLLVMStage(mlir::OpPassManager &pm, const PipelineOptions &options);
/// The phase `lower` of GPU targets.
void buildLowerGPUStage(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Registers `--forge-pipeline="target=cpu tier=hybrid from=import to=llvm"`.
void registerForgePipeline();

} // namespace forge

#endif // FORGE_PIPELINES_PHASES_H
