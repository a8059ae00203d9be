// The tile programs that strategies write for kernels, as text.
#ifndef FORGE_CODEGEN_TILETEXT_H
#define FORGE_CODEGEN_TILETEXT_H

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace forge {

/// The tile program that `kernel`, a kernel function on memrefs with a schedule, becomes in phase
/// `gpu`, without locations; empty where its strategy writes none. The kernel stays.
std::string tileProgramText(mlir::func::FuncOp kernel, const GPUChip &chip);

} // namespace forge

#endif // FORGE_CODEGEN_TILETEXT_H
