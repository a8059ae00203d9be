// Between the files of lib/Execution: how much LLVM does for a module's host code.
#ifndef FORGE_LIB_EXECUTION_HOSTEFFORT_H
#define FORGE_LIB_EXECUTION_HOSTEFFORT_H

#include "forge/Codegen/Target.h"
#include "forge/Target/CPU/CodeGen.h"

#include <cstdlib>

namespace forge {

/// Of a GPU's target the host code does nothing but issue launches, in one long block, whose
/// scheduling takes time by the square (32 layers of a decoder: 1.5 of 6.4 s). Of the CPU's,
/// FORGE_EFFORT=quick compiles in about half of the time, to code that is slower.
inline Effort hostEffort(Tier tier, const Target &target) {
  if (target.isGPU())
    return Effort::Least;
  const char *asked = std::getenv("FORGE_EFFORT");
  bool isQuick = asked && llvm::StringRef(asked) == "quick";
  return isQuick || tier == Tier::Correctness ? Effort::Quick : Effort::Full;
}

} // namespace forge

#endif // FORGE_LIB_EXECUTION_HOSTEFFORT_H
