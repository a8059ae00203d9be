// Which of several prefills takes the next tokens of prompts.
#ifndef FORGE_GENERATE_CHOOSEPREFILL_H
#define FORGE_GENERATE_CHOOSEPREFILL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace forge {

/// What runs of prefills cost, in rows of products: a token of each of `batch` sequences is `batch`
/// rows, fewer than `weights` take as long as reading the weights does, and the launches of a run
/// take as long as `launches` rows.
struct PrefillCosts {
  int64_t batch = 1, weights = 0, launches = 0;

  /// For `batch` sequences on a CPU or a GPU. The GPU's are those of a model of 8B parameters, as
  /// `forge explain` predicts them for an H200; the CPU's were measured with a small one.
  static PrefillCosts of(bool isCPU, int64_t batch) {
    return isCPU ? PrefillCosts{batch, 16, 8} : PrefillCosts{batch, 192, 32};
  }
  int64_t ofRun(int64_t length) const { return std::max(length * batch, weights) + launches; }
};

/// The number of the one among `lengths` (tokens of a sequence that each takes, falling, one or
/// more) that is run next where the longest prompt has `left` tokens left, so that all runs
/// together cost the least. Of equal costs it is the one of fewer runs.
size_t choosePrefill(std::span<const int64_t> lengths, int64_t left, const PrefillCosts &costs);

/// What all runs cost. `lengths` may be empty: then it is more than anything else costs.
int64_t prefillCost(std::span<const int64_t> lengths, int64_t left, const PrefillCosts &costs);

} // namespace forge

#endif // FORGE_GENERATE_CHOOSEPREFILL_H
