// What builders of attention by matrix instructions of warps, or by fma, share: both products on
// what is in shared memory, the queries in registers, and parts of the keys.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_WARPPRODUCTS_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_WARPPRODUCTS_H

#include "FlashBuilder.h"

namespace forge {

class WarpProducts : protected FlashBuilder {
protected:
  using State = OnlineSoftmax::State;

  WarpProducts(mlir::func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
               const GPUChip &chip);

  /// Sets the grid and the warps of the kernel, and gives the block's tile.
  QueryTile beginBlock();
  /// Of a buffer, `terms` from `term` on, as the instruction takes them.
  mlir::Value fromShared(mlir::Value buffer, int64_t rows, int64_t term, int64_t terms,
                         tile::LayoutAttr layout);
  mlir::Value dot(mlir::Value left, bool transposedLeft, mlir::Value right, bool transposedRight,
                  mlir::Value accumulator);
  /// A tile's queries as the instruction takes them, for all keys.
  mlir::Value queriesInRegisters(const QueryTile &tile);
  /// `queries`: a tile, or a buffer [rows, depth]; `keys`: a buffer [keys, depth].
  mlir::Value scores(mlir::Value queries, mlir::Value keys);
  /// [rows, keys], or transposed, in the lanes in which the instruction takes them.
  mlir::Value inLanesOfRows(mlir::Value weights);
  /// `weights` are in the instruction's lanes. `values`: a buffer [columns, keys], or [keys,
  /// columns] if `byKeys`, which ldmatrix transposes; those of keys at or beyond `end`, an index in
  /// the buffer, count as 0 where it is not null.
  mlir::Value addWeighted(mlir::Value weights, mlir::Value values, bool byKeys, mlir::Value sum,
                          mlir::Value end = {});
  /// Where values end, as an index of keys; null where all that there are count.
  mlir::Value endOfValues(const QueryTile &tile);
  /// Of all blocks of the tile's keys, in parts that `addKeys` computes: from its first block to
  /// before the last one, of which there may be none.
  State addParts(const QueryTile &tile,
                 llvm::function_ref<State(mlir::Value first, mlir::Value end)> addKeys);

  ProductLayouts layouts;
  /// Of what is not weights or scores, of either product.
  tile::LayoutAttr ofRows, ofOthers;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_WARPPRODUCTS_H
