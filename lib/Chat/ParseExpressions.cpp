#include "Parser.h"

#include <algorithm>
#include <charconv>

using namespace forge;
using namespace forge::chat;

using Kind = Token::Kind;

ExpressionPtr Parser::make(Expression::Kind kind, std::string text) {
  // Trees are walked by recursion.
  constexpr int mostNodes = 1000;
  if (++numNodes > mostNodes)
    fail("expected a tag of at most " + std::to_string(mostNodes) + " operations");
  return std::make_unique<Expression>(
      Expression{.kind = kind, .line = peek().line, .text = std::move(text)});
}

ExpressionPtr Parser::make(Expression::Kind kind, std::string text, ExpressionPtr first,
                           ExpressionPtr second) {
  ExpressionPtr made = make(kind, std::move(text));
  made->operands.push_back(std::move(first));
  if (second)
    made->operands.push_back(std::move(second));
  return made;
}

ExpressionPtr Parser::parseTuple(bool allowsChoice) {
  auto parse = [&] { return allowsChoice ? parseExpression() : parseOr(); };
  ExpressionPtr first = parse();
  if (!isOperator(","))
    return first;
  ExpressionPtr tuple = make(Expression::Kind::List, "tuple", std::move(first));
  while (takeOperator(",")) {
    bool isLast = peek().kind == Kind::BlockEnd || peek().kind == Kind::PrintEnd ||
                  peek().kind == Kind::End || isOperator(")");
    if (isLast)
      break;
    tuple->operands.push_back(parse());
  }
  return tuple;
}

ExpressionPtr Parser::parseExpression() {
  if (++depth > mostDepth)
    fail("expected at most " + std::to_string(mostDepth) + " levels");
  ExpressionPtr value = parseOr();
  while (takeName("if")) {
    ExpressionPtr condition = parseOr();
    value = make(Expression::Kind::Choice, "", std::move(value), std::move(condition));
    value->operands.push_back(takeName("else") ? parseExpression() : nullptr);
  }
  --depth;
  return value;
}

ExpressionPtr Parser::parseOr() {
  ExpressionPtr left = parseAnd();
  while (takeName("or"))
    left = make(Expression::Kind::Binary, "or", std::move(left), parseAnd());
  return left;
}

ExpressionPtr Parser::parseAnd() {
  ExpressionPtr left = parseNot();
  while (takeName("and"))
    left = make(Expression::Kind::Binary, "and", std::move(left), parseNot());
  return left;
}

ExpressionPtr Parser::parseNot() {
  size_t count = 0;
  while (takeName("not"))
    ++count;
  ExpressionPtr operand = parseComparison();
  if (count == 0)
    return operand;
  operand = make(Expression::Kind::Unary, "not", std::move(operand));
  return count % 2 == 1 ? std::move(operand)
                        : make(Expression::Kind::Unary, "not", std::move(operand));
}

std::string Parser::takeComparison() {
  for (const char *known : {"==", "!=", "<", ">", "<=", ">="})
    if (takeOperator(known))
      return known;
  if (isName("not") && isName("in", 1)) {
    position += 2;
    return "not in";
  }
  return takeName("in") ? "in" : "";
}

ExpressionPtr Parser::parseComparison() {
  ExpressionPtr first = parseBinary(0);
  std::string name = takeComparison();
  if (name.empty())
    return first;
  ExpressionPtr row = make(Expression::Kind::Row, "", std::move(first));
  for (; !name.empty() && problem.empty(); name = takeComparison()) {
    row->names.push_back(name);
    row->operands.push_back(parseBinary(0));
  }
  return row;
}

/// Operators that bind more tightly from level to level, each from the left.
ExpressionPtr Parser::parseBinary(int level) {
  static const std::vector<std::string_view> levels[] = {
      {"+", "-"}, {"~"}, {"*", "//", "/", "%"}, {"**"}};
  if (level == std::size(levels))
    return parseUnary();
  ExpressionPtr left = parseBinary(level + 1);
  while (problem.empty()) {
    auto name = std::ranges::find_if(levels[level],
                                     [&](std::string_view known) { return isOperator(known); });
    if (name == levels[level].end())
      break;
    ++position;
    left =
        make(Expression::Kind::Binary, std::string(*name), std::move(left), parseBinary(level + 1));
  }
  return left;
}

ExpressionPtr Parser::parseUnary(bool allowsFilters) {
  ExpressionPtr operand;
  if (isOperator("-") || isOperator("+")) {
    std::string sign = tokens[position++].text;
    if (++depth > mostDepth)
      fail("expected at most " + std::to_string(mostDepth) + " levels");
    operand = make(Expression::Kind::Unary, sign, parseUnary(/*allowsFilters=*/false));
    --depth;
  } else {
    operand = parsePrimary();
  }
  operand = parsePostfix(std::move(operand));
  return allowsFilters ? parseFilters(std::move(operand)) : std::move(operand);
}

ExpressionPtr Parser::parsePrimary() {
  const Token token = peek();
  ExpressionPtr literal = make(Expression::Kind::Literal);
  switch (token.kind) {
  case Kind::Name:
    ++position;
    if (token.text == "true" || token.text == "True")
      literal->value = Value::boolean(true);
    else if (token.text == "false" || token.text == "False")
      literal->value = Value::boolean(false);
    else if (token.text == "none" || token.text == "None")
      literal->value = Value::none();
    else
      return make(Expression::Kind::Name, token.text);
    return literal;
  case Kind::String: {
    std::string text;
    while (peek().kind == Kind::String)
      text += tokens[position++].text;
    literal->value = Value::text(std::move(text));
    return literal;
  }
  case Kind::Integer: {
    ++position;
    int64_t number = 0;
    auto end = std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
    if (end.ec != std::errc())
      fail("expected a number below 2^63, but got " + token.text.substr(0, 40));
    literal->value = Value::integer(number);
    return literal;
  }
  case Kind::Float: {
    ++position;
    double number = 0;
    std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
    literal->value = Value::number(number);
    return literal;
  }
  default:
    return parseBrackets();
  }
}

/// A tuple or an expression in brackets, a list or a map.
ExpressionPtr Parser::parseBrackets() {
  if (takeOperator("(")) {
    ExpressionPtr inner =
        isOperator(")") ? make(Expression::Kind::List, "tuple") : parseTuple(true);
    expectOperator(")");
    return inner;
  }
  bool isMap = isOperator("{");
  if (!isMap && !isOperator("[")) {
    failAt("an expression");
    return make(Expression::Kind::Literal);
  }
  ++position;
  std::string_view close = isMap ? "}" : "]";
  ExpressionPtr made = make(isMap ? Expression::Kind::Map : Expression::Kind::List);
  while (problem.empty() && !isOperator(close)) {
    made->operands.push_back(parseExpression());
    if (isMap) {
      expectOperator(":");
      made->operands.push_back(parseExpression());
    }
    if (!takeOperator(","))
      break;
  }
  expectOperator(close);
  return made;
}

ExpressionPtr Parser::parsePostfix(ExpressionPtr operand) {
  while (problem.empty()) {
    if (takeOperator(".")) {
      if (peek().kind == Kind::Integer) {
        ExpressionPtr place = parsePrimary();
        operand = make(Expression::Kind::Subscript, "", std::move(operand), std::move(place));
      } else {
        std::string name = expectIdentifier();
        operand = make(Expression::Kind::Member, name, std::move(operand));
      }
    } else if (takeOperator("[")) {
      operand = parseSubscript(std::move(operand));
    } else if (takeOperator("(")) {
      operand = make(Expression::Kind::Call, "", std::move(operand));
      parseArguments(operand->arguments);
    } else {
      break;
    }
  }
  return operand;
}

ExpressionPtr Parser::parseSubscript(ExpressionPtr operand) {
  ExpressionPtr parts[3];
  int count = 0;
  bool isSlice = false;
  for (; count < 3; ++count) {
    if (!isOperator(":") && !isOperator("]"))
      parts[count] = parseExpression();
    if (!takeOperator(":"))
      break;
    isSlice = true;
  }
  expectOperator("]");
  ExpressionPtr made =
      make(isSlice ? Expression::Kind::Slice : Expression::Kind::Subscript, "", std::move(operand));
  if (!isSlice && !parts[0])
    fail("expected an expression between [ and ]");
  for (int i = 0; i < (isSlice ? 3 : 1); ++i)
    made->operands.push_back(std::move(parts[i]));
  return made;
}

/// What is behind an opening bracket.
void Parser::parseArguments(CallArguments &arguments) {
  while (problem.empty() && !isOperator(")")) {
    if (isOperator("*") || isOperator("**"))
      fail("* and ** of arguments are not supported");
    if (peek().kind == Kind::Name && isOperator("=", 1)) {
      std::string name = expectIdentifier();
      ++position;
      arguments.named.emplace_back(name, parseExpression());
    } else {
      arguments.positional.push_back(parseExpression());
    }
    if (!takeOperator(","))
      break;
  }
  expectOperator(")");
}

ExpressionPtr Parser::parseFilters(ExpressionPtr operand) {
  while (problem.empty()) {
    if (takeOperator("|")) {
      std::string name = expectIdentifier();
      operand = make(Expression::Kind::Filter, name, std::move(operand));
      if (takeOperator("("))
        parseArguments(operand->arguments);
    } else if (takeName("is")) {
      operand = parseTest(std::move(operand));
    } else if (takeOperator("(")) {
      operand = make(Expression::Kind::Call, "", std::move(operand));
      parseArguments(operand->arguments);
    } else {
      break;
    }
  }
  return operand;
}

ExpressionPtr Parser::parseTest(ExpressionPtr operand) {
  bool isNegated = takeName("not");
  std::string name = expectIdentifier();
  ExpressionPtr test = make(Expression::Kind::Test, name, std::move(operand));
  const Token &next = peek();
  bool isWord = next.kind == Kind::Name && next.text != "else" && next.text != "or" &&
                next.text != "and" && next.text != "is" && next.text != "if" && next.text != "in" &&
                next.text != "not" && next.text != "recursive";
  bool isLiteral = next.kind == Kind::String || next.kind == Kind::Integer ||
                   next.kind == Kind::Float || isOperator("[") || isOperator("{");
  if (takeOperator("("))
    parseArguments(test->arguments);
  else if (isWord || isLiteral)
    test->arguments.positional.push_back(parsePostfix(parsePrimary()));
  return isNegated ? make(Expression::Kind::Unary, "not", std::move(test)) : std::move(test);
}
