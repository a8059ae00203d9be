// Elementwise operations that read an operand across memory: tiles of it go through the memory of
// a block.
#ifndef FORGE_LIB_CODEGEN_GENERIC_TRANSPOSITION_H
#define FORGE_LIB_CODEGEN_GENERIC_TRANSPOSITION_H

#include "ThreadTile.h"

namespace forge {

/// A block computes `tileAlong` by `tileAcross` elements.
struct Transposition {
  /// The loop that is innermost in the outputs.
  unsigned along = 0;
  /// The loops that are innermost in `inputs`, outermost first: more than one where the last is
  /// short. Together they are the tile's other side.
  llvm::SmallVector<unsigned, 2> across;
  int64_t tileAlong = 1, tileAcross = 1;
  /// Elements that a thread reads or stores at once.
  int64_t lanes = 1;
  /// Inputs of which a tile is read along their memory, by number; and operations of the body that
  /// read an element of a tensor or buffer at computed indices, likewise.
  llvm::SmallVector<unsigned, 2> inputs;
  llvm::SmallVector<mlir::Operation *, 2> reads;
};

/// How blocks should compute `op`, on tensors or buffers, if it is an elementwise operation of
/// known sizes on many elements that reads an input across memory; nothing for another operation.
std::optional<Transposition> findTransposition(mlir::linalg::LinalgOp op);

/// Replaces `op` (on memrefs) by code for blocks that each compute a tile; `inits` are the scalars
/// its outputs start from, null where that is what they hold. Gives the number of blocks.
mlir::OpFoldResult emitTransposedTiles(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> inits,
                                       int64_t threads, const Transposition &plan);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_TRANSPOSITION_H
