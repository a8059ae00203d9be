// The register dialect: include this to use it.
#ifndef FORGE_DIALECT_REGISTER_IR_REGISTER_H
#define FORGE_DIALECT_REGISTER_IR_REGISTER_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "forge/Dialect/Register/IR/RegisterDialect.h.inc"
#include "forge/Dialect/Register/IR/RegisterInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/Register/IR/RegisterTypes.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/Register/IR/RegisterOps.h.inc"

#endif // FORGE_DIALECT_REGISTER_IR_REGISTER_H
