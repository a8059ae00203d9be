// Text as token ids and back, as the files of a checkpoint describe it. No MLIR.
#ifndef FORGE_TOKENIZER_TOKENIZER_H
#define FORGE_TOKENIZER_TOKENIZER_H

#include "forge/Support/Result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge {
namespace tokenizer {
struct SentencePieceFiles;
} // namespace tokenizer

/// The pipeline of a tokenizer.json: added tokens, normalizer, pre-tokenizer, model (BPE or
/// WordPiece), post-processor and decoder. Truncation and padding are not applied.
class Tokenizer {
public:
  /// From the text of the file. Errors name the key, what was expected and what came.
  static Result<Tokenizer> parse(std::string_view text);
  /// From the bytes of a tokenizer.model alone. Errors name the field.
  static Result<Tokenizer> parseSentencePiece(std::string_view model);
  /// From the bytes of a GGUF file, as loadFolder. Errors name the key of its metadata.
  static Result<Tokenizer> parseGguf(std::string_view bytes);
  /// From tokenizer.json of a folder in Hugging Face form; where tokenizer_config.json names the
  /// class LlamaTokenizer, as transformers 5 reads it; without that file from tokenizer.model,
  /// which SentencePiece's library encodes and decodes by (LlamaTokenizer and GemmaTokenizer of
  /// transformers 4, with `use_fast=False`). In the place of the folder there may be a
  /// GGUF file whose metadata has a vocabulary: of `gpt2` (byte-level BPE, of the pre-tokenizers
  /// gpt-2, llama-bpe, qwen2 and smollm) or `llama` (SentencePiece's BPE by scores). Errors start
  /// with the file's path.
  static Result<Tokenizer> loadFolder(const std::string &folder);
  /// Whether the folder or GGUF file has one.
  static bool isIn(const std::string &folder);

  /// The ids of a text in UTF-8, with those that the post-processor puts around them unless
  /// `addSpecial` is false.
  Result<std::vector<int32_t>> encode(std::string_view text, bool addSpecial = true) const;
  /// The text of ids, in UTF-8: bytes that are none become U+FFFD. Ids without a token have no
  /// text.
  Result<std::string> decode(const std::vector<int32_t> &ids, bool skipSpecial = false) const;

  std::optional<int32_t> idOf(std::string_view token) const;
  /// Whether the id is of an added token that is marked as special.
  bool isSpecial(int32_t id) const;
  /// One more than the largest id.
  int64_t idLimit() const;

  Tokenizer(Tokenizer &&) noexcept;
  Tokenizer &operator=(Tokenizer &&) noexcept;
  ~Tokenizer();

private:
  struct Impl;
  explicit Tokenizer(std::unique_ptr<Impl> impl);
  static Result<Tokenizer> fromJson(const nlohmann::json &object);
  static Result<Tokenizer> loadSentencePiece(const std::string &folder);
  static Result<Tokenizer> fromSentencePiece(const tokenizer::SentencePieceFiles &files);
  std::unique_ptr<Impl> impl;
};

} // namespace forge

#endif // FORGE_TOKENIZER_TOKENIZER_H
