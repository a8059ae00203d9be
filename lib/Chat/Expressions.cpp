#include "Interpreter.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::chat;

/// Elements of a list, so that adding lists to themselves ends.
static constexpr size_t mostElements = 1'000'000;

Value Interpreter::evaluateKind(const Expression &expression, const ScopePtr &scope) {
  const auto &operands = expression.operands;
  auto operand = [&](size_t i) { return evaluate(*operands[i], scope); };
  switch (expression.kind) {
  case Expression::Kind::Literal:
    return expression.value;
  case Expression::Kind::Name: {
    const Value *value = scope->find(expression.text);
    return value ? *value : Value::undefined(expression.text);
  }
  case Expression::Kind::List: {
    List elements;
    for (size_t i = 0; i < operands.size(); ++i)
      elements.push_back(operand(i));
    return expression.text.empty() ? Value::list(std::move(elements))
                                   : Value::tuple(std::move(elements));
  }
  case Expression::Kind::Map:
    return evaluateMap(expression, scope);
  case Expression::Kind::Member: {
    Value value = operand(0);
    return failed() ? Value() : memberOf(value, expression.text);
  }
  case Expression::Kind::Subscript: {
    Value value = operand(0), place = operand(1);
    return failed() ? Value() : subscript(value, place);
  }
  case Expression::Kind::Slice: {
    Value value = operand(0), bounds[3];
    for (size_t i = 0; i < 3; ++i)
      bounds[i] = operands[i + 1] ? operand(i + 1) : Value::none();
    return failed() ? Value() : slice(value, bounds);
  }
  case Expression::Kind::Call: {
    Value function = operand(0);
    Arguments arguments = evaluateArguments(expression.arguments, scope);
    return failed() ? Value() : call(function, arguments);
  }
  case Expression::Kind::Filter: {
    Value value = operand(0);
    Arguments arguments = evaluateArguments(expression.arguments, scope);
    return failed() ? Value() : applyFilter(expression.text, value, arguments);
  }
  case Expression::Kind::Test: {
    Value value = operand(0);
    Arguments arguments = evaluateArguments(expression.arguments, scope);
    return failed() ? Value() : Value::boolean(applyTest(expression.text, value, arguments));
  }
  case Expression::Kind::Unary:
    return evaluateUnary(expression, scope);
  case Expression::Kind::Binary:
    return evaluateBinary(expression, scope);
  case Expression::Kind::Row:
    return evaluateRow(expression, scope);
  case Expression::Kind::Choice:
    if (operand(1).truth())
      return operand(0);
    return operands[2] ? operand(2) : Value();
  }
  return Value();
}

Value Interpreter::evaluateMap(const Expression &expression, const ScopePtr &scope) {
  Map members;
  for (size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
    Value key = evaluate(*expression.operands[i], scope);
    if (failed() || !key.asText())
      return fail("expected a text as key, but got " + key.repr());
    setMember(members, *key.asText(), evaluate(*expression.operands[i + 1], scope));
  }
  return Value::map(std::move(members));
}

Value Interpreter::evaluateUnary(const Expression &expression, const ScopePtr &scope) {
  Value value = evaluate(*expression.operands[0], scope);
  if (failed())
    return Value();
  if (expression.text == "not")
    return Value::boolean(!value.truth());
  return arithmetic(expression.text, Value::integer(0), value);
}

Value Interpreter::evaluateRow(const Expression &expression, const ScopePtr &scope) {
  Value left = evaluate(*expression.operands[0], scope), result;
  for (size_t i = 0; i < expression.names.size() && !failed(); ++i) {
    const std::string &name = expression.names[i];
    Value right = evaluate(*expression.operands[i + 1], scope);
    if (failed())
      return Value();
    result = name == "in"       ? contains(right, left)
             : name == "not in" ? Value::boolean(!contains(right, left).truth())
                                : compare(name, left, right);
    // The others are not looked at.
    if (!result.truth())
      return result;
    left = std::move(right);
  }
  return result;
}

Value Interpreter::evaluateBinary(const Expression &expression, const ScopePtr &scope) {
  const std::string &name = expression.text;
  Value left = evaluate(*expression.operands[0], scope);
  if ((name == "and" && !left.truth()) || (name == "or" && left.truth()))
    return left;
  Value right = evaluate(*expression.operands[1], scope);
  if (failed() || name == "and" || name == "or")
    return right;
  if (name == "~")
    return makeText(left.str() + right.str());
  if (name == "+")
    return add(left, right);
  return arithmetic(name, left, right);
}

Value Interpreter::compare(const std::string &name, const Value &left, const Value &right) {
  if (name == "==" || name == "!=")
    return Value::boolean((left == right) == (name == "=="));
  // a > b is b < a, and a <= b is not b < a.
  bool isSwapped = name == ">" || name == "<=", isNegated = name == "<=" || name == ">=";
  std::optional<bool> isLess = isSwapped ? right.less(left) : left.less(right);
  if (!isLess)
    return fail("expected operands of " + name + " that have an order, but got " + left.typeName() +
                " and " + right.typeName());
  return Value::boolean(*isLess != isNegated);
}

Value Interpreter::contains(const Value &container, const Value &value) {
  if (const std::string *text = container.asText()) {
    if (const std::string *part = value.asText())
      return Value::boolean(text->find(*part) != std::string::npos);
    return fail(std::string("expected a text to look for in a text, but got ") + value.typeName());
  }
  if (const List *list = container.asList())
    return Value::boolean(std::ranges::find(*list, value) != list->end());
  if (const Map *map = container.asMap())
    return Value::boolean(value.asText() && findMember(*map, *value.asText()));
  if (container.isUndefined())
    return Value::boolean(false);
  return fail(std::string("expected a text, a list or a map behind in, but got ") +
              container.typeName());
}

Value Interpreter::add(const Value &left, const Value &right) {
  if (left.asText() && right.asText())
    return makeText(*left.asText() + *right.asText());
  if (left.asList() && right.asList() && left.isTuple() == right.isTuple()) {
    List both = *left.asList();
    both.insert(both.end(), right.asList()->begin(), right.asList()->end());
    if (both.size() > mostElements)
      return fail("expected a list of at most " + std::to_string(mostElements) + " elements");
    charge(8 * both.size());
    return left.isTuple() ? Value::tuple(std::move(both)) : Value::list(std::move(both));
  }
  return arithmetic("+", left, right);
}

/// Python's, on 64 bits; nothing where the result does not fit or there is none.
static std::optional<int64_t> integerResult(const std::string &name, int64_t a, int64_t b) {
  int64_t result = 0;
  if (name == "+")
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (name == "-")
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (name == "*")
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (name == "**") {
    if (b < 0)
      return std::nullopt;
    result = 1;
    for (int64_t i = 0; i < b && (a < -1 || a > 1 || i < 2 + b % 2); ++i)
      if (__builtin_mul_overflow(result, a, &result))
        return std::nullopt;
    return result;
  }
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  // Towards minus infinity.
  int64_t quotient = a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
  return name == "//" ? quotient : a - quotient * b;
}

Value Interpreter::repeated(const List &list, int64_t count) {
  constexpr int64_t most = 100'000;
  count = list.empty() ? 0 : std::max<int64_t>(count, 0);
  if (count > most / std::max<int64_t>(static_cast<int64_t>(list.size()), 1))
    return fail("expected a list of at most " + std::to_string(most) + " elements");
  List result;
  for (int64_t i = 0; i < count; ++i)
    result.insert(result.end(), list.begin(), list.end());
  charge(8 * result.size());
  return Value::list(std::move(result));
}

Value Interpreter::arithmetic(const std::string &name, const Value &left, const Value &right) {
  std::optional<int64_t> a = left.asInteger(), b = right.asInteger();
  if (left.asText() && b && name == "*") {
    const std::string &part = *left.asText();
    int64_t count = part.empty() ? 0 : std::max<int64_t>(*b, 0);
    if (count > static_cast<int64_t>(mostText / std::max<size_t>(part.size(), 1)))
      return fail("expected a text of at most " + std::to_string(mostText) + " bytes");
    std::string text;
    for (int64_t i = 0; i < count; ++i)
      text += part;
    return makeText(std::move(text));
  }
  if (left.asList() && b && name == "*")
    return repeated(*left.asList(), *b);
  std::optional<double> x = left.asNumber(), y = right.asNumber();
  if (!x || !y)
    return fail("expected operands of " + name + " that it can take, but got " + left.typeName() +
                (left.undefinedName() ? " '" + *left.undefinedName() + "'" : "") + " and " +
                right.typeName() +
                (right.undefinedName() ? " '" + *right.undefinedName() + "'" : ""));
  if (a && b && name != "/") {
    std::optional<int64_t> result = integerResult(name, *a, *b);
    return result ? Value::integer(*result)
                  : fail("expected a result of 64 bits of " + left.str() + " " + name + " " +
                         right.str());
  }
  if (*y == 0 && (name == "/" || name == "//" || name == "%"))
    return fail("expected a divisor other than 0");
  double floor = std::floor(*x / *y);
  return Value::number(name == "+"    ? *x + *y
                       : name == "-"  ? *x - *y
                       : name == "*"  ? *x * *y
                       : name == "/"  ? *x / *y
                       : name == "//" ? floor
                       : name == "%"  ? *x - floor * *y
                                      : std::pow(*x, *y));
}

Value Interpreter::call(const Value &function, const Arguments &arguments) {
  if (const Function *callee = function.asFunction()) {
    Function kept = *callee;
    return kept(*this, arguments);
  }
  if (const std::string *name = function.undefinedName())
    return fail("'" + *name + "' is undefined: it cannot be called");
  return fail(std::string("expected a function to call, but got ") + function.typeName());
}

Value Interpreter::memberOf(const Value &value, const std::string &name) {
  if (const std::string *undefined = value.undefinedName())
    return fail("'" + *undefined + "' is undefined: it has no member " + name);
  if (const Map *members = value.asNamespace()) {
    const Value *found = findMember(*members, name);
    return found ? *found : Value::undefined(name);
  }
  Value method = methodOf(value, name);
  const Map *map = value.asMap();
  const Value *found = map && method.isUndefined() ? findMember(*map, name) : nullptr;
  return found ? *found : method.isUndefined() ? Value::undefined(name) : method;
}

Value Interpreter::subscript(const Value &value, const Value &place) {
  if (const std::string *undefined = value.undefinedName())
    return fail("'" + *undefined + "' is undefined: it has no element " + place.repr());
  if (const std::string *name = place.asText()) {
    const Map *map = value.asMap() ? value.asMap() : value.asNamespace();
    const Value *found = map ? findMember(*map, *name) : nullptr;
    if (found)
      return *found;
    Value method = methodOf(value, *name);
    return method.isUndefined() ? Value::undefined(*name) : method;
  }
  if (!value.asText() && !value.asList())
    return Value::undefined(place.str());
  List elements = elementsOf(value);
  std::optional<int64_t> index = place.asInteger();
  auto count = static_cast<int64_t>(elements.size());
  if (index && *index < 0)
    *index += count;
  return index && *index >= 0 && *index < count ? elements[static_cast<size_t>(*index)]
                                                : Value::undefined(place.str());
}

Value Interpreter::slice(const Value &value, const Value bounds[3]) {
  if (!value.asText() && !value.asList())
    return fail(std::string("expected a text or a list to take a part of, but got ") +
                value.typeName());
  for (int i = 0; i < 3; ++i)
    if (!bounds[i].isNone() && !bounds[i].asInteger())
      return fail("expected integers between [ and ], but got " + bounds[i].repr());
  List elements = elementsOf(value), part;
  auto count = static_cast<int64_t>(elements.size());
  int64_t step = bounds[2].asInteger().value_or(1);
  if (step == 0)
    return fail("expected a step other than 0");
  auto bound = [&](const Value &given, int64_t otherwise) {
    std::optional<int64_t> place = given.asInteger();
    if (!place)
      return otherwise;
    return std::clamp<int64_t>(*place < 0 ? *place + count : *place, step < 0 ? -1 : 0,
                               step < 0 ? count - 1 : count);
  };
  int64_t begin = bound(bounds[0], step < 0 ? count - 1 : 0);
  int64_t end = bound(bounds[1], step < 0 ? -1 : count);
  step = std::clamp<int64_t>(step, -count - 1, count + 1);
  for (int64_t i = begin; step < 0 ? i > end : i < end; i += step)
    part.push_back(elements[static_cast<size_t>(i)]);
  if (!value.asText())
    return value.isTuple() ? Value::tuple(std::move(part)) : Value::list(std::move(part));
  std::string text;
  for (const Value &character : part)
    text += *character.asText();
  return Value::text(std::move(text));
}

List Interpreter::elementsOf(const Value &value) {
  if (const List *list = value.asList()) {
    charge(8 * list->size());
    return *list;
  }
  List elements;
  if (const Map *map = value.asMap()) {
    for (const auto &[key, member] : *map)
      elements.push_back(Value::text(key));
  } else if (const std::string *text = value.asText()) {
    charge(8 * text->size());
    for (std::string &character : charactersOf(*text))
      elements.push_back(Value::text(std::move(character)));
  } else if (!value.isUndefined()) {
    fail(std::string("expected a list, a map or a text, but got ") + value.typeName());
  }
  return elements;
}
