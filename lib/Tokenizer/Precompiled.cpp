#include "NormalizerRules.h"
#include "Stages.h"
#include "Unicode.h"

using namespace forge;
using namespace forge::tokenizer;

/// None where the text is not base64.
static std::optional<std::string> fromBase64(std::string_view text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0)
    return std::nullopt;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
    text.remove_suffix(1);
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (char letter : text) {
    size_t value = letters.find(letter);
    if (value == std::string_view::npos)
      return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count >= 8)
      bytes += static_cast<char>(bits >> (count -= 8));
  }
  return bytes;
}

/// Every character in the sense of a reader (grapheme) is replaced as a whole, if it is short and
/// one of its beginnings has a rule, the shortest of which counts; otherwise each of its code
/// points by itself, in the same way.
Normalizer tokenizer::parsePrecompiled(const Node &node) {
  Node place = node["precompiled_charsmap"];
  std::optional<std::string> bytes = fromBase64(place.text());
  Result<NormalizerRules> parsed =
      bytes ? NormalizerRules::parse(*bytes) : Result<NormalizerRules>(Error{"expected base64"});
  if (!parsed) {
    place.fail("rules of SentencePiece (" + parsed.error().message + ")");
    return nullptr;
  }
  auto rules = std::make_shared<const NormalizerRules>(std::move(*parsed));
  return [rules](std::string text) -> Result<std::string> {
    constexpr size_t mostBytes = 5;
    Result<std::vector<size_t>> ends = graphemeEnds(text);
    if (!ends)
      return ends.error();
    std::string result;
    size_t begin = 0;
    for (size_t end : *ends) {
      std::string_view grapheme = std::string_view(text).substr(begin, end - begin);
      begin = end;
      std::optional<std::string_view> whole =
          grapheme.size() <= mostBytes ? rules->replacement(grapheme) : std::nullopt;
      if (whole) {
        result += *whole;
        continue;
      }
      for (size_t i = 0; i < grapheme.size();) {
        size_t first = i;
        nextCodePoint(grapheme, i);
        std::string_view point = grapheme.substr(first, i - first);
        result += rules->replacement(point).value_or(point);
      }
      if (result.size() > kMostText)
        return Error{"expected at most " + std::to_string(kMostText) +
                     " bytes of text after normalization"};
    }
    return result;
  };
}
