// How many tokens of a sequence the prefills of a decoder take at a time.
#ifndef FORGE_GENERATE_COMPILER_PREFILLLENGTHS_H
#define FORGE_GENERATE_COMPILER_PREFILLLENGTHS_H

#include "forge/Codegen/Target.h"
#include "forge/Pipelines/Phases.h"

#include <span>
#include <string>
#include <vector>

namespace forge {

/// Lengths of prefills, each kind with the longest first.
struct PrefillLengths {
  std::vector<int64_t> together; ///< of all sequences of a batch
  std::vector<int64_t> alone;    ///< of one of them
};

/// For prompts of any length; `batch` is the number of sequences that are computed together. Only
/// sequences that share pages (`paged`) have prefills of one alone.
PrefillLengths prefillLengths(const Target &target, int64_t batch, bool paged);

/// For prompts of so many tokens, of which the first `batch` come together, then the next: one kind
/// of prefills, the one that costs less.
PrefillLengths prefillLengthsFor(const Target &target, int64_t batch, bool paged,
                                 std::span<const int64_t> prompts);

/// The tier of a decoder's function. In tier hybrid prefills of shorter pieces do without the
/// library: loading it takes 0.15 s on an H200, what it saves of such a piece less than a
/// millisecond.
Tier tierOfFunction(const std::string &name, Tier tier);

} // namespace forge

#endif // FORGE_GENERATE_COMPILER_PREFILLLENGTHS_H
