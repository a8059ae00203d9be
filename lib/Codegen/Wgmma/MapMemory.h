// A factor in memory as a tensor map describes it.
#ifndef FORGE_LIB_CODEGEN_WGMMA_MAPMEMORY_H
#define FORGE_LIB_CODEGEN_WGMMA_MAPMEMORY_H

#include "MapDims.h"

#include "../Hopper/ThreadBuilder.h"

namespace forge {

/// The memory of `operand` as a buffer with the dimensions `dims` of a tensor map, the outermost
/// first; of a factor with zeros around it, of what is inside. Along `looked`, an axis whose
/// indices are numbers in a table, it has all of the table.
mlir::Value byMap(ThreadBuilder &b, const ProductAxes &axes, const ProductOperand &operand,
                  llvm::ArrayRef<MapDim> dims, std::optional<unsigned> looked);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_MAPMEMORY_H
