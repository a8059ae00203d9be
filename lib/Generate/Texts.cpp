#include "forge/Generate/Texts.h"

using namespace forge;

Result<Texts> Texts::load(const std::string &checkpoint, bool wanted) {
  Texts texts(checkpoint);
  if (wanted || Tokenizer::isIn(checkpoint)) {
    Result<Tokenizer> loaded = Tokenizer::loadFolder(checkpoint);
    if (loaded)
      texts.known.emplace(std::move(*loaded));
    else if (wanted)
      return loaded.error();
    else
      texts.why = loaded.error().message;
  }
  Result<GenerationTokens> special = readGenerationTokens(checkpoint);
  if (!special)
    return special.error();
  texts.tokens = std::move(*special);
  return texts;
}

Result<std::string> Texts::chat(const nlohmann::ordered_json &messages) {
  if (!chatTemplate) {
    Result<ChatTemplate> loaded = ChatTemplate::loadFolder(checkpoint);
    if (!loaded)
      return loaded.error();
    chatTemplate.emplace(std::move(*loaded));
  }
  return chatTemplate->apply(messages);
}
