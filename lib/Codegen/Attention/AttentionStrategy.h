// Strategy "attention": scores, softmax and weighted sum of a few queries in one kernel.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONSTRATEGY_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONSTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Attention of 1 to 8 rows for each key head (decoding: the query heads of a group, times new
/// tokens), with any mask, cap or bias on the scores, that reads keys and values once; sums in f32.
///
/// Schedule: `keys` of a chunk, `split_kv`, the blocks that share the keys, and `threads` of a
/// block.
extern const Strategy attentionStrategy;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONSTRATEGY_H
