// The gradients of attention. No MLIR. In double, rounded once.
#ifndef FORGE_REFERENCE_ATTENTIONGRAD_H
#define FORGE_REFERENCE_ATTENTIONGRAD_H

#include "forge/Reference/Attention.h"

namespace forge::reference {

struct AttentionGradients {
  HostTensor query, key, value;
  /// Where the options have a mask of numbers, and sinks.
  std::optional<HostTensor> mask, sinks;
  /// As many as the options have tables.
  std::vector<HostTensor> tables;
};

/// The gradients of attention by its operands, from the cotangents of its result [B, Hq, S, Dv]
/// and, if not null, of its lse [B, Hq, S]. For each query, with weights w and dw[t] = cotangent .
/// value[t]: the gradient of score t is w[t] * (dw[t] - sum(w * dw) + the lse's cotangent), and
/// goes on through the slope of the score function, cap and scale to query and key; the element of
/// a table that was read for the score gets it times the derivative by the element. An error for a
/// score function without its slope, and for a place outside of a table. Source: Dao et al.,
/// FlashAttention, 2022, appendix B.
Result<AttentionGradients> attentionGrad(const HostTensor &cotangent,
                                         const HostTensor *lseCotangent, const HostTensor &query,
                                         const HostTensor &key, const HostTensor &value,
                                         const AttentionOptions &options);

} // namespace forge::reference

#endif // FORGE_REFERENCE_ATTENTIONGRAD_H
