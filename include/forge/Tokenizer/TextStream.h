// Text that is decoded while its tokens are made. No MLIR.
#ifndef FORGE_TOKENIZER_TEXTSTREAM_H
#define FORGE_TOKENIZER_TEXTSTREAM_H

#include "forge/Tokenizer/Tokenizer.h"

namespace forge {

/// Gives the text of tokens one by one. What ends within a character waits for the tokens that
/// complete it.
class TextStream {
public:
  /// `context` are the tokens before the first: a tokenizer may decode a token differently at the
  /// beginning of a text. `tokenizer` outlives the stream.
  TextStream(const Tokenizer &tokenizer, std::vector<int32_t> context = {},
             bool skipSpecial = false);

  /// The text that is known with one more token; may be empty.
  Result<std::string> add(int32_t id);
  /// What was held back, bytes that are no character as U+FFFD.
  Result<std::string> finish();

private:
  Result<std::string> take(bool all);

  const Tokenizer *tokenizer;
  bool skipSpecial;
  std::vector<int32_t> ids; ///< from the last place on that decoding starts at
  size_t known = 0;         ///< of `ids`, those whose text was given
};

} // namespace forge

#endif // FORGE_TOKENIZER_TEXTSTREAM_H
