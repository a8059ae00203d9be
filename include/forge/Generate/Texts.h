// What a checkpoint has for turning text into tokens and back. No MLIR.
#ifndef FORGE_GENERATE_TEXTS_H
#define FORGE_GENERATE_TEXTS_H

#include "forge/Chat/ChatTemplate.h"
#include "forge/Generate/EndOfText.h"
#include "forge/Tokenizer/Tokenizer.h"

namespace forge {

class Texts {
public:
  /// Of a folder in Hugging Face form or a GGUF file. If its tokenizer cannot be read, texts are
  /// token ids only, which is an error if `wanted`.
  static Result<Texts> load(const std::string &checkpoint, bool wanted);

  /// Null where there is none.
  const Tokenizer *tokenizer() const { return known ? &*known : nullptr; }
  /// Why a tokenizer that is there cannot be read; empty otherwise.
  const std::string &problem() const { return why; }
  const GenerationTokens &special() const { return tokens; }
  /// The text that the checkpoint's template makes of messages, a list of
  /// {"role": ..., "content": ...}. The template is read when it is first wanted.
  Result<std::string> chat(const nlohmann::ordered_json &messages);

private:
  explicit Texts(std::string checkpoint) : checkpoint(std::move(checkpoint)) {}

  std::string checkpoint, why;
  std::optional<Tokenizer> known;
  GenerationTokens tokens;
  std::optional<ChatTemplate> chatTemplate;
};

} // namespace forge

#endif // FORGE_GENERATE_TEXTS_H
