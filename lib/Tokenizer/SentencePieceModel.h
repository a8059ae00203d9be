// What a SentencePiece model (the file tokenizer.model) says that encoding and decoding need.
#ifndef FORGE_LIB_TOKENIZER_SENTENCEPIECEMODEL_H
#define FORGE_LIB_TOKENIZER_SENTENCEPIECEMODEL_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge::tokenizer {

/// Names and numbers are those of sentencepiece_model.proto.
struct SentencePieceModel {
  enum PieceType : uint8_t {
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6
  };
  struct Piece {
    std::string text;
    float score = 0;
    PieceType type = Normal;
  };

  /// The file's bytes, checked as far as SentencePiece itself does not: what comes back is safe to
  /// be given to it. Errors name the field, what was expected and what came.
  static Result<SentencePieceModel> parse(std::string_view bytes);
  /// As a file: what is not in this struct is left out.
  std::string serialize() const;

  /// The place of a piece of this type and text.
  std::optional<size_t> find(std::string_view text, PieceType type) const;
  const std::string &unknown() const;

  std::vector<Piece> pieces;
  /// trainer_spec
  uint64_t modelType = 1; ///< UNIGRAM, BPE, WORD, CHAR
  bool treatWhitespaceAsSuffix = false, byteFallback = false;
  std::optional<std::string> unkSurface;
  std::string bosPiece = "<s>", eosPiece = "</s>";
  /// normalizer_spec
  std::string precompiledCharsmap;
  bool addDummyPrefix = true, removeExtraWhitespaces = true, escapeWhitespaces = true;
  /// How many times as many bytes a text may have after normalization.
  size_t growth = 3;
};

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_SENTENCEPIECEMODEL_H
