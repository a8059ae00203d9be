// Large blocks of host memory, which are kept for the next ones when they are released. No MLIR.
#ifndef FORGE_SUPPORT_LARGEBLOCKS_H
#define FORGE_SUPPORT_LARGEBLOCKS_H

#include "forge/Support/HugePages.h"

namespace forge {

/// Smaller blocks are malloc's, which keeps them itself.
inline constexpr size_t kLargeBlock = 2 * kHugePage;

/// `bytes`, at least kLargeBlock, aligned to a huge page and in huge pages; undefined content. Null
/// where there is not enough memory. Prefers blocks that were released: the kernel zeroes every
/// page that it hands out, which takes a tenth of the time of a model with results of hundreds of
/// MB. Thread-safe.
void *takeLargeBlock(size_t bytes);

/// Releases a block of takeLargeBlock; returns false, and does nothing, if `pointer` is not one.
/// Keeps at most as many bytes as are in use, or 256 MB, and at most a sixteenth of the machine's
/// memory. Keeps nothing under AddressSanitizer, so that uses after release are found. (mallopt
/// could keep blocks, too, but for the whole process, which may be Python's.)
bool releaseLargeBlock(void *pointer);

/// Bytes of released blocks that are kept.
size_t keptLargeBlockBytes();

/// Gives what is kept back to the system.
void dropLargeBlocks();

} // namespace forge

#endif // FORGE_SUPPORT_LARGEBLOCKS_H
