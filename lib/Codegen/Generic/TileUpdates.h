// The updates of a chunk that are a block's own, by the row they go to: a list in shared memory.
#ifndef FORGE_LIB_CODEGEN_GENERIC_TILEUPDATES_H
#define FORGE_LIB_CODEGEN_GENERIC_TILEUPDATES_H

#include "LoopEmitter.h"

namespace forge {

/// Updates that a block looks at before it does those among them that are its own. A power of two.
inline constexpr int64_t kChunk = 4096;

/// The key of update u of a chunk, which goes to row r of the tile, is r * kChunk + u.
class TileUpdates : protected LoopEmitter {
protected:
  /// Inserts before `root`, which the code replaces, for blocks of `threads` threads.
  TileUpdates(mlir::Operation *root, int64_t threads)
      : LoopEmitter(root), threads(threads), zero(constant(0)), one(constant(1)) {}

  void allocateShared(int64_t mostRows);

  /// The sum of `count` of this thread and those before it; `counts` holds it for all.
  Value addUp(Value count);

  /// Puts the first `total` keys, an i32 of at least 1, in order. All threads see the result.
  void sortKeys(Value total);

  /// Where the sorted keys of each of `rows` rows begin, and where those of the last end.
  void findRows(Value total, Value rows);

  int64_t threads;
  Value zero, one, thread;
  /// In shared memory: of each thread; of the chunk's updates that are the tile's; of each row.
  Value counts, keys, begins;

private:
  void sortFew(Value total);
  void sortMany(Value total);
  void exchange(Value pair, Value distance, Value run);
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_TILEUPDATES_H
