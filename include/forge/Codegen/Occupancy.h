// How many blocks of a kernel a multiprocessor runs at once.
#ifndef FORGE_CODEGEN_OCCUPANCY_H
#define FORGE_CODEGEN_OCCUPANCY_H

#include "forge/Codegen/Target.h"

namespace forge {

/// What one block takes: threads, registers of a thread, and bytes of shared memory, static and
/// dynamic.
struct BlockResources {
  int64_t threads = 0, registers = 0, sharedBytes = 0;
};

/// Blocks and warps that a multiprocessor (AMD: compute unit; of gfx1100 a workgroup processor)
/// runs at once, the most warps it can run, and what limits the blocks: "warps", "blocks",
/// "registers" or "shared memory".
struct Occupancy {
  int64_t blocks = 0, warps = 0, mostWarps = 0;
  llvm::StringLiteral limit = "";
};

/// No blocks where one takes more than there is. Where several limits are equal, the first of
/// these.
Occupancy occupancyOf(const BlockResources &block, const GPUChip &chip);

} // namespace forge

#endif // FORGE_CODEGEN_OCCUPANCY_H
