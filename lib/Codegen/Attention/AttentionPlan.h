// How attention of a few queries is spread over threads.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONPLAN_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONPLAN_H

#include "AttentionProgram.h"

#include "forge/Codegen/Strategy.h"

#include "forge/Codegen/Schedule.h"

namespace forge {

/// The most rows of one outer place: with more, matrix units are faster than one thread's products.
inline constexpr int64_t kMostAttentionRows = 8;

/// `pieces` blocks, a cluster if there are several, share the keys of one outer place: block p
/// takes the p-th, the (p + pieces)-th ... of the chunks of `keys` keys.
struct AttentionPlan {
  int64_t keys = 0;
  int64_t pieces = 1;
  int64_t threads = 256;
};

/// Elements of one access of 16 bytes (of 8 bits and several rows 8), and the threads that share
/// one key, or one key's value.
struct AttentionLanes {
  int64_t keyVector = 0, keyThreads = 0, valueVector = 0, valueThreads = 0;

  explicit AttentionLanes(const AttentionProgram &program);
};

/// Bytes of shared memory of a block.
int64_t sharedBytesOf(const AttentionProgram &program, const AttentionPlan &plan,
                      const GPUChip &chip);

/// Places of the outer axes, as far as they are known.
int64_t numPlaces(const AttentionProgram &program);

/// Why a kernel of this strategy cannot compute `program`; null if it can.
const char *whyNoAttention(const AttentionProgram &program, const GPUChip &chip);

AttentionPlan planAttention(const AttentionProgram &program, const GPUChip &chip,
                            ScheduleAttr given = {});

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONPLAN_H
