// Which of several prefills takes the next tokens of prompts.
#ifndef FORGE_GENERATE_CHOOSEPREFILL_H
#define FORGE_GENERATE_CHOOSEPREFILL_H

#include <cstddef>
#include <cstdint>
#include <span>

namespace forge {

/// The number of the one among `lengths` (tokens of a sequence that each takes, falling, one or
/// more) that is run next where the longest prompt has `left` tokens left, so that all runs
/// together cost the least: a run of S tokens costs S and `overhead`, what reading the weights
/// costs in tokens. Of equal costs it is the one of fewer runs.
size_t choosePrefill(std::span<const int64_t> lengths, int64_t left, int64_t overhead);

/// What all runs cost. `lengths` may be empty: then it is more than anything else costs.
int64_t prefillCost(std::span<const int64_t> lengths, int64_t left, int64_t overhead);

/// What reading the weights costs, in rows: with as many the arithmetic of products takes about as
/// long.
inline int64_t prefillOverhead(bool isCPU) { return isCPU ? 16 : 256; }

} // namespace forge

#endif // FORGE_GENERATE_CHOOSEPREFILL_H
