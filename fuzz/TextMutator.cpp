#include "TextMutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {
/// A part of the text.
struct Span {
  size_t begin, end;
};
} // namespace

static bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '%' ||
         c == '#' || c == '@' || c == '!' || c == '-';
}

static std::vector<Span> wordsOf(const std::string &text, bool numbers) {
  std::vector<Span> spans;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    auto continues = [&](char c) {
      return numbers ? std::isdigit(static_cast<unsigned char>(c)) != 0 : isWord(c);
    };
    while (i < text.size() && continues(text[i]))
      ++i;
    if (i > begin)
      spans.push_back({begin, i});
    else
      ++i;
  }
  return spans;
}

static std::vector<Span> linesOf(const std::string &text) {
  std::vector<Span> spans;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    end = end == std::string::npos ? text.size() : end + 1;
    spans.push_back({begin, end});
    begin = end;
  }
  return spans;
}

static std::string textOf(const std::string &text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

static std::string changedNumber(const std::string &number, std::mt19937 &random) {
  static constexpr std::array<const char *, 18> edges = {"0",
                                                         "1",
                                                         "2",
                                                         "3",
                                                         "7",
                                                         "-1",
                                                         "-2",
                                                         "16",
                                                         "64",
                                                         "65536",
                                                         "2147483647",
                                                         "4294967296",
                                                         "-2147483648",
                                                         "3037000500",
                                                         "4611686018427387904",
                                                         "9223372036854775807",
                                                         "-9223372036854775808",
                                                         "18446744073709551616"};
  if (random() % 3 == 0 && number.size() < 9) {
    int value = std::stoi(number);
    return std::to_string(random() % 2 ? value + 1 : std::max(value - 1, 0));
  }
  // Small ones more often: modules with them get further.
  return edges[random() % (random() % 3 ? 9 : edges.size())];
}

size_t forge::fuzz::mutateText(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  std::string text(reinterpret_cast<const char *>(data), size);
  auto pick = [&](const std::vector<Span> &spans) { return spans[random() % spans.size()]; };
  unsigned kind = random() % 8;
  if (kind < 5) {
    std::vector<Span> words = wordsOf(text, /*numbers=*/kind < 3);
    if (words.empty())
      return size;
    Span place = pick(words);
    std::string old = textOf(text, place);
    text.replace(place.begin, old.size(),
                 kind < 3 ? changedNumber(old, random) : textOf(text, pick(words)));
  } else {
    std::vector<Span> lines = linesOf(text);
    if (lines.empty())
      return size;
    Span place = pick(lines);
    std::string line = textOf(text, place), other = textOf(text, pick(lines));
    if (kind == 5)
      text.erase(place.begin, line.size());
    else
      text.replace(place.begin, line.size(), kind == 6 ? line + other : other + line);
  }
  size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}
