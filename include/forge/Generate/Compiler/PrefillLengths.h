// How many tokens of a sequence the prefills of a decoder take at a time.
#ifndef FORGE_GENERATE_COMPILER_PREFILLLENGTHS_H
#define FORGE_GENERATE_COMPILER_PREFILLLENGTHS_H

#include "forge/Codegen/Target.h"

#include <span>
#include <vector>

namespace forge {

/// The lengths of prefills for prompts of any length, the longest first; `batch` is the number of
/// sequences that are computed together.
std::vector<int64_t> prefillLengths(const Target &target, int64_t batch);

/// The same where prompts are known: `prompts` has the tokens of the longest prompt of each batch.
std::vector<int64_t> prefillLengthsFor(const Target &target, int64_t batch,
                                       std::span<const int64_t> prompts);

} // namespace forge

#endif // FORGE_GENERATE_COMPILER_PREFILLLENGTHS_H
