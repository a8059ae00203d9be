// The chlo dialect: ops that frameworks print in addition to StableHLO's.
#ifndef FORGE_DIALECT_STABLEHLO_IR_CHLO_H
#define FORGE_DIALECT_STABLEHLO_IR_CHLO_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "forge/Dialect/StableHLO/IR/ChloDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/ChloAttrs.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ChloOps.h.inc"

#endif // FORGE_DIALECT_STABLEHLO_IR_CHLO_H
