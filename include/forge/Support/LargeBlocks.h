// Large blocks of host memory, which are kept for the next ones when they are released. No MLIR.
#ifndef FORGE_SUPPORT_LARGEBLOCKS_H
#define FORGE_SUPPORT_LARGEBLOCKS_H

#include "forge/Support/HugePages.h"

namespace forge {

/// Smaller blocks are malloc's, which keeps them itself.
inline constexpr size_t kLargeBlock = 2 * kHugePage;

/// `bytes`, at least kLargeBlock, aligned to a huge page and in huge pages; undefined content. Null
/// where there is not as much memory. The system clears each page that it gives, one of the
/// slowest things that a model does with results of hundreds of MB: what was released before is
/// given first. Safe to call from several threads.
void *takeLargeBlock(size_t bytes);

/// Gives back what takeLargeBlock gave. Kept are at most as many bytes as are in use, or 256 MB,
/// and never more than a sixteenth of the machine's memory; nothing under AddressSanitizer, which
/// looks for uses of what was released. False, and nothing is done, of another pointer.
bool releaseLargeBlock(void *pointer);

/// Bytes of released blocks that are kept.
size_t keptLargeBlockBytes();

/// Gives what is kept back to the system.
void dropLargeBlocks();

} // namespace forge

#endif // FORGE_SUPPORT_LARGEBLOCKS_H
