// One thread's code of attention of a few queries.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONEMITTER_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONEMITTER_H

#include "AttentionBuilder.h"
#include "AttentionPlan.h"

namespace forge {

/// What a block's threads have after all its keys: each warp the largest logits and sums of its
/// rows (warp, warp + number of warps ...), each thread weighted sums of its columns, row by row,
/// of the keys that it took.
struct AttentionPartials {
  llvm::SmallVector<mlir::Value> largest, sums, weighted;
};

/// Joins the partial sums of the threads of a block, and of the blocks of a cluster, computes what
/// follows, and stores the results.
void emitAttentionResults(AttentionBuilder &b, const AttentionProgram &program,
                          const AttentionPlan &plan, const GPUChip &chip, const AttentionThread &at,
                          const AttentionPartials &partials);

/// Emits at `b`, on memrefs, what a thread does.
void emitAttention(AttentionBuilder &b, const AttentionProgram &program, const AttentionPlan &plan,
                   const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONEMITTER_H
