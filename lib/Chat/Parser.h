// Between the files of lib/Chat: tokens to a tree.
#ifndef FORGE_LIB_CHAT_PARSER_H
#define FORGE_LIB_CHAT_PARSER_H

#include "Tree.h"

namespace forge::chat {

/// By recursive descent. The first problem is remembered; from then on every token is the end.
class Parser {
public:
  /// Of bodies and brackets in each other: trees are walked by recursion.
  static constexpr int mostDepth = 100;

  explicit Parser(std::vector<Token> tokens) : tokens(std::move(tokens)) {}

  /// Statements up to a tag with one of the names, whose name is taken; or up to the end.
  Body parseBody(std::initializer_list<std::string_view> ends);
  const std::string &error() const { return problem; }

private:
  const Token &peek(size_t ahead = 0) const;
  bool isOperator(std::string_view text, size_t ahead = 0) const;
  bool isName(std::string_view text, size_t ahead = 0) const;
  bool takeOperator(std::string_view text);
  bool takeName(std::string_view text);
  void expectOperator(std::string_view text);
  std::string expectIdentifier();
  void expectBlockEnd();
  void fail(const std::string &message);
  void failAt(const std::string &expected);
  ExpressionPtr make(Expression::Kind kind, std::string text = {});
  ExpressionPtr make(Expression::Kind kind, std::string text, ExpressionPtr first,
                     ExpressionPtr second = nullptr);

  Statement parseStatement();
  Statement parseIf(int line);
  Statement parseFor(int line);
  Statement parseSet(int line);
  Statement parseMacro(int line);
  Statement parseFilterBlock(int line);
  Statement parseWith(int line);
  Target parseTarget(bool allowsMember);

  /// Expressions with commas between them are a list.
  ExpressionPtr parseTuple(bool allowsChoice);
  ExpressionPtr parseExpression();
  ExpressionPtr parseOr();
  ExpressionPtr parseAnd();
  ExpressionPtr parseNot();
  ExpressionPtr parseComparison();
  /// A comparison, "in" or "not in"; empty where there is none.
  std::string takeComparison();
  ExpressionPtr parseBinary(int level);
  ExpressionPtr parseUnary(bool allowsFilters = true);
  ExpressionPtr parsePrimary();
  ExpressionPtr parseBrackets();
  ExpressionPtr parsePostfix(ExpressionPtr operand);
  ExpressionPtr parseSubscript(ExpressionPtr operand);
  ExpressionPtr parseFilters(ExpressionPtr operand);
  ExpressionPtr parseTest(ExpressionPtr operand);
  void parseArguments(CallArguments &arguments);

  std::vector<Token> tokens;
  size_t position = 0;
  int depth = 0;
  int numNodes = 0; ///< of the expressions of a tag
  std::string problem;
};

} // namespace forge::chat

#endif // FORGE_LIB_CHAT_PARSER_H
