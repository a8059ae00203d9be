#include "forge/Pipelines/Phases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace forge;

static constexpr llvm::StringLiteral phaseTable[] = {"import", "simplify", "linalg",    "fuse",
                                                     "loops",  "kernels",  "bufferize", "blocks",
                                                     "gpu",    "lower",    "llvm"};
static constexpr llvm::StringLiteral tierTable[] = {"correctness", "optimized", "production",
                                                    "hybrid"};

llvm::StringRef forge::phaseName(Phase phase) { return phaseTable[static_cast<size_t>(phase)]; }

std::optional<Phase> forge::parsePhase(llvm::StringRef name) {
  const auto *it = llvm::find(phaseTable, name);
  if (it == std::end(phaseTable))
    return std::nullopt;
  return static_cast<Phase>(it - std::begin(phaseTable));
}

std::string forge::phaseNames() {
  return llvm::join(std::begin(phaseTable), std::end(phaseTable), ", ");
}

static constexpr Phase cpuPhases[] = {Phase::Import, Phase::Simplify,  Phase::Linalg, Phase::Fuse,
                                      Phase::Loops,  Phase::Bufferize, Phase::Lower,  Phase::LLVM};
static constexpr Phase gpuPhases[] = {Phase::Import, Phase::Simplify, Phase::Linalg,
                                      Phase::Fuse,   Phase::Kernels,  Phase::Bufferize,
                                      Phase::Blocks, Phase::GPU,      Phase::Lower};

llvm::ArrayRef<Phase> forge::targetPhases(const Target &target) {
  return target.isGPU() ? llvm::ArrayRef<Phase>(gpuPhases) : cpuPhases;
}

bool forge::hasPhase(const Target &target, Phase phase) {
  return llvm::is_contained(targetPhases(target), phase);
}

Phase forge::lastPhaseOf(const Target &target) { return targetPhases(target).back(); }

std::string forge::phaseNames(const Target &target) {
  return llvm::join(llvm::map_range(targetPhases(target), phaseName), ", ");
}

std::optional<Tier> forge::parseTier(llvm::StringRef name) {
  const auto *it = llvm::find(tierTable, name);
  if (it == std::end(tierTable))
    return std::nullopt;
  return static_cast<Tier>(it - std::begin(tierTable));
}

int64_t forge::matrixBytes(const PipelineOptions &options) {
  bool isShared = options.target.isGPU() && options.tier != Tier::Correctness &&
                  !options.isNaive(Phase::Linalg);
  return isShared ? options.target.chip->maxSharedBytes : 0;
}

bool forge::readsWindows(const PipelineOptions &options) {
  return options.target.isGPU() && options.target.chip->warpgroupProducts &&
         !options.isNaive(Phase::Kernels);
}

bool PipelineOptions::isNaive(Phase phase) const {
  Phase last = naiveAfter.value_or(lastPhase);
  if (tier == Tier::Correctness)
    last = std::min(last, Phase::Linalg);
  return phase > last;
}
