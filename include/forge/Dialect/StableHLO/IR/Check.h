// The check dialect: expectations that a test writes into the module it runs.
#ifndef FORGE_DIALECT_STABLEHLO_IR_CHECK_H
#define FORGE_DIALECT_STABLEHLO_IR_CHECK_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "forge/Dialect/StableHLO/IR/CheckDialect.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/CheckOps.h.inc"

#endif // FORGE_DIALECT_STABLEHLO_IR_CHECK_H
