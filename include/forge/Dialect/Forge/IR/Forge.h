// The forge dialect: include this to use it.
#ifndef FORGE_DIALECT_FORGE_IR_FORGE_H
#define FORGE_DIALECT_FORGE_IR_FORGE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>
#include <string>

#include "forge/Dialect/Forge/IR/ForgeDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Forge/IR/ForgeAttributes.h.inc"
#include "forge/Dialect/Forge/IR/ForgeEnums.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/Forge/IR/ForgeOps.h.inc"

namespace forge {

/// Attributes that hold a #forge.schedule. The second one is on kernels for the vendor's library:
/// how they are compiled too, for where the library is missing or does not offer the product.
inline constexpr llvm::StringLiteral kScheduleAttr = "forge.schedule",
                                     kFallbackScheduleAttr = "forge.fallback_schedule";
/// A unit attribute of kernels whose schedule was chosen because their launches are one with
/// others.
inline constexpr llvm::StringLiteral kJoinedAttr = "forge.joined";

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_FORGE_H
