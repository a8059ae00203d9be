// The lowering of the stablehlo, chlo and check dialects to linalg on tensors.
#ifndef FORGE_CONVERSION_STABLEHLOTOLINALG_PASSES_H
#define FORGE_CONVERSION_STABLEHLOTOLINALG_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Conversion/StableHLOToLinalg/Passes.h.inc"

} // namespace forge

#endif // FORGE_CONVERSION_STABLEHLOTOLINALG_PASSES_H
