#include "Value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace forge::chat;

Value Value::sequence(List elements, bool isTuple) {
  return Value(State(std::make_shared<const Sequence>(std::move(elements), isTuple)));
}

Value Value::fromJson(const nlohmann::ordered_json &json) {
  switch (json.type()) {
  case nlohmann::ordered_json::value_t::boolean:
    return boolean(json.get<bool>());
  case nlohmann::ordered_json::value_t::number_integer:
    return integer(json.get<int64_t>());
  case nlohmann::ordered_json::value_t::number_unsigned:
    return json.get<uint64_t>() <= INT64_MAX ? integer(json.get<int64_t>())
                                             : number(json.get<double>());
  case nlohmann::ordered_json::value_t::number_float:
    return number(json.get<double>());
  case nlohmann::ordered_json::value_t::string:
    return text(json.get<std::string>());
  case nlohmann::ordered_json::value_t::array: {
    List items;
    for (const auto &item : json)
      items.push_back(fromJson(item));
    return list(std::move(items));
  }
  case nlohmann::ordered_json::value_t::object: {
    Map members;
    for (const auto &[key, member] : json.items())
      members.emplace_back(key, fromJson(member));
    return map(std::move(members));
  }
  default:
    return none();
  }
}

std::optional<int64_t> Value::asInteger() const {
  if (const auto *value = std::get_if<int64_t>(&state))
    return *value;
  if (const bool *value = asBoolean())
    return *value;
  return std::nullopt;
}

std::optional<double> Value::asNumber() const {
  if (const double *value = asFloat())
    return *value;
  if (std::optional<int64_t> value = asInteger())
    return static_cast<double>(*value);
  return std::nullopt;
}

bool Value::truth() const {
  if (std::optional<double> value = asNumber())
    return *value != 0;
  if (const std::string *value = asText())
    return !value->empty();
  if (const List *value = asList())
    return !value->empty();
  if (const Map *value = asMap())
    return !value->empty();
  return asFunction() || asNamespace();
}

const char *Value::typeName() const {
  constexpr const char *names[] = {"undefined", "NoneType", "bool", "int",      "float",
                                   "str",       "list",     "dict", "function", "namespace"};
  return names[state.index()];
}

/// As Python writes a float: the shortest digits that read back, with an exponent from 1e16 on.
static std::string floatText(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  double size = std::abs(value);
  bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  char digits[64];
  auto end = std::to_chars(digits, digits + sizeof digits, value,
                           plain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(digits, end.ptr);
  if (plain && text.find('.') == std::string::npos)
    text += ".0";
  return text;
}

static std::string quoted(const std::string &text) {
  char quote =
      text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\')
      result += std::string("\\") + c;
    else if (c == '\n')
      result += "\\n";
    else if (c == '\r')
      result += "\\r";
    else if (c == '\t')
      result += "\\t";
    else if (byte < 32 || byte == 127) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", byte);
      result += escape;
    } else
      result += c;
  }
  return result + quote;
}

std::string Value::repr() const {
  if (const std::string *value = asText())
    return quoted(*value);
  return isUndefined() ? "Undefined" : str();
}

std::string Value::str() const {
  if (isUndefined())
    return "";
  if (isNone())
    return "None";
  if (const bool *value = asBoolean())
    return *value ? "True" : "False";
  if (std::optional<int64_t> value = asInteger())
    return std::to_string(*value);
  if (const double *value = asFloat())
    return floatText(*value);
  if (const std::string *value = asText())
    return *value;
  std::string text;
  if (const List *value = asList()) {
    for (const Value &item : *value)
      text += (text.empty() ? "" : ", ") + item.repr();
    if (isTuple())
      return "(" + text + (value->size() == 1 ? ",)" : ")");
    return "[" + text + "]";
  }
  if (const Map *value = asMap()) {
    for (const auto &[key, member] : *value)
      text += (text.empty() ? "" : ", ") + quoted(key) + ": " + member.repr();
    return "{" + text + "}";
  }
  return std::string("<") + typeName() + ">";
}

bool Value::operator==(const Value &other) const {
  if (asNumber() && other.asNumber())
    return asInteger() && other.asInteger() ? *asInteger() == *other.asInteger()
                                            : *asNumber() == *other.asNumber();
  if (asList() && other.asList())
    return isTuple() == other.isTuple() && *asList() == *other.asList();
  if (asMap() && other.asMap()) {
    const Map &a = *asMap(), &b = *other.asMap();
    return a.size() == b.size() && std::ranges::all_of(a, [&](const auto &member) {
             const Value *same = findMember(b, member.first);
             return same && *same == member.second;
           });
  }
  if (asNamespace() || asFunction())
    return asNamespace() == other.asNamespace() && asFunction() == other.asFunction();
  if (const std::string *value = asText())
    return other.asText() && *value == *other.asText();
  return (isNone() && other.isNone()) || (isUndefined() && other.isUndefined());
}

std::optional<bool> Value::less(const Value &other) const {
  if (asInteger() && other.asInteger())
    return *asInteger() < *other.asInteger();
  if (asNumber() && other.asNumber())
    return *asNumber() < *other.asNumber();
  // UTF-8 has the order of code points.
  if (asText() && other.asText())
    return *asText() < *other.asText();
  if (!asList() || !other.asList())
    return std::nullopt;
  const List &a = *asList(), &b = *other.asList();
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (!(a[i] == b[i]))
      return a[i].less(b[i]);
  return a.size() < b.size();
}

const Value *forge::chat::findMember(const Map &map, std::string_view name) {
  for (const auto &[key, value] : map)
    if (key == name)
      return &value;
  return nullptr;
}

void forge::chat::setMember(Map &map, const std::string &name, Value value) {
  for (auto &[key, old] : map)
    if (key == name) {
      old = std::move(value);
      return;
    }
  map.emplace_back(name, std::move(value));
}

const Value *Arguments::find(size_t place, std::string_view name) const {
  return place < positional.size() ? &positional[place] : findMember(named, name);
}

namespace {
class JsonWriter {
public:
  explicit JsonWriter(const JsonStyle &style) : style(style) {}

  bool write(const Value &value, int64_t depth) {
    if (value.isNone())
      text += "null";
    else if (const bool *truth = value.asBoolean())
      text += *truth ? "true" : "false";
    else if (value.asNumber())
      text += value.str();
    else if (const std::string *string = value.asText())
      text += nlohmann::json(*string).dump(-1, ' ', style.ensureAscii,
                                           nlohmann::json::error_handler_t::replace);
    else if (const List *list = value.asList())
      return writeItems(*list, depth, '[', ']',
                        [&](const Value &item) { return write(item, depth + 1); });
    else if (const Map *map = value.asMap())
      return writeMap(*map, depth);
    else
      return false;
    return true;
  }

  std::string text;

private:
  bool writeMap(const Map &map, int64_t depth) {
    Map members = map;
    if (style.sortKeys)
      std::ranges::sort(members, {}, [](const auto &member) { return member.first; });
    return writeItems(members, depth, '{', '}', [&](const auto &member) {
      write(Value::text(member.first), depth);
      text += style.keySeparator;
      return write(member.second, depth + 1);
    });
  }

  template <typename Items, typename Write>
  bool writeItems(const Items &items, int64_t depth, char open, char close, Write writeItem) {
    text += open;
    bool first = true;
    for (const auto &item : items) {
      if (!std::exchange(first, false))
        text += style.itemSeparator;
      newLine(depth + 1);
      if (!writeItem(item))
        return false;
    }
    if (!items.empty())
      newLine(depth);
    text += close;
    return true;
  }

  void newLine(int64_t depth) {
    if (style.indent)
      text += "\n" + std::string(static_cast<size_t>(*style.indent * depth), ' ');
  }

  const JsonStyle &style;
};
} // namespace

std::optional<std::string> forge::chat::toJson(const Value &value, const JsonStyle &style) {
  JsonWriter writer(style);
  return writer.write(value, 0) ? std::optional(std::move(writer.text)) : std::nullopt;
}
