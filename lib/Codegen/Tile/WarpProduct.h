// How each warp of a block multiplies its part of two tiles, and layouts of what it multiplies.
#ifndef FORGE_LIB_CODEGEN_TILE_WARPPRODUCT_H
#define FORGE_LIB_CODEGEN_TILE_WARPPRODUCT_H

#include "forge/Codegen/MatrixUnit.h"
#include "forge/Codegen/Target.h"
#include "forge/Dialect/Tile/IR/Tile.h"

namespace forge {

/// Only sizes: schedules are planned where the tile dialect need not be loaded.
struct WarpProduct {
  /// For each bit of the warp number, the dimension of the accumulator along which warps go on.
  llvm::SmallVector<int8_t, 4> warpDims;
  /// By a matrix instruction; else by fma.
  tile::DotKind kind = tile::DotKind::Fma;
  llvm::SmallVector<int64_t, 3> instruction;
  /// Bytes of neighbouring terms that a thread has of a factor.
  int64_t factorBytes = 0;

  bool isMatrix() const { return kind != tile::DotKind::Fma; }
  int64_t warps() const { return int64_t(1) << warpDims.size(); }
  /// How many lanes have each element of a factor: wmma's halves of a wave have the same.
  int64_t lanesPerFactorElement() const { return kind == tile::DotKind::Wmma ? 2 : 1; }
};

/// The chip's matrix instruction for factors of 16 bits; of mfma the one of 32 rows and columns if
/// `isWide`.
void chooseInstruction(WarpProduct &product, MatrixUnit unit, bool isWide);

/// Of the accumulator, and of the factors in registers, which only matrix instructions have.
struct ProductLayouts {
  tile::LayoutAttr sums, left, right;
};

ProductLayouts layoutsOf(mlir::MLIRContext *context, const WarpProduct &product,
                         const GPUChip &chip);

/// For a copy of [rows, columns] to shared memory: neighbours of the last dimension in a thread;
/// lanes along the last dimension or, where that is not the contiguous one in memory, along the
/// first.
tile::LayoutAttr copyLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                            int64_t elements, const GPUChip &chip, int64_t warps, bool alongLast);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_WARPPRODUCT_H
