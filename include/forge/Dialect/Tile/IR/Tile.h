// The tile dialect: include this to use it.
#ifndef FORGE_DIALECT_TILE_IR_TILE_H
#define FORGE_DIALECT_TILE_IR_TILE_H

#include "forge/Dialect/Tile/IR/Layout.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "forge/Dialect/Tile/IR/TileDialect.h.inc"
#include "forge/Dialect/Tile/IR/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "forge/Dialect/Tile/IR/TileAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/Tile/IR/TileTypes.h.inc"
namespace forge::tile {
/// Whether the layout of `tile`, if it has one, divides its shape, with not too many elements for a
/// thread.
bool fitsItsLayout(mlir::RankedTensorType tile);
} // namespace forge::tile

#define GET_OP_CLASSES
#include "forge/Dialect/Tile/IR/TileOps.h.inc"

namespace forge::tile {

/// Attributes of a kernel function that is a tile program: blocks, and warps of a block.
inline constexpr llvm::StringLiteral kGridAttr = "tile.grid", kWarpsAttr = "tile.warps";
/// A unit attribute of loops whose iterations are written one after the other.
inline constexpr llvm::StringLiteral kUnrollAttr = "tile.unroll";

/// The layout of `tile`; null if it has none.
inline LayoutAttr layoutOf(mlir::RankedTensorType tile) {
  return llvm::dyn_cast_or_null<LayoutAttr>(tile.getEncoding());
}

/// The buffer that `buffer` is, reshaped, or a part of.
mlir::Value wholeBuffer(mlir::Value buffer);

} // namespace forge::tile

#endif // FORGE_DIALECT_TILE_IR_TILE_H
