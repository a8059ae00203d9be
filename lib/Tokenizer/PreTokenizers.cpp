#include "Pattern.h"
#include "Stages.h"
#include "Unicode.h"

#include <algorithm>

using namespace forge;
using namespace forge::tokenizer;

namespace {
/// What becomes of the parts between which a text is cut.
enum class Behavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// A part of a text that a pattern matches, or that is between matches.
struct Part {
  Span span;
  bool matches;
};
} // namespace

char32_t tokenizer::byteLetter(unsigned char byte) {
  static const std::vector<char32_t> letters = [] {
    std::vector<char32_t> table(256);
    char32_t next = 256;
    for (char32_t byte = 0; byte < 256; ++byte) {
      bool isVisible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte != 0xad);
      table[byte] = isVisible ? byte : next++;
    }
    return table;
  }();
  return letters[byte];
}

int tokenizer::letterByte(char32_t letter) {
  static const std::vector<int> bytes = [] {
    std::vector<int> table(256 + 68, -1);
    for (int byte = 0; byte < 256; ++byte)
      table[byteLetter(static_cast<unsigned char>(byte))] = byte;
    return table;
  }();
  return letter < bytes.size() ? bytes[letter] : -1;
}

/// All of the text, cut at the edges of `spans`.
static std::vector<Part> partsOf(std::string_view text, const std::vector<Span> &spans) {
  std::vector<Part> parts;
  size_t begin = 0;
  for (Span span : spans) {
    if (span.begin > begin)
      parts.push_back({{begin, span.begin}, false});
    parts.push_back({span, true});
    begin = span.end;
  }
  if (begin < text.size())
    parts.push_back({{begin, text.size()}, false});
  return parts;
}

/// Parts of one code point each.
static std::vector<Part> partsOf(std::string_view text, bool (*matches)(char32_t)) {
  std::vector<Span> spans;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    if (matches(nextCodePoint(text, i)))
      spans.push_back({begin, i});
  }
  return partsOf(text, spans);
}

static std::vector<Span> keptSpans(const std::vector<Part> &parts, Behavior behavior) {
  std::vector<Span> spans;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part &part = parts[i];
    bool follows = i > 0, joins = false;
    switch (behavior) {
    case Behavior::Removed:
      if (part.matches)
        continue;
      break;
    case Behavior::Isolated:
      break;
    case Behavior::MergedWithPrevious:
      joins = follows && part.matches && !parts[i - 1].matches;
      break;
    case Behavior::MergedWithNext:
      joins = follows && parts[i - 1].matches && !part.matches;
      break;
    case Behavior::Contiguous:
      joins = follows && part.matches == parts[i - 1].matches;
      break;
    }
    if (joins)
      spans.back().end = part.span.end;
    else
      spans.push_back(part.span);
  }
  return spans;
}

/// Cuts pieces at what `find` gives of each.
static PreTokenizer cutting(std::function<Result<std::vector<Part>>(std::string_view)> find,
                            Behavior behavior) {
  return [=](std::vector<Piece> pieces) -> Result<std::vector<Piece>> {
    std::vector<Piece> result;
    for (const Piece &piece : pieces) {
      Result<std::vector<Part>> parts = find(piece.text);
      if (!parts)
        return parts.error();
      for (Span span : keptSpans(*parts, behavior))
        if (span.end > span.begin)
          result.push_back({piece.text.substr(span.begin, span.end - span.begin),
                            piece.isFirst && span.begin == 0});
    }
    return result;
  };
}

static PreTokenizer cuttingAt(bool (*matches)(char32_t), Behavior behavior) {
  return cutting([matches](std::string_view text) { return partsOf(text, matches); }, behavior);
}

static PreTokenizer cuttingAt(std::shared_ptr<const Pattern> pattern, Behavior behavior,
                              bool invert = false) {
  return cutting(
      [=](std::string_view text) -> Result<std::vector<Part>> {
        Result<std::vector<Span>> spans = pattern->find(text);
        if (!spans)
          return spans.error();
        std::vector<Part> parts = partsOf(text, *spans);
        for (Part &part : parts)
          part.matches ^= invert;
        return parts;
      },
      behavior);
}

static PreTokenizer inOrder(std::vector<PreTokenizer> parts) {
  return [=](std::vector<Piece> pieces) -> Result<std::vector<Piece>> {
    for (const PreTokenizer &part : parts) {
      Result<std::vector<Piece>> next = part(std::move(pieces));
      if (!next)
        return next;
      pieces = std::move(*next);
    }
    return pieces;
  };
}

static Behavior parseBehavior(const Node &node) {
  constexpr std::pair<std::string_view, Behavior> behaviors[] = {
      {"Removed", Behavior::Removed},
      {"Isolated", Behavior::Isolated},
      {"MergedWithPrevious", Behavior::MergedWithPrevious},
      {"MergedWithNext", Behavior::MergedWithNext},
      {"Contiguous", Behavior::Contiguous}};
  std::string text = node.text();
  for (auto [name, behavior] : behaviors)
    if (name == text)
      return behavior;
  node.fail("Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
  return Behavior::Isolated;
}

static std::shared_ptr<const Pattern> knownPattern(const std::string &expression) {
  return *Pattern::regex(expression);
}

/// Words as GPT-2 cuts them, every byte a letter.
static PreTokenizer byteLevel(const Node &node) {
  bool addSpace = node["add_prefix_space"].flag(true);
  std::vector<PreTokenizer> parts;
  parts.push_back([addSpace](std::vector<Piece> pieces) -> Result<std::vector<Piece>> {
    for (Piece &piece : pieces)
      if (addSpace && !piece.text.starts_with(' '))
        piece.text = ' ' + piece.text;
    return pieces;
  });
  if (node["use_regex"].flag(true))
    parts.push_back(cuttingAt(knownPattern("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|"
                                           " ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"),
                              Behavior::Isolated));
  parts.push_back([](std::vector<Piece> pieces) -> Result<std::vector<Piece>> {
    for (Piece &piece : pieces) {
      std::string letters;
      for (char byte : piece.text)
        appendCodePoint(letters, byteLetter(static_cast<unsigned char>(byte)));
      piece.text = std::move(letters);
    }
    return pieces;
  });
  return inOrder(std::move(parts));
}

/// A mark for every space, one at the beginning too, and words that start with it.
static PreTokenizer metaspace(const Node &node) {
  std::string mark = node["replacement"].text(kSpaceMark);
  if (mark.empty())
    node["replacement"].fail("a character");
  bool legacy = node["add_prefix_space"].flag(true);
  std::string scheme = node["prepend_scheme"].text(legacy ? "always" : "never");
  if (scheme != "always" && scheme != "first" && scheme != "never")
    node["prepend_scheme"].fail("always, first or never");
  auto marked = [=](std::vector<Piece> pieces) -> Result<std::vector<Piece>> {
    for (Piece &piece : pieces) {
      Result<std::string> text = replaceAll(piece.text, " ", mark);
      if (!text)
        return text.error();
      bool prepends = scheme == "always" || (scheme == "first" && piece.isFirst);
      piece.text = (prepends && !text->starts_with(mark) ? mark : "") + *text;
    }
    return pieces;
  };
  if (!node["split"].flag(true))
    return marked;
  auto marks = [mark](std::string_view text) -> Result<std::vector<Part>> {
    std::vector<Span> spans;
    for (size_t at = text.find(mark); at != std::string_view::npos;
         at = text.find(mark, at + mark.size()))
      spans.push_back({at, at + mark.size()});
    return partsOf(text, spans);
  };
  return inOrder({marked, cutting(marks, Behavior::MergedWithNext)});
}

PreTokenizer tokenizer::parsePreTokenizer(const Node &node) {
  if (!node.present())
    return nullptr;
  std::string type = node.type();
  if (type == "Sequence") {
    std::vector<PreTokenizer> parts;
    for (const Node &part : node["pretokenizers"].elements())
      parts.push_back(parsePreTokenizer(part));
    return inOrder(std::move(parts));
  }
  if (type == "ByteLevel")
    return byteLevel(node);
  if (type == "Metaspace")
    return metaspace(node);
  if (type == "Split")
    return cuttingAt(Pattern::parse(node["pattern"]), parseBehavior(node["behavior"]),
                     node["invert"].flag(false));
  if (type == "Digits")
    return cuttingAt(isNumeric, node["individual_digits"].flag(false) ? Behavior::Isolated
                                                                      : Behavior::Contiguous);
  if (type == "Punctuation")
    return cuttingAt(isPunctuation, node["behavior"].present() ? parseBehavior(node["behavior"])
                                                               : Behavior::Isolated);
  if (type == "Whitespace")
    return cuttingAt(knownPattern("\\w+|[^\\w\\s]+"), Behavior::Removed, /*invert=*/true);
  if (type == "WhitespaceSplit")
    return cuttingAt(isWhitespace, Behavior::Removed);
  if (type == "BertPreTokenizer")
    return inOrder(
        {cuttingAt(isWhitespace, Behavior::Removed), cuttingAt(isPunctuation, Behavior::Isolated)});
  node["type"].fail("Sequence, ByteLevel, Metaspace, Split, Digits, Punctuation, Whitespace, "
                    "WhitespaceSplit or BertPreTokenizer");
  return nullptr;
}
