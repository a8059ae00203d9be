// Scaled dot-product attention. No MLIR.
#ifndef FORGE_REFERENCE_ATTENTION_H
#define FORGE_REFERENCE_ATTENTION_H

#include "forge/Reference/Elements.h"

#include <optional>

namespace forge::reference {

struct AttentionOptions {
  /// Factor of the scores; 1 / sqrt(D) when absent.
  std::optional<double> scale;
  /// Query s sees the keys t <= s + T - S.
  bool causal = false;
  /// [B, Hq, S, T], each dimension of which may be 1: true (i1) keeps a score, a float is added.
  const HostTensor *mask = nullptr;
};

/// softmax(scale * query . key + mask) . value for query [B, Hq, S, D], key [B, Hkv, T, D] and
/// value [B, Hkv, T, Dv], Hq a multiple of Hkv (Vaswani et al., 2017; grouped heads: Ainslie et
/// al., GQA, 2023). The result is [B, Hq, S, Dv] of the query's type, computed in double and
/// rounded once. A row that sees no key is zero.
Result<HostTensor> attention(const HostTensor &query, const HostTensor &key,
                             const HostTensor &value, const AttentionOptions &options);

} // namespace forge::reference

#endif // FORGE_REFERENCE_ATTENTION_H
