#include "Pattern.h"
#include "Stages.h"
#include "Unicode.h"

using namespace forge;
using namespace forge::tokenizer;

static Result<std::string> limited(std::string text) {
  if (text.size() > kMostText)
    return Error{"expected at most " + std::to_string(kMostText) +
                 " bytes of text after normalization"};
  return text;
}

/// Without control characters, every white space as a space.
static std::string cleaned(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    char32_t point = nextCodePoint(text, i);
    bool isLine = point == '\t' || point == '\n' || point == '\r';
    if (point != 0xfffd && (isLine || !isControl(point)))
      appendCodePoint(result, isWhitespace(point) ? ' ' : point);
  }
  return result;
}

static std::string withChineseApart(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    char32_t point = nextCodePoint(text, i);
    const char *space = isChinese(point) ? " " : "";
    result += space;
    appendCodePoint(result, point);
    result += space;
  }
  return result;
}

static std::string withoutMarks(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();)
    if (char32_t point = nextCodePoint(text, i); !isNonspacingMark(point))
      appendCodePoint(result, point);
  return result;
}

static Normalizer bert(const Node &node) {
  bool clean = node["clean_text"].flag(true), chinese = node["handle_chinese_chars"].flag(true);
  bool lower = node["lowercase"].flag(true), strip = node["strip_accents"].flag(lower);
  return [=](std::string text) -> Result<std::string> {
    if (clean)
      text = cleaned(text);
    if (chinese)
      text = withChineseApart(text);
    if (strip) {
      Result<std::string> apart = normalized(text, NormalForm::NFD);
      if (!apart)
        return apart;
      text = withoutMarks(*apart);
    }
    return limited(lower ? lowered(text) : std::move(text));
  };
}

static std::string trimmed(std::string_view text, bool left, bool right) {
  size_t begin = 0, end = text.size();
  while (left && begin < end) {
    size_t next = begin;
    if (!isWhitespace(nextCodePoint(text, next)))
      break;
    begin = next;
  }
  while (right && end > begin) {
    size_t before = end;
    if (!isWhitespace(previousCodePoint(text, before)))
      break;
    end = before;
  }
  return std::string(text.substr(begin, end - begin));
}

/// Control characters are left out, and what looks like a space is one.
static std::string nmt(std::string_view text) {
  auto isLeftOut = [](char32_t c) {
    return (c >= 1 && c <= 8) || c == 0xb || (c >= 0xe && c <= 0x1f) || c == 0x7f || c == 0x8f ||
           c == 0x9f;
  };
  auto isSpace = [](char32_t c) {
    return c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == 0x1680 ||
           (c >= 0x200b && c <= 0x200f) || c == 0x2028 || c == 0x2029 || c == 0x2581 ||
           c == 0xfeff || c == 0xfffd;
  };
  std::string result;
  for (size_t i = 0; i < text.size();)
    if (char32_t point = nextCodePoint(text, i); !isLeftOut(point))
      appendCodePoint(result, isSpace(point) ? ' ' : point);
  return result;
}

static Normalizer replace(const Node &node) {
  std::shared_ptr<const Pattern> pattern = Pattern::parse(node["pattern"]);
  std::string content = node["content"].text();
  return [=](std::string text) -> Result<std::string> {
    Result<std::vector<Span>> spans = pattern->find(text);
    if (!spans)
      return spans.error();
    if (text.size() + spans->size() * content.size() > kMostText)
      return limited(std::string(kMostText + 1, ' '));
    std::string result;
    size_t begin = 0;
    for (Span span : *spans) {
      result.append(text, begin, span.begin - begin).append(content);
      begin = span.end;
    }
    return result.append(text, begin);
  };
}

static Normalizer sequence(const Node &node) {
  std::vector<Normalizer> parts;
  for (const Node &part : node["normalizers"].elements())
    parts.push_back(parseNormalizer(part));
  return [=](std::string text) -> Result<std::string> {
    for (const Normalizer &part : parts) {
      Result<std::string> next = part(std::move(text));
      if (!next)
        return next;
      text = std::move(*next);
    }
    return text;
  };
}

static std::optional<NormalForm> formNamed(const std::string &name) {
  constexpr std::pair<std::string_view, NormalForm> forms[] = {{"NFC", NormalForm::NFC},
                                                               {"NFD", NormalForm::NFD},
                                                               {"NFKC", NormalForm::NFKC},
                                                               {"NFKD", NormalForm::NFKD}};
  for (auto [known, form] : forms)
    if (known == name)
      return form;
  return std::nullopt;
}

Normalizer tokenizer::parseNormalizer(const Node &node) {
  if (!node.present())
    return nullptr;
  std::string type = node.type();
  if (std::optional<NormalForm> form = formNamed(type))
    return [form](std::string text) { return normalized(text, *form); };
  if (type == "Sequence")
    return sequence(node);
  if (type == "BertNormalizer")
    return bert(node);
  if (type == "Replace")
    return replace(node);
  if (type == "Prepend")
    return [prefix = node["prepend"].text()](std::string text) {
      return limited(text.empty() ? text : prefix + text);
    };
  if (type == "Precompiled")
    return parsePrecompiled(node);
  if (type == "Nmt")
    return [](std::string text) { return limited(nmt(text)); };
  if (type == "Lowercase")
    return [](std::string text) { return limited(lowered(text)); };
  if (type == "StripAccents")
    return [](std::string text) { return limited(withoutMarks(text)); };
  if (type == "Strip")
    return [left = node["strip_left"].flag(true), right = node["strip_right"].flag(true)](
               std::string text) { return limited(trimmed(text, left, right)); };
  node["type"].fail(
      "Sequence, BertNormalizer, Replace, Prepend, Precompiled, Nmt, Lowercase, Strip, "
      "StripAccents, NFC, NFD, NFKC or NFKD");
  return nullptr;
}
