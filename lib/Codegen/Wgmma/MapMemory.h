// A factor in memory as a tensor map describes it.
#ifndef FORGE_LIB_CODEGEN_WGMMA_MAPMEMORY_H
#define FORGE_LIB_CODEGEN_WGMMA_MAPMEMORY_H

#include "WgmmaProduct.h"

#include "../Hopper/ThreadBuilder.h"

namespace forge {

/// The memory of `operand` as a buffer with the dimensions `dims` of a tensor map, the outermost
/// first; one without steps has one element. Along `looked`, an axis whose indices are numbers in a
/// table, it has all of the table.
mlir::Value byMap(ThreadBuilder &b, const ProductAxes &axes, const ProductOperand &operand,
                  llvm::ArrayRef<llvm::SmallVector<MapStep, 2>> dims,
                  std::optional<unsigned> looked);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_MAPMEMORY_H
