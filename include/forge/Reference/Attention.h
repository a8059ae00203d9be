// Attention, over keys in one tensor and over keys in pages. No MLIR.
#ifndef FORGE_REFERENCE_ATTENTION_H
#define FORGE_REFERENCE_ATTENTION_H

#include "forge/Reference/Elements.h"

#include <functional>
#include <optional>

namespace forge::reference {

/// What attention does with its scores. Pointers may be null; they are not owned.
struct AttentionOptions {
  /// Factor of every score; 1 / sqrt(D) unless given.
  std::optional<double> scale = {};
  /// A query sees no key after its own position.
  bool causal = false;
  /// A query sees the keys less than this far from its position.
  std::optional<int64_t> window = {};
  /// Scores become softCap * tanh(score / softCap).
  std::optional<double> softCap = {};
  /// Truth values that keep a score, or numbers added to it, [B|1, Hq|1, S|1, T|1].
  const HostTensor *mask = nullptr;
  /// Weights are rounded to the type of the values before the weighted sum; in gradients, what
  /// follows from them is where it is a factor.
  bool roundsWeights = false;
  /// Keys of each sequence, [B]; clamped to [0, T]. All T unless given.
  const HostTensor *lengths = nullptr;
  /// Position of each sequence's first query, [B]. Its number of keys - S unless given.
  const HostTensor *offsets = nullptr;
  /// One more logit per query head, [Hq].
  const HostTensor *sinks = nullptr;
  /// A score and its batch, query head, query and key to the score that counts instead.
  using ScoreFunction = std::function<Result<double>(double, int64_t, int64_t, int64_t, int64_t)>;
  ScoreFunction score = {};
  /// The derivative of `score` by the score it is given. Only gradients ask for it.
  ScoreFunction slope = {};
  /// An element of a table that `score` reads for a score: its place in row-major order, and the
  /// derivative of `score` by it.
  struct Read {
    int64_t place;
    double slope;
  };
  /// What `score` reads for a score, one element of each of `tables`. Only gradients ask for it.
  std::function<Result<std::vector<Read>>(double, int64_t, int64_t, int64_t, int64_t)> reads = {};
  std::vector<const HostTensor *> tables = {};
};

struct AttentionResult {
  HostTensor result;
  /// log(sum(exp(scores))) of every row, [B, Hq, S]; -inf for a row that sees nothing.
  HostTensor lse;
};

/// result[b, h, s, :] = sum over t of softmax(scores[b, h, s, :])[t] * value[b, g, t, :] with
/// g = h / (Hq / Hkv), for query [B, Hq, S, D], key [B, Hkv, T, D], value [B, Hkv, T, Dv]. Scores
/// are, in this order: scaled products, capped, changed by `score`, masked. A row that sees no key
/// is zero. `result` has the query's element type, `lse` has `lseType`.
/// Source: Vaswani et al., "Attention is all you need", 2017; grouped heads: Ainslie et al., "GQA",
/// 2023; soft caps: Gemma 2, 2024; sinks: gpt-oss, 2025.
Result<AttentionResult> attention(const HostTensor &query, const HostTensor &key,
                                  const HostTensor &value, const AttentionOptions &options,
                                  DType lseType);

/// Its result alone.
Result<HostTensor> attention(const HostTensor &query, const HostTensor &key,
                             const HostTensor &value, const AttentionOptions &options);

/// The same over keys [P, Hkv, R, D] and values [P, Hkv, R, Dv] in pages: key t of sequence b lies
/// in page table[b, t / R] (clamped to [0, P - 1]), row t mod R. `options.lengths` must be given.
/// Source: Kwon et al., "Efficient memory management for LLM serving with PagedAttention", 2023.
Result<AttentionResult> pagedAttention(const HostTensor &query, const HostTensor &keyPages,
                                       const HostTensor &valuePages, const HostTensor &table,
                                       const AttentionOptions &options, DType lseType);

} // namespace forge::reference

#endif // FORGE_REFERENCE_ATTENTION_H
