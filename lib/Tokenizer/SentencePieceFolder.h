// A folder whose tokenizer is SentencePiece's file tokenizer.model.
#ifndef FORGE_LIB_TOKENIZER_SENTENCEPIECEFOLDER_H
#define FORGE_LIB_TOKENIZER_SENTENCEPIECEFOLDER_H

#include "Stages.h"
#include "Vocabulary.h"

#include <nlohmann/json.hpp>

namespace forge::tokenizer {

/// The files of such a folder.
struct SentencePieceFiles {
  std::string_view model;                                  ///< the bytes of tokenizer.model
  nlohmann::json config = nlohmann::json::object();        ///< tokenizer_config.json
  nlohmann::json specialTokens = nlohmann::json::object(); ///< special_tokens_map.json
  nlohmann::json addedTokens = nlohmann::json::object();   ///< added_tokens.json
};

struct SentencePieceParts {
  PreTokenizer preTokenizer;
  std::unique_ptr<Model> model;
  Decoder decoder;
  /// added_tokens and post_processor, as in a tokenizer.json.
  nlohmann::json stages;
};

/// Tokens are added, and found in a text, as by the slow tokenizers of transformers 4
/// (LlamaTokenizer, GemmaTokenizer); what is between them is SentencePiece's. Errors name the file,
/// and its key or field.
Result<SentencePieceParts> readSentencePiece(const SentencePieceFiles &files);

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_SENTENCEPIECEFOLDER_H
