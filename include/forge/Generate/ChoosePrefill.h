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

} // namespace forge

#endif // FORGE_GENERATE_CHOOSEPREFILL_H
