// Layouts of what matrix instructions take and give, and of rows.
#ifndef FORGE_DIALECT_TILE_IR_MATRIXLAYOUTS_H
#define FORGE_DIALECT_TILE_IR_MATRIXLAYOUTS_H

#include "forge/Dialect/Tile/IR/Tile.h"

namespace forge::tile {

// Factors are [m, k] and [n, k] tiles. Of one warp; addWarps() makes them a block's.

/// mma.sync: a 16 x 8 accumulator, and factors of elements with 8, 16 or 32 bits.
LayoutAttr mmaAccumulator(mlir::MLIRContext *context);
LayoutAttr mmaLeft(mlir::MLIRContext *context, unsigned bits);
LayoutAttr mmaRight(mlir::MLIRContext *context, unsigned bits);

/// wgmma: 64 rows a warpgroup, of one or more warpgroups.
LayoutAttr wgmmaAccumulator(mlir::MLIRContext *context, unsigned warpgroups);
LayoutAttr wgmmaLeft(mlir::MLIRContext *context, unsigned bits, unsigned warpgroups);

/// mfma of 32 x 32 or 16 x 16 accumulators, which is `rows`; both factors alike, of elements with
/// 8, 16 or 32 bits.
LayoutAttr mfmaAccumulator(mlir::MLIRContext *context, unsigned rows);
LayoutAttr mfmaFactor(mlir::MLIRContext *context, unsigned rows, unsigned bits);

/// wmma of gfx11, on 32 lanes: 16 x 16; both factors alike.
LayoutAttr wmmaAccumulator(mlir::MLIRContext *context);
LayoutAttr wmmaFactor(mlir::MLIRContext *context);

/// `layout` for more warps: each of `dims` is the dimension along which the next bit of the warp
/// number goes on, or LayoutEntry::kReplicated.
LayoutAttr addWarps(LayoutAttr layout, llvm::ArrayRef<int8_t> dims);

/// For loads and stores of rows: `elements` neighbours of the last dimension in a thread, then
/// lanes and then warps along it and the dimensions before, as far as `shape` goes; what is left
/// over is replicated. All counts are powers of two.
LayoutAttr rowBlocked(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape, unsigned elements,
                      unsigned lanes, unsigned warps);

} // namespace forge::tile

#endif // FORGE_DIALECT_TILE_IR_MATRIXLAYOUTS_H
