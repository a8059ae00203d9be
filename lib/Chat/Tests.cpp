// Tests: value is name.
#include "Interpreter.h"

using namespace forge;
using namespace forge::chat;

using Test = bool (*)(const Value &value);

static bool isNumber(const Value &value) { return value.asNumber().has_value(); }
static bool isInteger(const Value &value) { return value.asInteger() && !value.asBoolean(); }
static bool isSequence(const Value &value) {
  return value.asText() || value.asList() || value.asMap();
}

static constexpr std::pair<const char *, Test> tests[] = {
    {"boolean", [](const Value &value) { return value.asBoolean() != nullptr; }},
    {"callable", [](const Value &value) { return value.asFunction() != nullptr; }},
    {"defined", [](const Value &value) { return !value.isUndefined(); }},
    {"even", [](const Value &value) { return value.asInteger().value_or(1) % 2 == 0; }},
    {"false", [](const Value &value) { return value.asBoolean() && !*value.asBoolean(); }},
    {"float", [](const Value &value) { return value.asFloat() != nullptr; }},
    {"integer", isInteger},
    {"iterable", [](const Value &value) { return isSequence(value) || value.isUndefined(); }},
    {"lower", [](const Value &value) { return isLower(value.str()); }},
    {"mapping", [](const Value &value) { return value.asMap() != nullptr; }},
    {"none", [](const Value &value) { return value.isNone(); }},
    {"number", isNumber},
    {"odd", [](const Value &value) { return value.asInteger().value_or(0) % 2 != 0; }},
    {"sequence", [](const Value &value) { return isSequence(value) || value.isUndefined(); }},
    {"string", [](const Value &value) { return value.asText() != nullptr; }},
    {"true", [](const Value &value) { return value.asBoolean() && *value.asBoolean(); }},
    {"undefined", [](const Value &value) { return value.isUndefined(); }},
    {"upper", [](const Value &value) { return isUpper(value.str()); }},
};

/// Tests that compare, by the operator they are.
static constexpr std::pair<const char *, const char *> comparisons[] = {
    {"==", "=="}, {"eq", "=="}, {"equalto", "=="},    {"ge", ">="},
    {"gt", ">"},  {"le", "<="}, {"greaterthan", ">"}, {"lessthan", "<"},
    {"lt", "<"},  {"ne", "!="}, {"sameas", "=="}};

bool Interpreter::applyTest(const std::string &name, const Value &value,
                            const Arguments &arguments) {
  for (auto [known, test] : tests)
    if (name == known)
      return test(value);
  const Value *other = arguments.find(0, "other");
  for (auto [known, comparison] : comparisons)
    if (name == known)
      return other ? compare(comparison, value, *other).truth()
                   : fail(name + ": expected a value to compare with").truth();
  if (name == "in" && other)
    return contains(*other, value).truth();
  if (name == "divisibleby" && other) {
    std::optional<int64_t> number = value.asInteger(), divisor = other->asInteger();
    if (number && divisor && *divisor != 0)
      return *divisor == -1 || *number % *divisor == 0;
    return fail("divisibleby: expected integers, and none of them to divide by 0").truth();
  }
  return fail("there is no test '" + name + "'").truth();
}
