// Work on many bytes by several threads, piece by piece.
#ifndef FORGE_SUPPORT_PIECES_H
#define FORGE_SUPPORT_PIECES_H

#include <cstddef>
#include <functional>

namespace forge {

/// Calls `work(worker, i)` for each i below `count`. Workers are numbered from 0, fewer than
/// `mostWorkers`; each takes one number after the other, in a thread of its own, the first in the
/// caller's.
void forEachSideBySide(size_t count, size_t mostWorkers,
                       const std::function<void(size_t worker, size_t i)> &work);

/// Calls `work(worker, offset, size)` for pieces of `pieceBytes`, the last one perhaps shorter,
/// that together are `bytes`, side by side.
void forEachPiece(size_t bytes, size_t pieceBytes, size_t mostWorkers,
                  const std::function<void(size_t worker, size_t offset, size_t size)> &work);

/// How many workers bytes are copied or made up by: as many as there are processors, 16 at most.
size_t copyWorkers();

} // namespace forge

#endif // FORGE_SUPPORT_PIECES_H
