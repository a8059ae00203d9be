#include "Unicode.h"

#include <unicode/bytestream.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

using namespace forge;
using namespace forge::tokenizer;

bool tokenizer::isUTF8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    UChar32 point;
    U8_NEXT(text.data(), i, text.size(), point);
    if (point < 0)
      return false;
  }
  return true;
}

std::string tokenizer::repairUTF8(std::string_view text) {
  std::string repaired;
  for (size_t i = 0; i < text.size();) {
    UChar32 point;
    U8_NEXT_OR_FFFD(text.data(), i, text.size(), point);
    appendCodePoint(repaired, static_cast<char32_t>(point));
  }
  return repaired;
}

char32_t tokenizer::nextCodePoint(std::string_view text, size_t &position) {
  UChar32 point;
  U8_NEXT_OR_FFFD(text.data(), position, text.size(), point);
  return static_cast<char32_t>(point);
}

char32_t tokenizer::previousCodePoint(std::string_view text, size_t &position) {
  do
    --position;
  while (position > 0 && (static_cast<unsigned char>(text[position]) & 0xc0) == 0x80);
  size_t begin = position;
  return nextCodePoint(text, begin);
}

void tokenizer::appendCodePoint(std::string &text, char32_t point) {
  char bytes[U8_MAX_LENGTH];
  size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, point);
  text.append(bytes, length);
}

size_t tokenizer::countCodePoints(std::string_view text) {
  size_t count = 0;
  for (char c : text)
    count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

Result<std::vector<size_t>> tokenizer::graphemeEnds(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  UText *view = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status);
  UBreakIterator *breaks = ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status);
  ubrk_setUText(breaks, view, &status);
  std::vector<size_t> ends;
  if (U_SUCCESS(status)) {
    ubrk_first(breaks);
    for (int32_t end = ubrk_next(breaks); end != UBRK_DONE; end = ubrk_next(breaks))
      ends.push_back(static_cast<size_t>(end));
  }
  ubrk_close(breaks);
  utext_close(view);
  if (U_FAILURE(status))
    return Error{std::string("expected characters of Unicode: ") + u_errorName(status)};
  return ends;
}

static uint32_t categoryMask(char32_t point) { return U_GET_GC_MASK(static_cast<UChar32>(point)); }

bool tokenizer::isWhitespace(char32_t point) {
  return u_isUWhiteSpace(static_cast<UChar32>(point));
}

bool tokenizer::isWord(char32_t point) {
  return u_isUAlphabetic(static_cast<UChar32>(point)) || point == 0x200c || point == 0x200d ||
         (categoryMask(point) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
}

bool tokenizer::isPunctuation(char32_t point) {
  if (point < 0x80)
    return point > 0x20 && point < 0x7f && !u_isalnum(static_cast<UChar32>(point));
  return (categoryMask(point) & U_GC_P_MASK) != 0;
}

bool tokenizer::isNumeric(char32_t point) { return (categoryMask(point) & U_GC_N_MASK) != 0; }

bool tokenizer::isControl(char32_t point) {
  return (categoryMask(point) & (U_GC_C_MASK & ~U_GC_CN_MASK)) != 0;
}

bool tokenizer::isNonspacingMark(char32_t point) {
  return (categoryMask(point) & U_GC_MN_MASK) != 0;
}

bool tokenizer::isChinese(char32_t point) {
  constexpr std::pair<char32_t, char32_t> blocks[] = {
      {0x4e00, 0x9fff},   {0x3400, 0x4dbf},   {0x20000, 0x2a6df}, {0x2a700, 0x2b73f},
      {0x2b740, 0x2b81f}, {0x2b920, 0x2ceaf}, {0xf900, 0xfaff},   {0x2f800, 0x2fa1f}};
  for (auto [first, last] : blocks)
    if (point >= first && point <= last)
      return true;
  return false;
}

std::string tokenizer::lowered(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();)
    icu::UnicodeString(static_cast<UChar32>(nextCodePoint(text, i)))
        .toLower(icu::Locale::getRoot())
        .toUTF8String(result);
  return result;
}

Result<std::string> tokenizer::normalized(std::string_view text, NormalForm form) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2 *normalizer =
      form == NormalForm::NFC    ? icu::Normalizer2::getNFCInstance(status)
      : form == NormalForm::NFD  ? icu::Normalizer2::getNFDInstance(status)
      : form == NormalForm::NFKC ? icu::Normalizer2::getNFKCInstance(status)
                                 : icu::Normalizer2::getNFKDInstance(status);
  std::string result;
  if (U_SUCCESS(status)) {
    icu::StringByteSink<std::string> sink(&result);
    normalizer->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
                              sink, nullptr, status);
  }
  if (U_FAILURE(status))
    return Error{std::string("normalization failed: ") + u_errorName(status)};
  return result;
}

Result<std::string> tokenizer::replaceAll(std::string_view text, std::string_view from,
                                          std::string_view to) {
  std::string result;
  for (size_t begin = 0;;) {
    size_t found = text.find(from, begin);
    result += text.substr(begin, found - begin);
    if (found == std::string_view::npos)
      return result;
    result += to;
    if (result.size() > kMostText)
      return Error{"expected at most " + std::to_string(kMostText) +
                   " bytes of text after normalization"};
    begin = found + from.size();
  }
}
