// The text of new tokens on standard output, while they are made.
#ifndef FORGE_TOOLS_FORGE_TEXTOUTPUT_H
#define FORGE_TOOLS_FORGE_TEXTOUTPUT_H

#include "forge/Generate/EndOfText.h"
#include "forge/Tokenizer/TextStream.h"

#include <optional>

namespace forge::tool {

/// Prints the text of tokens behind `prompt`, without special ones, up to a stop string; without a
/// tokenizer their numbers. Nothing is printed unless `shown`.
class TextOutput {
public:
  TextOutput(const Tokenizer *tokenizer, const std::vector<int32_t> &prompt,
             const std::vector<std::string> &stops, bool shown);

  Result<void> add(int32_t token);
  /// The end of the text, where it did not stop.
  Result<void> finish();
  /// Whether a stop string came.
  bool stopped() const { return stops.stopped(); }

private:
  void print(const std::string &text) const;

  std::optional<TextStream> stream;
  StopStrings stops;
  bool shown, isFirst = true;
};

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_TEXTOUTPUT_H
