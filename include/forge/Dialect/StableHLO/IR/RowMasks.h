// What is known of selects of rows by group.
#ifndef FORGE_DIALECT_STABLEHLO_IR_ROWMASKS_H
#define FORGE_DIALECT_STABLEHLO_IR_ROWMASKS_H

#include "llvm/ADT/StringRef.h"

namespace forge {

/// On a stablehlo.select that has the elements of a row for the groups that it is in, and zeros for
/// others: no row is in two groups.
inline constexpr llvm::StringLiteral kDisjointAttr = "forge.disjoint";

} // namespace forge

#endif // FORGE_DIALECT_STABLEHLO_IR_ROWMASKS_H
