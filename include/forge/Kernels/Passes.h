// The passes that cut a function into a host part and kernel functions.
#ifndef FORGE_KERNELS_PASSES_H
#define FORGE_KERNELS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Kernels/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Kernels/Passes.h.inc"

} // namespace forge

#endif // FORGE_KERNELS_PASSES_H
