// Between the files of lib/Chat: what expressions of a template evaluate to.
#ifndef FORGE_LIB_CHAT_VALUE_H
#define FORGE_LIB_CHAT_VALUE_H

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace forge::chat {

class Interpreter;
class Value;
struct Arguments;

using List = std::vector<Value>;
/// In the order of insertion.
using Map = std::vector<std::pair<std::string, Value>>;
using Function = std::function<Value(Interpreter &, const Arguments &)>;

/// A value of Python. Lists and maps are shared, and only a namespace is ever changed.
class Value {
public:
  struct Undefined {
    std::string name;
    bool operator==(const Undefined &) const { return true; }
  };
  struct None {
    bool operator==(const None &) const { return true; }
  };
  /// The object of namespace().
  struct Namespace {
    std::shared_ptr<Map> members;
  };

  Value() : state(Undefined{}) {}
  static Value none() { return Value(State(None{})); }
  static Value undefined(std::string name) { return Value(State(Undefined{std::move(name)})); }
  static Value boolean(bool value) { return Value(State(value)); }
  static Value integer(int64_t value) { return Value(State(value)); }
  static Value number(double value) { return Value(State(value)); }
  static Value text(std::string value) { return Value(State(std::move(value))); }
  static Value list(List value) { return sequence(std::move(value), /*isTuple=*/false); }
  static Value tuple(List value) { return sequence(std::move(value), /*isTuple=*/true); }
  static Value map(Map value) {
    return Value(State(std::make_shared<const Map>(std::move(value))));
  }
  static Value function(Function value) {
    return Value(State(std::make_shared<const Function>(std::move(value))));
  }
  static Value nameSpace(Map members) {
    return Value(State(Namespace{std::make_shared<Map>(std::move(members))}));
  }
  static Value fromJson(const nlohmann::ordered_json &json);

  bool isUndefined() const { return std::holds_alternative<Undefined>(state); }
  bool isNone() const { return std::holds_alternative<None>(state); }
  const std::string *undefinedName() const {
    auto *value = std::get_if<Undefined>(&state);
    return value ? &value->name : nullptr;
  }
  const bool *asBoolean() const { return std::get_if<bool>(&state); }
  const double *asFloat() const { return std::get_if<double>(&state); }
  const std::string *asText() const { return std::get_if<std::string>(&state); }
  /// Of a tuple too.
  const List *asList() const;
  bool isTuple() const;
  const Map *asMap() const { return pointer<Map>(); }
  const Function *asFunction() const { return pointer<Function>(); }
  Map *asNamespace() const {
    auto *value = std::get_if<Namespace>(&state);
    return value ? value->members.get() : nullptr;
  }
  /// An integer or a truth value.
  std::optional<int64_t> asInteger() const;
  /// Any number.
  std::optional<double> asNumber() const;

  /// Python's bool().
  bool truth() const;
  /// Python's str() and repr(); nothing is printed of what is undefined.
  std::string str() const;
  std::string repr() const;
  /// The name of the type in Python.
  const char *typeName() const;

  bool operator==(const Value &other) const;
  /// Python's <, or nothing where the types have no order.
  std::optional<bool> less(const Value &other) const;

private:
  struct Sequence;
  static Value sequence(List elements, bool isTuple);

  using State = std::variant<Undefined, None, bool, int64_t, double, std::string,
                             std::shared_ptr<const Sequence>, std::shared_ptr<const Map>,
                             std::shared_ptr<const Function>, Namespace>;
  explicit Value(State state) : state(std::move(state)) {}
  template <typename T> const T *pointer() const {
    auto *value = std::get_if<std::shared_ptr<const T>>(&state);
    return value ? value->get() : nullptr;
  }

  State state;
};

struct Value::Sequence {
  List elements;
  bool isTuple;
};

inline const List *Value::asList() const {
  const Sequence *value = pointer<Sequence>();
  return value ? &value->elements : nullptr;
}

inline bool Value::isTuple() const {
  const Sequence *value = pointer<Sequence>();
  return value && value->isTuple;
}

/// What a function is called with.
struct Arguments {
  List positional;
  Map named;

  /// The argument at a place, or of a name; null where it is not given.
  const Value *find(size_t place, std::string_view name) const;
};

/// The member of a name, or null.
const Value *findMember(const Map &map, std::string_view name);
void setMember(Map &map, const std::string &name, Value value);

/// How JSON is written.
struct JsonStyle {
  std::optional<int64_t> indent;
  std::string itemSeparator = ", ", keySeparator = ": ";
  bool sortKeys = false, ensureAscii = false;
};

/// As Python's json.dumps; nothing where a value has no JSON.
std::optional<std::string> toJson(const Value &value, const JsonStyle &style);

} // namespace forge::chat

#endif // FORGE_LIB_CHAT_VALUE_H
