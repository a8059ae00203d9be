// Conversion of the forge dialect's operations to loops.
#ifndef FORGE_CONVERSION_FORGETOLINALG_PASSES_H
#define FORGE_CONVERSION_FORGETOLINALG_PASSES_H

#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Conversion/ForgeToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Conversion/ForgeToLinalg/Passes.h.inc"

} // namespace forge

#endif // FORGE_CONVERSION_FORGETOLINALG_PASSES_H
