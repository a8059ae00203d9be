#include "forge/Simulator/Module.h"

#include "llvm/ADT/StringSwitch.h"

using namespace forge::sim;

/// Bytes of shared memory a block may have: CUDA C++ Programming Guide, technical specifications
/// per compute capability; AMD's instruction set manuals for the LDS of CDNA 2, CDNA 3 and RDNA 3.
std::optional<Chip> forge::sim::chipOf(llvm::StringRef name) {
  Chip chip;
  chip.name = name.str();
  unsigned sharedKiB = llvm::StringSwitch<unsigned>(name)
                           .Case("sm_75", 64)
                           .Case("sm_80", 163)
                           .Case("sm_90a", 227)
                           .Cases({"gfx90a", "gfx942", "gfx1100"}, 64)
                           .Default(0);
  if (!sharedKiB)
    return std::nullopt;
  chip.sharedBytes = sharedKiB << 10;
  chip.warpSize = name.starts_with("gfx9") ? 64 : 32;
  chip.shuffleSegments = name.starts_with("gfx");
  return chip;
}
