// The vocabulary in the metadata of a GGUF file, as a tokenizer.json.
#ifndef FORGE_LIB_TOKENIZER_GGUFVOCABULARY_H
#define FORGE_LIB_TOKENIZER_GGUFVOCABULARY_H

#include "forge/Support/Result.h"

#include <nlohmann/json.hpp>

namespace forge::tokenizer {

/// Fails on keys that are missing or not understood: the message names the key, what was expected
/// and what came.
Result<nlohmann::json> describeGguf(const nlohmann::json &metadata);

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_GGUFVOCABULARY_H
