// Strategy "flash": attention of many rows, whose scores never reach memory.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHSTRATEGY_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHSTRATEGY_H

#include "../Attention/AttentionProgram.h"

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Attention (AttentionProgram) of known sizes with queries, keys and values of bf16 or f16, depth
/// and columns up to 256, on chips with products of warpgroups, as a tile program.
///
/// Schedule: `m` rows of a tile of queries, `n` keys of a block.
extern const Strategy flashStrategy;

/// Whether a kernel of these operations, on tensors, can be one of strategy flash.
bool isFlashAttention(const AttentionProgram &program, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHSTRATEGY_H
