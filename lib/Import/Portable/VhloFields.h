// Structured attributes of StableHLO, which vhlo has field by field.
#ifndef FORGE_LIB_IMPORT_PORTABLE_VHLOFIELDS_H
#define FORGE_LIB_IMPORT_PORTABLE_VHLOFIELDS_H

#include "VhloOps.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge {

/// What vhlo has as a tensor may be the same element many times, and take no memory for it; a list
/// has one item a dimension, and no more than this.
constexpr int64_t kMaxListSize = 4096;

/// The elements of a tensor of 64-bit integers of rank 1, which is how vhlo has lists of numbers;
/// none for any other attribute.
std::optional<llvm::SmallVector<int64_t>> numbersOf(mlir::Attribute value);

/// Replaces the fields of dimension numbers, of the algorithm of a product and of a channel by the
/// attribute that they make together. Fields that earlier versions of the operation lack are empty.
mlir::LogicalResult joinFields(mlir::Operation *op, const VhloOp &row,
                               mlir::NamedAttrList &attributes);

} // namespace forge

#endif // FORGE_LIB_IMPORT_PORTABLE_VHLOFIELDS_H
