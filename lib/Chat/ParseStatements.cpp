#include "Parser.h"

#include <algorithm>

using namespace forge;
using namespace forge::chat;

using Kind = Token::Kind;

const Token &Parser::peek(size_t ahead) const {
  return problem.empty() ? tokens[std::min(position + ahead, tokens.size() - 1)] : tokens.back();
}

bool Parser::isOperator(std::string_view text, size_t ahead) const {
  return peek(ahead).kind == Kind::Operator && peek(ahead).text == text;
}

bool Parser::isName(std::string_view text, size_t ahead) const {
  return peek(ahead).kind == Kind::Name && peek(ahead).text == text;
}

bool Parser::takeOperator(std::string_view text) {
  bool is = isOperator(text);
  position += is;
  return is;
}

bool Parser::takeName(std::string_view text) {
  bool is = isName(text);
  position += is;
  return is;
}

void Parser::fail(const std::string &message) {
  if (problem.empty())
    problem = "line " + std::to_string(peek().line) + ": " + message;
}

void Parser::failAt(const std::string &expected) {
  const Token &token = peek();
  std::string got = token.kind == Kind::End          ? "the end"
                    : token.kind == Kind::BlockEnd   ? "%}"
                    : token.kind == Kind::PrintEnd   ? "}}"
                    : token.kind == Kind::PrintBegin ? "{{"
                                                     : "'" + token.text.substr(0, 40) + "'";
  fail("expected " + expected + ", but got " + got);
}

void Parser::expectOperator(std::string_view text) {
  if (!takeOperator(text))
    failAt("'" + std::string(text) + "'");
}

std::string Parser::expectIdentifier() {
  if (peek().kind != Kind::Name) {
    failAt("a name");
    return "";
  }
  return tokens[position++].text;
}

void Parser::expectBlockEnd() {
  if (peek().kind == Kind::BlockEnd)
    ++position;
  else
    failAt("%}");
}

Body Parser::parseBody(std::initializer_list<std::string_view> ends) {
  Body body;
  if (++depth > mostDepth)
    fail("expected at most " + std::to_string(mostDepth) + " levels");
  while (peek().kind != Kind::End) {
    if (peek().kind == Kind::BlockBegin && peek(1).kind == Kind::Name &&
        std::ranges::find(ends, peek(1).text) != ends.end()) {
      position += 2;
      --depth;
      return body;
    }
    body.push_back(parseStatement());
  }
  if (ends.size() > 0)
    failAt("{% " + std::string(*(ends.end() - 1)) + " %}");
  --depth;
  return body;
}

Statement Parser::parseStatement() {
  int line = peek().line;
  numNodes = 0;
  if (peek().kind == Kind::Text)
    return {.kind = Statement::Kind::Text, .line = line, .text = tokens[position++].text};
  if (peek().kind == Kind::PrintBegin) {
    ++position;
    Statement print{.kind = Statement::Kind::Print, .line = line, .expression = parseTuple(true)};
    if (peek().kind != Kind::PrintEnd)
      failAt("}}");
    ++position;
    return print;
  }
  ++position; // {%
  if (takeName("if"))
    return parseIf(line);
  if (takeName("for"))
    return parseFor(line);
  if (takeName("set"))
    return parseSet(line);
  if (takeName("macro"))
    return parseMacro(line);
  if (takeName("filter"))
    return parseFilterBlock(line);
  if (isName("break") || isName("continue")) {
    auto kind = isName("break") ? Statement::Kind::Break : Statement::Kind::Continue;
    ++position;
    expectBlockEnd();
    return {.kind = kind, .line = line};
  }
  // What an assistant has said, for those who train on it.
  if (takeName("generation")) {
    expectBlockEnd();
    Statement group{
        .kind = Statement::Kind::Group, .line = line, .body = parseBody({"endgeneration"})};
    expectBlockEnd();
    return group;
  }
  if (takeName("with"))
    return parseWith(line);
  failAt("if, for, set, with, macro, filter, break, continue, generation or raw");
  return {.kind = Statement::Kind::Group, .line = line};
}

Statement Parser::parseIf(int line) {
  Statement statement{.kind = Statement::Kind::If, .line = line, .expression = parseTuple(false)};
  expectBlockEnd();
  statement.body = parseBody({"elif", "else", "endif"});
  std::string end = problem.empty() ? tokens[position - 1].text : "endif";
  if (end == "elif") {
    if (++depth > mostDepth)
      fail("expected at most " + std::to_string(mostDepth) + " levels");
    statement.otherwise.push_back(parseIf(line));
    --depth;
    return statement;
  }
  expectBlockEnd();
  if (end == "else") {
    statement.otherwise = parseBody({"endif"});
    expectBlockEnd();
  }
  return statement;
}

Target Parser::parseTarget(bool allowsMember) {
  Target target;
  bool isTuple = takeOperator("(");
  target.names.push_back(expectIdentifier());
  if (allowsMember && takeOperator(".")) {
    target.member = expectIdentifier();
    return target;
  }
  while (takeOperator(","))
    target.names.push_back(expectIdentifier());
  if (isTuple)
    expectOperator(")");
  return target;
}

Statement Parser::parseFor(int line) {
  Statement loop{.kind = Statement::Kind::For, .line = line, .target = parseTarget(false)};
  if (!takeName("in"))
    failAt("in");
  loop.expression = parseTuple(false);
  if (takeName("if"))
    loop.condition = parseExpression();
  if (isName("recursive"))
    fail("for ... recursive is not supported");
  expectBlockEnd();
  loop.body = parseBody({"else", "endfor"});
  bool hasElse = problem.empty() && tokens[position - 1].text == "else";
  expectBlockEnd();
  if (hasElse) {
    loop.otherwise = parseBody({"endfor"});
    expectBlockEnd();
  }
  return loop;
}

Statement Parser::parseSet(int line) {
  Statement set{.kind = Statement::Kind::Set, .line = line, .target = parseTarget(true)};
  if (takeOperator("=")) {
    set.expression = parseTuple(true);
    expectBlockEnd();
    return set;
  }
  expectBlockEnd();
  set.body = parseBody({"endset"});
  expectBlockEnd();
  return set;
}

Statement Parser::parseMacro(int line) {
  Statement macro{.kind = Statement::Kind::Macro, .line = line, .text = expectIdentifier()};
  expectOperator("(");
  while (problem.empty() && !isOperator(")")) {
    std::string name = expectIdentifier();
    macro.parameters.emplace_back(name, takeOperator("=") ? parseExpression() : nullptr);
    if (!takeOperator(","))
      break;
  }
  expectOperator(")");
  expectBlockEnd();
  macro.body = parseBody({"endmacro"});
  expectBlockEnd();
  return macro;
}

Statement Parser::parseFilterBlock(int line) {
  Statement block{.kind = Statement::Kind::Filter, .line = line};
  block.expression = make(Expression::Kind::Filter, expectIdentifier());
  if (takeOperator("("))
    parseArguments(block.expression->arguments);
  expectBlockEnd();
  block.body = parseBody({"endfilter"});
  expectBlockEnd();
  return block;
}

Statement Parser::parseWith(int line) {
  Statement with{.kind = Statement::Kind::With, .line = line};
  while (problem.empty() && peek().kind != Kind::BlockEnd) {
    std::string name = expectIdentifier();
    expectOperator("=");
    with.parameters.emplace_back(name, parseExpression());
    if (!takeOperator(","))
      break;
  }
  expectBlockEnd();
  with.body = parseBody({"endwith"});
  expectBlockEnd();
  return with;
}

Result<Body> forge::chat::parseTemplate(std::string_view source) {
  Result<std::vector<Token>> tokens = tokenize(source);
  if (!tokens)
    return tokens.error();
  Parser parser(std::move(*tokens));
  Body body = parser.parseBody({});
  if (!parser.error().empty())
    return Error{parser.error()};
  return body;
}
