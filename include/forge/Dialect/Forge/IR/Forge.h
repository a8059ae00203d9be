// The forge dialect: include this to use it.
#ifndef FORGE_DIALECT_FORGE_IR_FORGE_H
#define FORGE_DIALECT_FORGE_IR_FORGE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include <optional>
#include <string>

#include "forge/Dialect/Forge/IR/ForgeDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Forge/IR/ForgeAttributes.h.inc"

namespace forge {

/// Attributes that hold a #forge.schedule. The second one is on kernels for the vendor's library:
/// how they are compiled too, for where the library is missing or does not offer the product.
inline constexpr llvm::StringLiteral kScheduleAttr = "forge.schedule",
                                     kFallbackScheduleAttr = "forge.fallback_schedule";

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_FORGE_H
