// Text in UTF-8, code point by code point, and the properties of code points (by ICU).
#ifndef FORGE_LIB_TOKENIZER_UNICODE_H
#define FORGE_LIB_TOKENIZER_UNICODE_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forge::tokenizer {

/// The most bytes of a text, before and after normalization.
constexpr size_t kMostText = size_t(1) << 24;

bool isUTF8(std::string_view text);
/// With U+FFFD in the place of each maximal part of a character.
std::string repairUTF8(std::string_view text);

/// The code point at `position`, which moves behind it. `text` is UTF-8.
char32_t nextCodePoint(std::string_view text, size_t &position);
/// The one before `position`, which moves to it.
char32_t previousCodePoint(std::string_view text, size_t &position);
void appendCodePoint(std::string &text, char32_t point);
/// How many.
size_t countCodePoints(std::string_view text);

/// Behind each character in the sense of a reader: an extended grapheme cluster.
Result<std::vector<size_t>> graphemeEnds(std::string_view text);

bool isWhitespace(char32_t point);
/// As the class \w of regular expressions.
bool isWord(char32_t point);
/// Of ASCII all that is neither letter, digit, space nor control; otherwise the categories P*.
bool isPunctuation(char32_t point);
/// The categories N*.
bool isNumeric(char32_t point);
/// The categories C* but that of unassigned code points.
bool isControl(char32_t point);
/// The category Mn.
bool isNonspacingMark(char32_t point);
/// As BERT counts them.
bool isChinese(char32_t point);

/// Every code point in lower case, without regard to those around it.
std::string lowered(std::string_view text);
enum class NormalForm { NFC, NFD, NFKC, NFKD };
Result<std::string> normalized(std::string_view text, NormalForm form);

/// `text` with every `from`, which is not empty, replaced.
Result<std::string> replaceAll(std::string_view text, std::string_view from, std::string_view to);

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_UNICODE_H
