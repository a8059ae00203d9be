// What a text is searched for: a string or a regular expression.
#ifndef FORGE_LIB_TOKENIZER_PATTERN_H
#define FORGE_LIB_TOKENIZER_PATTERN_H

#include "Node.h"

#include <memory>
#include <string_view>

namespace forge::tokenizer {

/// Bytes of a text.
struct Span {
  size_t begin, end;
  bool operator==(const Span &) const = default;
};

class Pattern {
public:
  /// {"String": TEXT} or {"Regex": TEXT}; null after a failure.
  static std::shared_ptr<const Pattern> parse(const Node &node);
  /// A regular expression as the tokenizers library writes them (Oniguruma's syntax as far as ICU
  /// has it).
  static Result<std::shared_ptr<const Pattern>> regex(const std::string &expression);

  virtual ~Pattern() = default;
  /// What matches in UTF-8, from left to right. Fails where a match takes too long or too much
  /// memory.
  virtual Result<std::vector<Span>> find(std::string_view text) const = 0;
};

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_PATTERN_H
