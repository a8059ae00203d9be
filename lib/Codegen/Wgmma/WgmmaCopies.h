// The factors of a product of strategy "wgmma" as they are copied to shared memory.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMACOPIES_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMACOPIES_H

#include "MapMemory.h"
#include "WgmmaTile.h"

#include "../Hopper/ThreadBuilder.h"

#include "forge/Dialect/Tile/IR/Tile.h"

namespace forge {

/// Where a tile begins: of each axis of the product, but those of terms, its index there, i32.
using TilePlace = llvm::SmallVector<mlir::Value, 8>;

/// The steps of a tile's sum, i32: all, and of them, those along the axis that steps divide.
struct WgmmaSteps {
  mlir::Value all, ofAxis;
};

/// Builds rings and the copies of factors, by tensor maps, to their slots. A slot has all of a
/// stage: for each chunk of its terms buffers of the left factors, of the right ones, or of both.
class WgmmaCopies {
public:
  /// At the top of the kernel, whose memory is cast here. `sizes`: of each axis, i32.
  WgmmaCopies(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
              llvm::ArrayRef<mlir::Value> sizes);

  /// Right factors have one buffer for each group of columns, of a pair those of both, or for each
  /// piece.
  mlir::Value makeRing(bool hasLeft, bool hasRight);
  /// Copies the slices of each step of the tile at `place` to slots of `ring`, made with the same
  /// factors.
  void copyTile(const TilePlace &place, const WgmmaSteps &steps, mlir::Value ring, bool hasLeft,
                bool hasRight);

private:
  /// A factor as it is copied.
  struct Factor {
    const ProductOperand *operand = nullptr;
    /// Of the memory, the outermost first.
    llvm::SmallVector<MapDim, 5> dims;
    mlir::Value memory;
    /// Of the memory's dimensions, those that a buffer has, and the buffer: [rows, terms], or,
    /// where terms are not side by side in memory, [terms, rows].
    llvm::SmallVector<int64_t> tiled;
    tile::SharedType shared;
    /// The buffer as it is copied to, whose rows may be a box of several dimensions.
    tile::SharedType box;
    bool alongTerms = false;
    /// Of a factor that is looked up, the part whose it is.
    const WgmmaPart *lookedUp = nullptr;
  };
  /// A factor's columns from `column` of the tile's place on, in right buffer `buffer` from
  /// `offset` on.
  struct RightFactor {
    Factor factor;
    int64_t column = 0, buffer = 0, offset = 0;
  };
  Factor makeFactor(const ProductOperand &operand, llvm::ArrayRef<SpannedAxis> spanned,
                    int64_t extent, const WgmmaPart *lookedUp = nullptr);
  void copyRights(const TilePlace &at, llvm::ArrayRef<mlir::Value> numbers,
                  mlir::ValueRange buffers);
  mlir::Value indexAt(const MapIndex &index, const TilePlace &at);
  void copyFactor(const Factor &factor, const TilePlace &at, mlir::Value buffer);
  int64_t numRightBuffers() const { return std::max(tile.groups(), tile.rightPieces); }

  ThreadBuilder &b;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  llvm::ArrayRef<mlir::Value> sizes;
  /// Pieces of the left one; pieces of the right one, or of each part what groups of columns have.
  llvm::SmallVector<Factor, 3> lefts;
  llvm::SmallVector<RightFactor, 3> rights;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMACOPIES_H
