#include "Lexer.h"

#include <algorithm>

using namespace forge;
using namespace forge::chat;

static constexpr std::string_view whitespace = " \t\n\r\f\v";

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void appendUTF8(std::string &text, uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | (code >> 6));
    text += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    text += static_cast<char>(0xe0 | (code >> 12));
    text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (code & 0x3f));
  }
}

namespace {
/// Goes through the text once:
///  1. Text up to the next tag; what the tag's sign or its place at the start of a line takes of
///     the white space before it goes.
///  2. The tag's tokens, up to its end outside of brackets and strings.
///  3. The white space that the tag's end takes.
class Lexer {
public:
  explicit Lexer(std::string text) : source(std::move(text)) {}

  Result<std::vector<Token>> run() {
    while (problem.empty() && position < source.size())
      readText();
    if (!problem.empty())
      return Error{"line " + std::to_string(line) + ": " + problem};
    add(Token::Kind::End, "");
    return std::move(tokens);
  }

private:
  void add(Token::Kind kind, std::string text) { tokens.push_back({kind, std::move(text), line}); }
  bool at(std::string_view text) const {
    return std::string_view(source).substr(position).starts_with(text);
  }
  void advance(size_t count) {
    std::string_view passed = std::string_view(source).substr(position, count);
    line += static_cast<int>(std::ranges::count(passed, '\n'));
    position += count;
  }

  void readText();
  void readRaw();
  void readTag(bool isBlock);
  void endTag(std::string_view end, bool trimsLine);
  bool tryEndTag(bool isBlock);
  void readToken();
  void readNumber();
  void readString();

  std::string source;
  std::vector<Token> tokens;
  size_t position = 0;
  int line = 1;
  bool startsLine = true; ///< what was taken last ends with a line
  std::string brackets;   ///< closing ones that are expected
  std::string problem;
};
} // namespace

void Lexer::readText() {
  size_t tag = source.find('{', position);
  while (tag != std::string::npos &&
         (tag + 1 == source.size() ||
          std::string_view("{%#").find(source[tag + 1]) == std::string_view::npos))
    tag = source.find('{', tag + 1);
  std::string text = source.substr(position, tag == std::string::npos ? tag : tag - position);
  if (tag == std::string::npos) {
    add(Token::Kind::Text, text);
    advance(source.size() - position);
    return;
  }
  char kind = source[tag + 1], sign = tag + 2 < source.size() ? source[tag + 2] : ' ';
  size_t numText = text.size();
  if (sign == '-') {
    text.erase(text.find_last_not_of(whitespace) + 1);
  } else if (sign != '+' && kind != '{') {
    size_t lineBegin = text.rfind('\n') + 1;
    if ((lineBegin > 0 || startsLine) &&
        text.find_first_not_of(whitespace, lineBegin) == std::string::npos)
      text.erase(lineBegin);
  }
  if (!text.empty())
    add(Token::Kind::Text, text);
  advance(numText + 2 + (sign == '-' || sign == '+'));
  if (kind == '#') {
    size_t end = source.find("#}", position);
    if (end == std::string::npos) {
      problem = "expected #} behind a comment";
      return;
    }
    char last = end > position ? source[end - 1] : ' ';
    advance(end - (last == '-') - position);
    endTag(last == '-' ? "-#}" : "#}", /*trimsLine=*/last != '+');
    return;
  }
  readTag(kind == '%');
}

/// The end of a tag, and the white space that it takes.
void Lexer::endTag(std::string_view end, bool trimsLine) {
  size_t begin = position;
  size_t size = end.size();
  if (end[0] == '-')
    size =
        std::min(source.find_first_not_of(whitespace, position + size), source.size()) - position;
  else if (trimsLine && position + size < source.size() && source[position + size] == '\n')
    ++size;
  advance(size);
  startsLine = source[begin + size - 1] == '\n';
}

bool Lexer::tryEndTag(bool isBlock) {
  for (std::string_view end : isBlock ? std::initializer_list<std::string_view>{"-%}", "+%}", "%}"}
                                      : std::initializer_list<std::string_view>{"-}}", "}}"}) {
    if (!at(end))
      continue;
    add(isBlock ? Token::Kind::BlockEnd : Token::Kind::PrintEnd, "");
    endTag(end, /*trimsLine=*/isBlock && end[0] != '+');
    return true;
  }
  return false;
}

void Lexer::readTag(bool isBlock) {
  size_t first = tokens.size();
  add(isBlock ? Token::Kind::BlockBegin : Token::Kind::PrintBegin, "");
  while (problem.empty()) {
    advance(std::min(source.find_first_not_of(whitespace, position), source.size()) - position);
    if (position == source.size()) {
      problem = isBlock ? "expected %} behind a tag" : "expected }} behind an expression";
      return;
    }
    if (brackets.empty() && tryEndTag(isBlock))
      break;
    readToken();
  }
  if (problem.empty() && isBlock && tokens.size() == first + 3 && tokens[first + 1].text == "raw" &&
      tokens[first + 1].kind == Token::Kind::Name) {
    tokens.resize(first);
    readRaw();
  }
}

/// What is behind {% raw %}, as text.
void Lexer::readRaw() {
  size_t tag = position;
  for (; (tag = source.find("{%", tag)) != std::string::npos; ++tag) {
    size_t name =
        tag + 2 + (tag + 2 < source.size() && (source[tag + 2] == '-' || source[tag + 2] == '+'));
    name = source.find_first_not_of(whitespace, name);
    if (name == std::string::npos || source.compare(name, 6, "endraw") != 0)
      continue;
    std::string text = source.substr(position, tag - position);
    char sign = source[tag + 2];
    if (sign == '-')
      text.erase(text.find_last_not_of(whitespace) + 1);
    else if (size_t lineBegin = text.rfind('\n') + 1;
             sign != '+' && (lineBegin > 0 || startsLine) &&
             text.find_first_not_of(whitespace, lineBegin) == std::string::npos)
      text.erase(lineBegin);
    add(Token::Kind::Text, text);
    advance(name + 6 - position);
    advance(std::min(source.find_first_not_of(whitespace, position), source.size()) - position);
    if (!tryEndTag(/*isBlock=*/true))
      problem = "expected %} behind endraw";
    else
      tokens.pop_back();
    return;
  }
  problem = "expected {% endraw %}";
}

void Lexer::readToken() {
  char c = source[position];
  if (isNameStart(c)) {
    size_t end = position;
    while (end < source.size() && (isNameStart(source[end]) || isDigit(source[end])))
      ++end;
    add(Token::Kind::Name, source.substr(position, end - position));
    advance(end - position);
    return;
  }
  if (isDigit(c))
    return readNumber();
  if (c == '"' || c == '\'')
    return readString();
  for (std::string_view two : {"//", "**", "==", "!=", ">=", "<="})
    if (at(two)) {
      add(Token::Kind::Operator, std::string(two));
      advance(2);
      return;
    }
  if (std::string_view("+-/*%~[](){}><=.:|,").find(c) == std::string_view::npos) {
    problem = std::string("expected a name, a literal or an operator, but got '") + c + "'";
    return;
  }
  if (std::string_view opening = "([{"; opening.find(c) != std::string_view::npos) {
    brackets += ")]}"[opening.find(c)];
  } else if (std::string_view(")]}").find(c) != std::string_view::npos) {
    if (brackets.empty() || brackets.back() != c) {
      problem = brackets.empty()
                    ? std::string("unexpected '") + c + "'"
                    : std::string("expected '") + brackets.back() + "', but got '" + c + "'";
      return;
    }
    brackets.pop_back();
  }
  add(Token::Kind::Operator, std::string(1, c));
  advance(1);
}

void Lexer::readNumber() {
  size_t end = position;
  auto digits = [&] {
    while (end < source.size() && (isDigit(source[end]) || source[end] == '_'))
      ++end;
  };
  digits();
  bool isFloat = false;
  bool isMember =
      !tokens.empty() && tokens.back().text == "." && tokens.back().kind == Token::Kind::Operator;
  if (!isMember && end + 1 < source.size() && source[end] == '.' && isDigit(source[end + 1])) {
    isFloat = true;
    ++end;
    digits();
  }
  size_t exponent =
      end + 1 + (end + 1 < source.size() && (source[end + 1] == '-' || source[end + 1] == '+'));
  if (!isMember && end < source.size() && (source[end] == 'e' || source[end] == 'E') &&
      exponent < source.size() && isDigit(source[exponent])) {
    isFloat = true;
    end = exponent;
    digits();
  }
  std::string text = source.substr(position, end - position);
  std::erase(text, '_');
  add(isFloat ? Token::Kind::Float : Token::Kind::Integer, text);
  advance(end - position);
}

/// With Python's escapes.
void Lexer::readString() {
  char quote = source[position];
  std::string text;
  size_t at = position + 1;
  for (; at < source.size() && source[at] != quote; ++at) {
    if (source[at] != '\\' || at + 1 == source.size()) {
      text += source[at];
      continue;
    }
    char escape = source[++at];
    constexpr std::string_view plain = "\\'\"ntrabfv", meaning = "\\'\"\n\t\r\a\b\f\v";
    size_t digits = escape == 'x' ? 2 : escape == 'u' ? 4 : 0;
    std::string number = digits ? source.substr(at + 1, digits) : "";
    if (size_t place = plain.find(escape); place != std::string_view::npos) {
      text += meaning[place];
    } else if (digits && number.size() == digits &&
               number.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos) {
      appendUTF8(text, static_cast<uint32_t>(std::stoul(number, nullptr, 16)));
      at += digits;
    } else if (escape != '\n') { // a line that goes on
      text += '\\';
      text += escape;
    }
  }
  if (at >= source.size()) {
    problem = std::string("expected ") + quote + " behind a string";
    return;
  }
  add(Token::Kind::String, text);
  advance(at + 1 - position);
}

Result<std::vector<Token>> forge::chat::tokenize(std::string_view source) {
  std::string text;
  for (size_t i = 0; i < source.size(); ++i) {
    bool isLine = source[i] == '\r';
    if (isLine && i + 1 < source.size() && source[i + 1] == '\n')
      ++i;
    text += isLine ? '\n' : source[i];
  }
  if (text.ends_with('\n'))
    text.pop_back();
  return Lexer(std::move(text)).run();
}
