// Strategy "wgmma": products of matrices on Hopper's matrix units.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMASTRATEGY_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMASTRATEGY_H

#include "../Library/LibraryProduct.h"

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Products of bf16 or f16 matrices with sums in f32, with bias, residual and activation, on chips
/// with a tensor memory accelerator and products by warpgroups (sm_90a).
///
/// The tile of a schedule: {rows of a tile, columns of a tile, terms of a stage, stages}.
extern const Strategy wgmmaStrategy;

/// Whether strategy "wgmma" takes `product`, on tensors or buffers, on this chip.
bool takesProduct(const LibraryProduct &product, const GPUChip &chip);

/// Whether a kernel of strategy "wgmma" was measured to be faster than cuBLASLt at products of this
/// kind (docs/gpu-h200.md).
bool beatsLibrary(const LibraryProduct &product, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMASTRATEGY_H
