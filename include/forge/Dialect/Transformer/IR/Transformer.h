// The transformer dialect: include this to use it.
#ifndef FORGE_DIALECT_TRANSFORMER_IR_TRANSFORMER_H
#define FORGE_DIALECT_TRANSFORMER_IR_TRANSFORMER_H

#include "forge/Dialect/Transformer/IR/Accumulation.h"
#include "forge/Dialect/Transformer/IR/FoldsCasts.h"
#include "forge/Dialect/Transformer/IR/KnownAttributes.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "forge/Dialect/Transformer/IR/TransformerDialect.h.inc"
#include "forge/Dialect/Transformer/IR/TransformerEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Transformer/IR/TransformerAttrs.h.inc"
#include "forge/Dialect/Transformer/IR/TransformerInterfaces.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/Transformer/IR/TransformerOps.h.inc"

#endif // FORGE_DIALECT_TRANSFORMER_IR_TRANSFORMER_H
