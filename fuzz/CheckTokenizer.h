// What holds for every tokenizer, whatever file it was read from.
#ifndef FORGE_FUZZ_CHECKTOKENIZER_H
#define FORGE_FUZZ_CHECKTOKENIZER_H

#include "forge/Tokenizer/Tokenizer.h"

namespace forge {

/// The ids of a text are in the vocabulary and decode to text that can be encoded, or there is an
/// error of one line; otherwise the process is aborted.
void checkTokenizer(const Result<Tokenizer> &tokenizer, std::string_view text);

} // namespace forge

#endif // FORGE_FUZZ_CHECKTOKENIZER_H
