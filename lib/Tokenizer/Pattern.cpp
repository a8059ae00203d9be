#include "Pattern.h"

#include <unicode/regex.h>

using namespace forge;
using namespace forge::tokenizer;

namespace {
class StringPattern : public Pattern {
public:
  explicit StringPattern(std::string text) : wanted(std::move(text)) {}
  Result<std::vector<Span>> find(std::string_view text) const override {
    std::vector<Span> spans;
    if (wanted.empty())
      return spans;
    for (size_t begin = text.find(wanted); begin != std::string_view::npos;
         begin = text.find(wanted, begin + wanted.size()))
      spans.push_back({begin, begin + wanted.size()});
    return spans;
  }

private:
  std::string wanted;
};

class RegexPattern : public Pattern {
public:
  explicit RegexPattern(std::unique_ptr<icu::RegexPattern> compiled)
      : compiled(std::move(compiled)) {}
  Result<std::vector<Span>> find(std::string_view text) const override;

private:
  std::unique_ptr<icu::RegexPattern> compiled;
};
} // namespace

static int32_t bytesOf(const icu::UnicodeString &text, int32_t begin, int32_t end) {
  int32_t bytes = 0;
  for (int32_t i = begin; i < end; i = text.moveIndex32(i, 1))
    bytes += U8_LENGTH(text.char32At(i));
  return bytes;
}

Result<std::vector<Span>> RegexPattern::find(std::string_view text) const {
  icu::UnicodeString wide =
      icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::RegexMatcher> matcher(compiled->matcher(wide, status));
  // Of about a millisecond each.
  constexpr int32_t mostSteps = 10'000;
  if (matcher)
    matcher->setTimeLimit(mostSteps, status);
  std::vector<Span> spans;
  int32_t at = 0;
  size_t byte = 0;
  while (U_SUCCESS(status) && matcher->find(status)) {
    int32_t begin = matcher->start(status), end = matcher->end(status);
    byte += static_cast<size_t>(bytesOf(wide, at, begin));
    size_t length = static_cast<size_t>(bytesOf(wide, begin, end));
    spans.push_back({byte, byte + length});
    byte += length;
    at = end;
  }
  if (U_FAILURE(status))
    return Error{std::string("a regular expression of the tokenizer failed: ") +
                 u_errorName(status)};
  return spans;
}

/// ICU's \s lacks two of the characters that Unicode calls white space.
static std::string withUnicodeSpaces(const std::string &expression) {
  std::string result;
  for (size_t i = 0; i < expression.size(); ++i) {
    bool escape = expression[i] == '\\' && i + 1 < expression.size();
    char letter = escape ? expression[i + 1] : '\0';
    if (letter == 's' || letter == 'S')
      result += letter == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
    else
      result.append(expression, i, escape ? 2 : 1);
    i += escape;
  }
  return result;
}

Result<std::shared_ptr<const Pattern>> Pattern::regex(const std::string &expression) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError place;
  // Where lines end, as in Ruby's syntax.
  std::unique_ptr<icu::RegexPattern> compiled(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(withUnicodeSpaces(expression)),
                                 UREGEX_MULTILINE | UREGEX_UNIX_LINES, place, status));
  if (U_FAILURE(status))
    return Error{u_errorName(status)};
  return std::shared_ptr<const Pattern>(std::make_shared<RegexPattern>(std::move(compiled)));
}

std::shared_ptr<const Pattern> Pattern::parse(const Node &node) {
  if (Node text = node["String"]; text.present())
    return std::make_shared<StringPattern>(text.text());
  Node expression = node["Regex"];
  if (!expression.present()) {
    node.fail("an object with String or Regex");
    return nullptr;
  }
  Result<std::shared_ptr<const Pattern>> made = regex(expression.text());
  if (made)
    return *made;
  expression.fail("a regular expression (" + made.error().message + ")");
  return nullptr;
}
