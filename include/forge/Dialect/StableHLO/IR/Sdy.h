// The sdy dialect: placement on devices, which import drops.
#ifndef FORGE_DIALECT_STABLEHLO_IR_SDY_H
#define FORGE_DIALECT_STABLEHLO_IR_SDY_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/SymbolTable.h"

#include "forge/Dialect/StableHLO/IR/SdyDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/SdyAttrs.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/SdyOps.h.inc"

#endif // FORGE_DIALECT_STABLEHLO_IR_SDY_H
