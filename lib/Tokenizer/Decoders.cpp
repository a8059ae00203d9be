#include "Pattern.h"
#include "Stages.h"
#include "Unicode.h"

#include <numeric>

using namespace forge;
using namespace forge::tokenizer;
using Tokens = std::vector<std::string>;

/// A decoder that treats tokens one by one.
static Decoder each(std::function<Result<std::string>(std::string, size_t place)> change) {
  return [=](Tokens tokens) -> Result<Tokens> {
    for (size_t i = 0; i < tokens.size(); ++i) {
      Result<std::string> changed = change(std::move(tokens[i]), i);
      if (!changed)
        return changed.error();
      tokens[i] = std::move(*changed);
    }
    return tokens;
  };
}

static std::string joined(const Tokens &tokens) {
  return std::accumulate(tokens.begin(), tokens.end(), std::string());
}

/// The bytes that letters are; a token with other letters keeps its own.
static std::string bytesOf(const std::string &token) {
  std::string bytes;
  for (size_t i = 0; i < token.size();) {
    int byte = letterByte(nextCodePoint(token, i));
    if (byte < 0)
      return token;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

static Result<Tokens> decodeByteLevel(Tokens tokens) {
  std::string bytes;
  for (const std::string &token : tokens)
    bytes += bytesOf(token);
  return Tokens{repairUTF8(bytes)};
}

/// The byte of "<0x0A>"; -1 of another token.
static int byteOf(const std::string &token) {
  if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with(">") ||
      !isxdigit(static_cast<unsigned char>(token[3])) ||
      !isxdigit(static_cast<unsigned char>(token[4])))
    return -1;
  return static_cast<int>(std::strtol(token.substr(3, 2).c_str(), nullptr, 16));
}

/// Bytes in a row are a text, or U+FFFD each where they are none.
static Result<Tokens> decodeByteFallback(Tokens tokens) {
  Tokens result;
  std::string bytes;
  auto flush = [&] {
    if (isUTF8(bytes))
      result.push_back(bytes);
    else
      for (size_t i = 0; i < bytes.size(); ++i)
        result.push_back("\xef\xbf\xbd");
    bytes.clear();
  };
  for (std::string &token : tokens) {
    if (int byte = byteOf(token); byte >= 0) {
      bytes += static_cast<char>(byte);
      continue;
    }
    if (!bytes.empty())
      flush();
    result.push_back(std::move(token));
  }
  if (!bytes.empty())
    flush();
  return result;
}

static Decoder replaceDecoder(const Node &node) {
  Normalizer change = parseNormalizer(node);
  return each([=](std::string token, size_t) { return change(std::move(token)); });
}

/// Takes up to `start` times `content` from the beginning of tokens, and `stop` times from the end.
static Decoder strip(const Node &node) {
  std::string content = node["content"].text();
  int32_t start = node["start"].natural(0), stop = node["stop"].natural(0);
  if (content.empty())
    node["content"].fail("a character");
  return each([=](std::string token, size_t) -> Result<std::string> {
    std::string_view rest = token;
    for (int32_t i = 0; i < start && rest.starts_with(content); ++i)
      rest.remove_prefix(content.size());
    for (int32_t i = 0; i < stop && rest.ends_with(content); ++i)
      rest.remove_suffix(content.size());
    return std::string(rest);
  });
}

static Decoder metaspaceDecoder(const Node &node) {
  std::string mark = node["replacement"].text(kSpaceMark);
  if (mark.empty())
    node["replacement"].fail("a character");
  bool prepends = node["prepend_scheme"].text(
                      node["add_prefix_space"].flag(true) ? "always" : "never") != "never";
  return each([=](std::string token, size_t place) {
    return replaceAll(token, mark, place == 0 && prepends ? "" : " ");
  });
}

/// English without the spaces that cutting it into words has added.
static Result<std::string> cleanedUp(std::string text) {
  constexpr std::pair<const char *, const char *> changes[] = {
      {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
      {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
      {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (auto [from, to] : changes) {
    Result<std::string> next = replaceAll(text, from, to);
    if (!next)
      return next;
    text = std::move(*next);
  }
  return text;
}

static Decoder wordPiece(const Node &node) {
  std::string prefix = node["prefix"].text("##");
  bool cleanup = node["cleanup"].flag(true);
  return each([=](std::string token, size_t place) -> Result<std::string> {
    if (place > 0)
      token = token.starts_with(prefix) ? token.substr(prefix.size()) : ' ' + token;
    return cleanup ? cleanedUp(std::move(token)) : Result<std::string>(std::move(token));
  });
}

static Decoder bpe(const Node &node) {
  std::string suffix = node["suffix"].text("</w>");
  if (suffix.empty())
    node["suffix"].fail("text");
  return [=](Tokens tokens) -> Result<Tokens> {
    for (size_t i = 0; i < tokens.size(); ++i) {
      Result<std::string> text = replaceAll(tokens[i], suffix, i + 1 == tokens.size() ? "" : " ");
      if (!text)
        return text.error();
      tokens[i] = std::move(*text);
    }
    return tokens;
  };
}

Decoder tokenizer::parseDecoder(const Node &node) {
  if (!node.present())
    return nullptr;
  std::string type = node.type();
  if (type == "Sequence") {
    std::vector<Decoder> parts;
    for (const Node &part : node["decoders"].elements())
      parts.push_back(parseDecoder(part));
    return [=](Tokens tokens) -> Result<Tokens> {
      for (const Decoder &part : parts) {
        Result<Tokens> next = part(std::move(tokens));
        if (!next)
          return next;
        tokens = std::move(*next);
      }
      return tokens;
    };
  }
  if (type == "ByteLevel")
    return decodeByteLevel;
  if (type == "ByteFallback")
    return decodeByteFallback;
  if (type == "Fuse")
    return [](Tokens tokens) -> Result<Tokens> { return Tokens{joined(tokens)}; };
  if (type == "Replace")
    return replaceDecoder(node);
  if (type == "Strip")
    return strip(node);
  if (type == "Metaspace")
    return metaspaceDecoder(node);
  if (type == "WordPiece")
    return wordPiece(node);
  if (type == "BPEDecoder")
    return bpe(node);
  node["type"].fail("Sequence, ByteLevel, ByteFallback, Fuse, Replace, Strip, Metaspace, WordPiece "
                    "or BPEDecoder");
  return nullptr;
}
