// Memory seen along the axes of a product.
#ifndef FORGE_LIB_CODEGEN_WGMMA_AXISMEMORY_H
#define FORGE_LIB_CODEGEN_WGMMA_AXISMEMORY_H

#include "../Hopper/ThreadBuilder.h"
#include "../Strategy/ProductAxes.h"

namespace forge {

/// Contiguous memory with one dimension for each axis of a product that it has.
struct AxisMemory {
  mlir::Value memory;
  llvm::SmallVector<unsigned> axes;
  /// Whether it has a first dimension of one element where tiles have no axis of rows, and a last
  /// one where they have none of columns.
  bool hasUnits = false;
};

/// `memory` with one dimension for each axis, whose dimensions are of these loops of the product;
/// nothing where an axis is not whole in it.
std::optional<AxisMemory> byAxes(ThreadBuilder &b, const ProductAxes &axes, mlir::Value memory,
                                 llvm::ArrayRef<unsigned> loops);

/// `memory` with a first and a last dimension of one element, where they are asked for.
AxisMemory addUnits(ThreadBuilder &b, AxisMemory memory, bool hasFirst, bool hasLast);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_AXISMEMORY_H
