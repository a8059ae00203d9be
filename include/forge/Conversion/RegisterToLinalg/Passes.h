// Conversion of the register dialect to linalg.
#ifndef FORGE_CONVERSION_REGISTERTOLINALG_PASSES_H
#define FORGE_CONVERSION_REGISTERTOLINALG_PASSES_H

#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Conversion/RegisterToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Conversion/RegisterToLinalg/Passes.h.inc"

} // namespace forge

#endif // FORGE_CONVERSION_REGISTERTOLINALG_PASSES_H
