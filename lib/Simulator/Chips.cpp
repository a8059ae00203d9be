#include "forge/Simulator/Module.h"

#include "forge/Codegen/Target.h"

using namespace forge;
using namespace forge::sim;

std::optional<Chip> sim::chipOf(llvm::StringRef name) {
  const GPUChip *facts = findChip(name);
  if (!facts)
    return std::nullopt;
  Chip chip;
  chip.name = name.str();
  chip.warpSize = facts->warpSize;
  chip.sharedBytes = facts->maxSharedBytes;
  chip.maxBlockThreads = facts->maxThreads;
  // ds_bpermute reads any lane; shfl.sync waits for the lanes of its mask.
  chip.shuffleSegments = facts->dialect == DeviceDialect::ROCDL;
  return chip;
}
