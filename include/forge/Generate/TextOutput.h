// The text of new tokens, while they are made. No MLIR.
#ifndef FORGE_GENERATE_TEXTOUTPUT_H
#define FORGE_GENERATE_TEXTOUTPUT_H

#include "forge/Generate/EndOfText.h"
#include "forge/Tokenizer/TextStream.h"

#include <functional>
#include <optional>

namespace forge {

/// Gives the text of tokens behind `prompt`, without special ones, up to a stop string; without a
/// tokenizer their numbers.
class TextOutput {
public:
  TextOutput(const Tokenizer *tokenizer, const std::vector<int32_t> &prompt,
             const std::vector<std::string> &stops, std::function<void(const std::string &)> print);

  Result<void> add(int32_t token);
  /// The end of the text, where it did not stop.
  Result<void> finish();
  /// Whether a stop string came.
  bool stopped() const { return stops.stopped(); }
  /// All that was given.
  const std::string &given() const { return whole; }

private:
  void give(const std::string &text);

  std::optional<TextStream> stream;
  StopStrings stops;
  std::function<void(const std::string &)> print;
  std::string whole;
  bool isFirst = true;
};

} // namespace forge

#endif // FORGE_GENERATE_TEXTOUTPUT_H
