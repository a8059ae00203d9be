// SentencePiece's library, of which no header is seen outside SentencePieceLibrary.cpp: Debian has
// it as a shared library only, so that a program for another Linux is linked with
// NoSentencePieceLibrary.cpp in its place.
#ifndef FORGE_LIB_TOKENIZER_SENTENCEPIECELIBRARY_H
#define FORGE_LIB_TOKENIZER_SENTENCEPIECELIBRARY_H

#include "forge/Support/Result.h"

#include <memory>
#include <string_view>
#include <vector>

namespace forge::tokenizer {

class SentencePieceLibrary {
public:
  /// Of a serialized model, which SentencePieceModel has checked: the library trusts its input.
  static Result<std::unique_ptr<SentencePieceLibrary>> load(const std::string &model);
  virtual ~SentencePieceLibrary() = default;

  /// The ids of a text in UTF-8.
  virtual Result<std::vector<int>> encode(std::string_view text) const = 0;
  /// The text of pieces; what is no piece is its own text.
  virtual Result<std::string> decode(const std::vector<std::string> &pieces) const = 0;
};

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_SENTENCEPIECELIBRARY_H
