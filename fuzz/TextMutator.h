// Changes to MLIR text that a change of bytes seldom makes.
#ifndef FORGE_FUZZ_TEXTMUTATOR_H
#define FORGE_FUZZ_TEXTMUTATOR_H

#include <cstddef>
#include <cstdint>

namespace forge::fuzz {

/// Changes the text in `data` in place and gives its new size, at most `maxSize`:
///  - a number becomes one at the edge of what fits, or one beside it;
///  - a word, as a type, an attribute or the name of an op, becomes another word of the text;
///  - a line is removed, doubled, or changes places with another.
/// The same `seed` makes the same change. For LLVMFuzzerCustomMutator, which must be defined in the
/// fuzzer itself.
size_t mutateText(uint8_t *data, size_t size, size_t maxSize, unsigned seed);

} // namespace forge::fuzz

#endif // FORGE_FUZZ_TEXTMUTATOR_H
