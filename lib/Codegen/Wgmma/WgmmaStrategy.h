// Strategy "wgmma": products of matrices on Hopper's matrix units.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMASTRATEGY_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMASTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Products of bf16 or f16 matrices with sums in f32, or pairs of them with one left factor, with
/// any elementwise operation that follows, on chips with a tensor memory accelerator and products
/// by warpgroups (sm_90a).
///
/// Schedule: `m` rows and `n` columns of a tile, `k` terms of a stage, `stages`; the columns of a
/// pair are those of both, side by side.
extern const Strategy wgmmaStrategy;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMASTRATEGY_H
