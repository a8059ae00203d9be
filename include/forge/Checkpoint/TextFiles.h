// The files of a checkpoint beside its weights: what it is, and how its texts become tokens. No
// MLIR.
#ifndef FORGE_CHECKPOINT_TEXTFILES_H
#define FORGE_CHECKPOINT_TEXTFILES_H

#include "forge/Support/Result.h"

#include <string>
#include <utility>
#include <vector>

namespace forge {

/// Those that a folder in Hugging Face form may have.
inline constexpr const char *kTextFiles[] = {
    "config.json",           "generation_config.json",  "tokenizer.json",    "tokenizer.model",
    "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "chat_template.jinja"};

/// What a GGUF file is called without its tensors.
inline constexpr const char *kGgufTextFile = "model.gguf";

/// Name and bytes.
using TextFiles = std::vector<std::pair<std::string, std::string>>;

/// Those that a folder has, or of a GGUF file that file without its tensors: it stands for the
/// checkpoint where its texts are meant. Fails above 100 MB a file.
Result<TextFiles> readTextFiles(const std::string &checkpoint);

} // namespace forge

#endif // FORGE_CHECKPOINT_TEXTFILES_H
