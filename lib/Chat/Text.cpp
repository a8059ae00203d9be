// What Python's methods do with texts, in characters.
#include "Interpreter.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

using namespace forge;
using namespace forge::chat;

static bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::vector<std::string> forge::chat::charactersOf(const std::string &text) {
  std::vector<std::string> characters;
  for (char c : text)
    if (startsCharacter(c) || characters.empty())
      characters.emplace_back(1, c);
    else
      characters.back() += c;
  return characters;
}

size_t forge::chat::lengthOf(const std::string &text) {
  return static_cast<size_t>(std::ranges::count_if(text, startsCharacter));
}

static bool isSpace(const std::string &character) {
  UChar32 code = icu::UnicodeString::fromUTF8(character).char32At(0);
  return u_isUWhiteSpace(code) || (code >= 0x1c && code <= 0x1f);
}

std::string forge::chat::stripText(const std::string &text, const std::string *characters,
                                   bool left, bool right) {
  std::vector<std::string> all = charactersOf(text), stripped = characters
                                                                    ? charactersOf(*characters)
                                                                    : std::vector<std::string>();
  auto goes = [&](const std::string &character) {
    return characters ? std::ranges::find(stripped, character) != stripped.end()
                      : isSpace(character);
  };
  auto begin = all.begin(), end = all.end();
  while (left && begin != end && goes(*begin))
    ++begin;
  while (right && begin != end && goes(*(end - 1)))
    --end;
  std::string result;
  for (; begin != end; ++begin)
    result += *begin;
  return result;
}

std::string forge::chat::upperText(const std::string &text) {
  std::string result;
  return icu::UnicodeString::fromUTF8(text).toUpper(icu::Locale::getRoot()).toUTF8String(result);
}

std::string forge::chat::lowerText(const std::string &text) {
  std::string result;
  return icu::UnicodeString::fromUTF8(text).toLower(icu::Locale::getRoot()).toUTF8String(result);
}

std::string forge::chat::capitalText(const std::string &text) {
  std::vector<std::string> all = charactersOf(text);
  if (all.empty())
    return "";
  return upperText(all[0]) + lowerText(text.substr(all[0].size()));
}

bool forge::chat::isUpper(const std::string &text) {
  return text == upperText(text) && text != lowerText(text);
}

bool forge::chat::isLower(const std::string &text) {
  return text == lowerText(text) && text != upperText(text);
}

std::string forge::chat::titleText(const std::string &text) {
  std::string result, word;
  auto endWord = [&] { result += capitalText(std::exchange(word, "")); };
  for (const std::string &character : charactersOf(text)) {
    bool isLetter = u_isalpha(icu::UnicodeString::fromUTF8(character).char32At(0));
    if (!isLetter)
      endWord();
    (isLetter ? word : result) += character;
  }
  endWord();
  return result;
}

std::string forge::chat::replaceText(const std::string &text, const std::string &from,
                                     const std::string &to, int64_t most) {
  std::string result;
  size_t place = 0;
  if (from.empty()) { // before each character, and at the end
    for (const std::string &character : charactersOf(text))
      result += (most-- > 0 ? to : "") + character;
    return result + (most > 0 ? to : "");
  }
  for (; most > 0; --most) {
    size_t found = text.find(from, place);
    if (found == std::string::npos)
      break;
    result.append(text, place, found - place).append(to);
    place = found + from.size();
  }
  return result.append(text, place);
}
