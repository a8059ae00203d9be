// Between the files of lib/Chat: a template's text as tokens.
#ifndef FORGE_LIB_CHAT_LEXER_H
#define FORGE_LIB_CHAT_LEXER_H

#include "forge/Support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace forge::chat {

struct Token {
  enum class Kind {
    Text,       ///< between tags
    PrintBegin, ///< {{
    PrintEnd,
    BlockBegin, ///< {%
    BlockEnd,
    Name,
    String,
    Integer,
    Float,
    Operator,
    End,
  };
  Kind kind;
  std::string text; ///< of a string what it means
  int line;
};

/// The tokens of a template, with the white space around tags gone as jinja2 has it with
/// trim_blocks and lstrip_blocks. Comments are left out. Errors name the line.
Result<std::vector<Token>> tokenize(std::string_view source);

} // namespace forge::chat

#endif // FORGE_LIB_CHAT_LEXER_H
