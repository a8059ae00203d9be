// Dialect, types, enums and attributes of stablehlo, without its ops.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "forge/Dialect/StableHLO/IR/StableHLODialect.h.inc"
#include "forge/Dialect/StableHLO/IR/StableHLOEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/StableHLOTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/StableHLO/IR/StableHLOAttrs.h.inc"
