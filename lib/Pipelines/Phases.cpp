#include "forge/Pipelines/Phases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace forge;

static constexpr llvm::StringLiteral phaseTable[] = {"import", "simplify",  "linalg", "fuse",
                                                     "tile",   "bufferize", "lower",  "llvm"};
static constexpr llvm::StringLiteral tierTable[] = {"correctness", "optimized", "production"};

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

llvm::StringRef forge::tierName(Tier tier) { return tierTable[static_cast<size_t>(tier)]; }

std::optional<Tier> forge::parseTier(llvm::StringRef name) {
  const auto *it = llvm::find(tierTable, name);
  if (it == std::end(tierTable))
    return std::nullopt;
  return static_cast<Tier>(it - std::begin(tierTable));
}

bool PipelineOptions::isNaive(Phase phase) const {
  Phase last = naiveAfter.value_or(lastPhase);
  if (tier == Tier::Correctness)
    last = std::min(last, Phase::Linalg);
  return phase > last;
}
