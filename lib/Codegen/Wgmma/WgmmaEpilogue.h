// What becomes of the sums of one tile of a product: the epilogue, on tiles, and stores.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMAEPILOGUE_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMAEPILOGUE_H

#include "AxisMemory.h"
#include "WgmmaCopies.h"

#include "../Hopper/ThreadBuilder.h"
#include "../Strategy/PlacementOnTiles.h"

#include "forge/Dialect/Tile/IR/Tile.h"

namespace forge {

/// Builds the epilogue of a product's tiles, in chunks of 32 or 16 columns: a load behind a store
/// waits for it to be issued, so what registers can hold is loaded early:
/// 1. what does not depend on the column, before the sums are waited for;
/// 2. what depends on the column only, before that too, or a chunk ahead;
/// 3. the rest a chunk ahead, or, where there are too many operands, with its chunk.
class WgmmaEpilogue {
public:
  /// At the top of the kernel, whose memory is cast here. `sizes`: of each axis, i32; `sums`: the
  /// accumulators' layout.
  WgmmaEpilogue(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                llvm::ArrayRef<mlir::Value> sizes, tile::LayoutAttr sums);

  /// Loads of the tile at `place` that come before its sums are waited for.
  void begin(const TilePlace &place);
  /// From the sums, of the columns of all parts, one tile for each group of them, to stores.
  void finish(mlir::ValueRange sums);

private:
  enum class When { First, Ahead, WithChunk };
  /// An operand of the epilogue.
  struct Operand {
    mlir::OpOperand *input;
    /// Nothing where an axis is not whole in it: then its elements are gathered.
    std::optional<AxisMemory> flat;
    bool usesRow = false, usesColumn = false;
    /// Whether two neighbouring columns are one access.
    bool isPaired = false;
    When when = When::First;
    /// Of all columns or, by number, of a chunk: a scalar where it depends on neither rows nor
    /// columns.
    mlir::Value whole;
    llvm::SmallVector<mlir::Value> chunks;
  };

  void addOperand(mlir::OpOperand &input);
  void decideWhen();
  int64_t registersOf(const Operand &operand, int64_t columns) const;
  /// Parts of a tile whose columns are of one matrix: they are chunks of their own.
  int64_t apartParts() const { return tile.apart ? tile.parts : 1; }
  int64_t numChunks() const { return tile.partColumns() / chunkColumns() * apartParts(); }
  /// The first column of a chunk, from the tile's place on. Chunks that a placement reads together
  /// are behind each other.
  int64_t columnOf(int64_t chunk) const {
    return chunk / apartParts() * chunkColumns() + chunk % apartParts() * tile.apart.value_or(0);
  }

  /// Dimensions of a chunk that `memory` has, or those that it lacks.
  llvm::SmallVector<int64_t> dimsOf(const AxisMemory &memory, bool present) const;
  /// Where `memory` is accessed, from `column` columns of the tile on; which of its dimensions the
  /// tile's are; limits, where parts of tiles are outside.
  struct Access {
    llvm::SmallVector<mlir::Value> indices, limits;
    mlir::DenseI64ArrayAttr dims;
  };
  Access accessOf(const AxisMemory &memory, int64_t column);
  mlir::Value load(const Operand &operand, int64_t column, int64_t columns);
  mlir::Value gather(const Operand &operand, int64_t column);
  void loadChunk(When when, int64_t chunk);
  /// Of an operand, the tile of a chunk.
  mlir::Value chunkOf(Operand &operand, int64_t chunk);
  /// The index of each element of a chunk along dimension `dim` of the results, as i32.
  mlir::Value position(unsigned dim, int64_t column);
  mlir::Value evaluate(mlir::AffineExpr expr, int64_t column);
  llvm::SmallVector<mlir::Value> compute(llvm::ArrayRef<mlir::Value> sums, int64_t chunk);
  tile::LayoutAttr storeLayoutOf(mlir::Type element, tile::LayoutAttr sums) const;
  void store(mlir::Value values, const AxisMemory &result, int64_t column);
  /// What puts a chunk's elements to their places, without what depends on the sums.
  PlacementOnTiles beginPlacement(int64_t chunk);
  /// Puts `values`, chunks that a placement reads together, the last of them `lastChunk`, to their
  /// places.
  void finishPlacements(llvm::ArrayRef<mlir::Value> values, int64_t lastChunk);

  mlir::Value index(int64_t value);
  mlir::RankedTensorType chunkType(mlir::Type element) const;
  mlir::Value splat(mlir::Value value);
  int64_t sizeOf(unsigned axis) const { return product.axes().axes[axis].size; }
  bool isDivided(unsigned dim) const;

  /// Columns that are computed and stored at a time: 32 or 16, where a part of a tile is of whole
  /// ones.
  int64_t chunkColumns() const {
    return tile.partColumns() % 32 == 0 ? 32 : tile.partColumns() % 16 == 0 ? 16 : 8;
  }

  ThreadBuilder &b;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  llvm::ArrayRef<mlir::Value> sizes;
  tile::LayoutAttr sumsLayout;
  /// Of a chunk: its extents, the axis of each of its dimensions, and its layout.
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<std::optional<unsigned>> dimAxes;
  tile::LayoutAttr layout;
  /// The loop of the product that each dimension of its sums is of.
  llvm::SmallVector<unsigned> loops;
  llvm::SmallVector<Operand, 4> operands;
  llvm::SmallVector<AxisMemory> results;
  llvm::DenseSet<mlir::Operation *> approximate;
  TilePlace place;
  /// Of each chunk.
  std::vector<PlacementOnTiles> placements;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMAEPILOGUE_H
