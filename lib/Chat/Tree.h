// Between the files of lib/Chat: a template that was parsed.
#ifndef FORGE_LIB_CHAT_TREE_H
#define FORGE_LIB_CHAT_TREE_H

#include "Lexer.h"
#include "Value.h"

namespace forge::chat {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// What a function, filter or test is called with.
struct CallArguments {
  std::vector<ExpressionPtr> positional;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
};

struct Expression {
  enum class Kind {
    Literal,   ///< value
    Name,      ///< text
    List,      ///< operands; where text is not empty a tuple
    Map,       ///< keys and values in turn
    Member,    ///< operand . text
    Subscript, ///< operands 0 [ 1 ]
    Slice,     ///< operands 0 [ 1 : 2 : 3 ], which may be null
    Call,      ///< operand ( arguments )
    Filter,    ///< operand | text ( arguments )
    Test,      ///< operand is text ( arguments )
    Unary,     ///< text operand: + - not
    Binary,    ///< operand text operand: arithmetic, and, or, in; comparisons of two
    Row,       ///< operands with `names` of comparisons between them, which all have to hold
    Choice,    ///< operands 0 if 1 else 2, which may be null
  };
  Kind kind;
  int line;
  std::string text = {};
  Value value = {};
  std::vector<ExpressionPtr> operands = {};
  std::vector<std::string> names = {};
  CallArguments arguments = {};
};

struct Statement;
using Body = std::vector<Statement>;

/// What is assigned to: a name, a member of a namespace, or several names.
struct Target {
  std::vector<std::string> names;
  std::string member = {};
};

struct Statement {
  enum class Kind {
    Text,   ///< text
    Print,  ///< expression
    If,     ///< expression, body, otherwise
    For,    ///< target in expression if condition: body; otherwise where there was nothing
    Set,    ///< target = expression, or body where there is none
    Macro,  ///< text ( parameters ): body
    Filter, ///< body | expression, whose operand is null
    Break,
    Continue,
    Group, ///< body
    With,  ///< body with names of its own, the parameters
  };
  Kind kind;
  int line;
  std::string text = {};
  Target target = {};
  std::vector<std::pair<std::string, ExpressionPtr>> parameters = {};
  ExpressionPtr expression = {}, condition = {};
  Body body = {}, otherwise = {};
};

/// Fails on what is no template, and on tags that Forge does not have; with the line.
Result<Body> parseTemplate(std::string_view source);

} // namespace forge::chat

#endif // FORGE_LIB_CHAT_TREE_H
