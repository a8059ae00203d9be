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

/// A matrix instruction of one warp with factors in registers, of one instruction's operands.
struct MatrixInstruction {
  /// Rows, columns and terms.
  int64_t rows, columns, terms;
  LayoutAttr left, right, accumulator;
};

/// The instruction of `kind` (mma, mfma or wmma) of this shape with factors of `element` and sums
/// in f32; nothing if there is none.
std::optional<MatrixInstruction> matrixInstruction(DotKind kind, llvm::ArrayRef<int64_t> shape,
                                                   mlir::Type element);

/// The lanes or warps of a factor whose rows are dimension `dim` of an accumulator with `entries`:
/// those that differ in another dimension have the same.
llvm::SmallVector<LayoutEntry> factorEntries(llvm::ArrayRef<LayoutEntry> entries, int8_t dim);

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
