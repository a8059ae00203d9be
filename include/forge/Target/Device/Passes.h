// The passes of the host code that drives a device.
#ifndef FORGE_TARGET_DEVICE_PASSES_H
#define FORGE_TARGET_DEVICE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Target/Device/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Target/Device/Passes.h.inc"

} // namespace forge

#endif // FORGE_TARGET_DEVICE_PASSES_H
