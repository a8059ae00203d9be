// The stages around the model, each read from its part of tokenizer.json. A failure is left in the
// node; what is returned then is never called.
#ifndef FORGE_LIB_TOKENIZER_STAGES_H
#define FORGE_LIB_TOKENIZER_STAGES_H

#include "Node.h"

#include <functional>

namespace forge::tokenizer {

/// A part of the text, and whether the text starts with it.
struct Piece {
  std::string text;
  bool isFirst;
};

/// Makes the text what the model was trained on. Null where there is no normalizer.
using Normalizer = std::function<Result<std::string>(std::string)>;
Normalizer parseNormalizer(const Node &node);
/// Of type Precompiled: by SentencePiece's rules.
Normalizer parsePrecompiled(const Node &node);

/// Cuts pieces into those that the model takes one by one, and may change them.
using PreTokenizer = std::function<Result<std::vector<Piece>>(std::vector<Piece>)>;
PreTokenizer parsePreTokenizer(const Node &node);

/// Puts ids around those of a text.
using PostProcessor = std::function<std::vector<int32_t>(std::vector<int32_t>)>;
PostProcessor parsePostProcessor(const Node &node);

/// Makes tokens texts that are joined to the whole.
using Decoder = std::function<Result<std::vector<std::string>>(std::vector<std::string>)>;
Decoder parseDecoder(const Node &node);

/// U+2581, which takes the place of spaces in many vocabularies.
inline constexpr char kSpaceMark[] = "\xe2\x96\x81";

/// What byte-level vocabularies write for each byte, a letter that is visible, and back (-1 where
/// the letter is none of them).
char32_t byteLetter(unsigned char byte);
int letterByte(char32_t letter);

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_STAGES_H
