// Strategy "flash": attention of many rows, whose scores never reach memory.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHSTRATEGY_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHSTRATEGY_H

#include "../Attention/AttentionProgram.h"

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Attention (AttentionProgram) of known sizes, depth and columns up to 256, as a tile program:
/// with queries, keys and values of bf16 or f16 by the chip's matrix instructions, others by fma.
///
/// Schedule: `m` rows of a tile of queries, `n` keys of a block.
extern const Strategy flashStrategy;

/// On the products of an attention that no kernel computes as a whole: why not, for explanations.
inline constexpr llvm::StringLiteral kNoAttentionAttr = "forge.no_attention";

/// Whether a kernel of these operations, on tensors, can be one of strategy flash; says why not.
bool isFlashAttention(const AttentionProgram &program, const GPUChip &chip, WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHSTRATEGY_H
