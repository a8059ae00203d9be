// Filters (value | name) and tests (value is name).
#include "Interpreter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

using namespace forge;
using namespace forge::chat;

namespace {
/// What a filter is applied to.
struct Use {
  Interpreter &interpreter;
  const std::string &name;
  const Value &value;
  const Arguments &arguments;

  Value fail(const std::string &message) const { return interpreter.fail(name + ": " + message); }
  List elements() const { return interpreter.elementsOf(value); }
  bool flag(size_t place, const char *key) const {
    const Value *given = arguments.find(place, key);
    return given && given->truth();
  }
  std::string text(size_t place, const char *key, const std::string &otherwise) const {
    const Value *given = arguments.find(place, key);
    return given && !given->isNone() ? given->str() : otherwise;
  }
  std::optional<int64_t> integer(size_t place, const char *key) const {
    const Value *given = arguments.find(place, key);
    return given ? given->asInteger() : std::nullopt;
  }
};

using Filter = Value (*)(const Use &use);
} // namespace

/// `value.a.b`, for an attribute written "a.b".
static Value attributeOf(const Use &use, const Value &value, const std::string &path) {
  Value member = value;
  for (size_t begin = 0; begin <= path.size() && !use.interpreter.failed();) {
    size_t end = std::min(path.find('.', begin), path.size());
    std::string name = path.substr(begin, end - begin);
    const Map *map = member.asMap();
    const Value *found = map ? findMember(*map, name) : nullptr;
    member = found ? *found
                   : Value(map ? Value::undefined(name) : use.interpreter.memberOf(member, name));
    begin = end + 1;
  }
  return member;
}

static Value length(const Use &use) {
  if (const std::string *text = use.value.asText())
    return Value::integer(static_cast<int64_t>(lengthOf(*text)));
  return Value::integer(static_cast<int64_t>(use.elements().size()));
}

static Value tojson(const Use &use) {
  JsonStyle style{.indent = use.integer(1, "indent")};
  // As transformers has it: not behind positions, but by name, and ensure_ascii first.
  style.ensureAscii = use.flag(0, "ensure_ascii");
  style.sortKeys = use.flag(3, "sort_keys");
  if (style.indent) {
    style.itemSeparator = ",";
    style.indent = std::clamp<int64_t>(*style.indent, 0, 64);
  }
  if (const Value *separators = use.arguments.find(2, "separators"))
    if (const List *two = separators->asList(); two && two->size() == 2) {
      style.itemSeparator = (*two)[0].str();
      style.keySeparator = (*two)[1].str();
    }
  std::optional<std::string> text = toJson(use.value, style);
  return text ? use.interpreter.makeText(std::move(*text))
              : use.fail("expected a value that JSON has, but got " + use.value.repr());
}

static Value join(const Use &use) {
  std::string between = use.text(0, "d", ""), attribute = use.text(1, "attribute", ""), joined;
  bool isFirst = true;
  for (const Value &value : use.elements()) {
    joined += std::exchange(isFirst, false) ? "" : between;
    joined += (attribute.empty() ? value : attributeOf(use, value, attribute)).str();
    use.interpreter.charge(between.size() + 64);
  }
  return use.interpreter.makeText(std::move(joined));
}

static Value orDefault(const Use &use) {
  const Value *otherwise = use.arguments.find(0, "default_value");
  bool isMissing = use.value.isUndefined() || (use.flag(1, "boolean") && !use.value.truth());
  return isMissing ? (otherwise ? *otherwise : Value::text("")) : use.value;
}

template <typename Number> static std::optional<Number> parseNumber(const Value &value) {
  std::string text = value.asText() ? stripText(*value.asText(), nullptr) : "";
  Number number = 0;
  auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  bool isWhole = end.ec == std::errc() && end.ptr == text.data() + text.size();
  return isWhole ? std::optional(number) : std::nullopt;
}

static Value toInteger(const Use &use) {
  std::optional<int64_t> number = use.value.asInteger();
  if (!number)
    number = parseNumber<int64_t>(use.value);
  std::optional<double> real =
      use.value.asFloat() ? *use.value.asFloat() : parseNumber<double>(use.value);
  if (!number && real && std::abs(*real) < 9e18)
    number = static_cast<int64_t>(*real);
  return Value::integer(number ? *number : use.integer(0, "default").value_or(0));
}

static Value toFloat(const Use &use) {
  std::optional<double> number = use.value.asNumber();
  return Value::number(number ? *number : parseNumber<double>(use.value).value_or(0));
}

static Value roundNumber(const Use &use) {
  std::optional<double> value = use.value.asNumber();
  if (!value)
    return use.fail("expected a number, but got " + use.value.repr());
  double scale = std::pow(10.0, static_cast<double>(use.integer(0, "precision").value_or(0)));
  std::string method = use.text(1, "method", "common");
  double scaled = *value * scale;
  return Value::number((method == "ceil"    ? std::ceil(scaled)
                        : method == "floor" ? std::floor(scaled)
                                            : std::nearbyint(scaled)) /
                       scale);
}

/// The places of items in order; of equal ones the first comes first.
template <typename Items, typename Less>
static std::vector<size_t> stableOrder(const Items &items, Less less) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return less(items[a], items[b]) || (!less(items[b], items[a]) && a < b);
  });
  return order;
}

/// Sorted; texts without regard to case unless asked for.
static List sorted(const Use &use, List list, const std::string &attribute, bool isCaseSensitive) {
  auto keyOf = [&](const Value &value) {
    Value key = attribute.empty() ? value : attributeOf(use, value, attribute);
    return key.asText() && !isCaseSensitive ? Value::text(lowerText(*key.asText())) : key;
  };
  std::vector<std::pair<Value, Value>> keyed;
  for (Value &value : list)
    keyed.emplace_back(keyOf(value), value);
  for (size_t i = 1; i < keyed.size(); ++i)
    if (!keyed[0].first.less(keyed[i].first)) {
      use.fail("expected values that have an order");
      return {};
    }
  use.interpreter.charge(64 * list.size());
  std::vector<size_t> order = stableOrder(
      keyed, [](const auto &a, const auto &b) { return a.first.less(b.first).value_or(false); });
  for (size_t i = 0; i < order.size(); ++i)
    list[i] = keyed[order[i]].second;
  return list;
}

static Value sort(const Use &use) {
  List list =
      sorted(use, use.elements(), use.text(2, "attribute", ""), use.flag(1, "case_sensitive"));
  if (use.flag(0, "reverse"))
    std::ranges::reverse(list);
  return Value::list(std::move(list));
}

static Value dictsort(const Use &use) {
  const Map *map = use.value.asMap();
  if (!map)
    return use.fail("expected a map, but got " + use.value.repr());
  std::vector<size_t> order = stableOrder(
      *map, [](const auto &a, const auto &b) { return lowerText(a.first) < lowerText(b.first); });
  use.interpreter.charge(1024 * order.size());
  List items;
  for (size_t place : order)
    items.push_back(Value::tuple({Value::text((*map)[place].first), (*map)[place].second}));
  return Value::list(std::move(items));
}

/// Texts without regard to case, unless asked for.
static Value unique(const Use &use) {
  List list, seen;
  bool isCaseSensitive = use.flag(0, "case_sensitive");
  for (const Value &value : use.elements()) {
    use.interpreter.charge(64 * list.size());
    Value key =
        value.asText() && !isCaseSensitive ? Value::text(lowerText(*value.asText())) : value;
    if (use.interpreter.failed() || std::ranges::find(seen, key) != seen.end())
      continue;
    seen.push_back(std::move(key));
    list.push_back(value);
  }
  return Value::list(std::move(list));
}

/// map(attribute="a", default=x), or map("filter", arguments...).
static Value mapElements(const Use &use) {
  List list;
  std::string attribute = use.text(SIZE_MAX, "attribute", "");
  if (attribute.empty() &&
      (use.arguments.positional.empty() || !use.arguments.positional[0].asText()))
    return use.fail("expected an attribute or a filter");
  Arguments rest = use.arguments;
  if (attribute.empty())
    rest.positional.erase(rest.positional.begin());
  const Value *otherwise = findMember(use.arguments.named, "default");
  for (const Value &value : use.elements()) {
    Value made =
        attribute.empty()
            ? use.interpreter.applyFilter(*use.arguments.positional[0].asText(), value, rest)
            : attributeOf(use, value, attribute);
    list.push_back(made.isUndefined() && otherwise ? *otherwise : made);
  }
  return Value::list(std::move(list));
}

/// select, reject, selectattr and rejectattr: elements, or their attributes, that pass a test.
static Value selectElements(const Use &use) {
  bool byAttribute = use.name.ends_with("attr"), keeps = use.name.starts_with("select");
  Arguments rest = use.arguments;
  auto take = [&]() -> std::string {
    if (rest.positional.empty())
      return "";
    std::string text = rest.positional[0].str();
    rest.positional.erase(rest.positional.begin());
    return text;
  };
  std::string attribute = byAttribute ? take() : "", test = take();
  if (byAttribute && attribute.empty())
    return use.fail("expected the name of an attribute");
  List list;
  for (const Value &value : use.elements()) {
    Value tested = byAttribute ? attributeOf(use, value, attribute) : value;
    bool passes = test.empty() ? tested.truth() : use.interpreter.applyTest(test, tested, rest);
    if (passes == keeps)
      list.push_back(value);
  }
  return Value::list(std::move(list));
}

static Value indent(const Use &use) {
  const Value *given = use.arguments.find(0, "width");
  std::string space = given && given->asText()
                          ? *given->asText()
                          : std::string(static_cast<size_t>(std::clamp<int64_t>(
                                            use.integer(0, "width").value_or(4), 0, 1000)),
                                        ' ');
  std::string text = use.value.str(), result;
  bool indentsBlank = use.flag(2, "blank");
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    bool isIndented = begin == 0 ? use.flag(1, "first") : indentsBlank || end > begin;
    result +=
        (begin == 0 ? "" : "\n") + (isIndented ? space : "") + text.substr(begin, end - begin);
    use.interpreter.charge(space.size() + end - begin);
    begin = end + 1;
  }
  return use.interpreter.makeText(std::move(result));
}

/// The first or the last element, or the least or the largest.
static Value pick(const Use &use) {
  List list = use.elements();
  if (list.empty())
    return Value::undefined("the " + use.name + " of nothing");
  if (use.name == "first" || use.name == "last")
    return use.name == "first" ? list.front() : list.back();
  list = sorted(use, std::move(list), use.text(1, "attribute", ""), use.flag(0, "case_sensitive"));
  return list.empty() ? Value() : use.name == "min" ? list.front() : list.back();
}

static Value sum(const Use &use) {
  std::string attribute = use.text(0, "attribute", "");
  double total = 0;
  int64_t whole = 0;
  bool isWhole = true;
  for (const Value &element : use.elements()) {
    Value value = attribute.empty() ? element : attributeOf(use, element, attribute);
    if (!value.asNumber())
      return use.fail("expected numbers, but got " + value.repr());
    total += *value.asNumber();
    isWhole =
        isWhole && value.asInteger() && !__builtin_add_overflow(whole, *value.asInteger(), &whole);
  }
  return isWhole ? Value::integer(whole) : Value::number(total);
}

static Value escapeText(const Use &use) {
  std::string result;
  for (char c : use.value.str())
    result += c == '&'    ? "&amp;"
              : c == '<'  ? "&lt;"
              : c == '>'  ? "&gt;"
              : c == '\'' ? "&#39;"
              : c == '"'  ? "&#34;"
                          : std::string(1, c);
  return use.interpreter.makeText(std::move(result));
}

static Value absolute(const Use &use) {
  if (std::optional<int64_t> number = use.value.asInteger(); number && *number != INT64_MIN)
    return Value::integer(std::abs(*number));
  return use.value.asNumber() ? Value::number(std::abs(*use.value.asNumber()))
                              : use.fail("expected a number, but got " + use.value.repr());
}

static Value reverse(const Use &use) {
  List list = use.elements();
  std::ranges::reverse(list);
  if (!use.value.asText())
    return Value::list(std::move(list));
  std::string text;
  for (const Value &character : list)
    text += character.str();
  return Value::text(std::move(text));
}

static Value trim(const Use &use) {
  const Value *characters = use.arguments.find(0, "chars");
  std::string text = use.value.str();
  use.interpreter.charge(16 * text.size());
  return Value::text(stripText(text, characters ? characters->asText() : nullptr));
}

static Value replaceAll(const Use &use) {
  std::string from = use.text(0, "old", ""), to = use.text(1, "new", ""), text = use.value.str();
  if (!to.empty() && text.size() + 1 > Interpreter::mostText / to.size())
    return use.fail("expected a shorter text");
  return use.interpreter.makeText(
      replaceText(text, from, to, use.integer(2, "count").value_or(INT64_MAX)));
}

static constexpr std::pair<const char *, Filter> filters[] = {
    {"abs", absolute},
    {"capitalize", [](const Use &use) { return Value::text(capitalText(use.value.str())); }},
    {"count", length},
    {"d", orDefault},
    {"default", orDefault},
    {"dictsort", dictsort},
    {"e", escapeText},
    {"escape", escapeText},
    {"first", pick},
    {"float", toFloat},
    {"indent", indent},
    {"int", toInteger},
    {"items",
     [](const Use &use) {
       return use.value.isUndefined()
                  ? Value::list({})
                  : use.interpreter.call(use.interpreter.memberOf(use.value, "items"), {});
     }},
    {"join", join},
    {"last", pick},
    {"length", length},
    {"list", [](const Use &use) { return Value::list(use.elements()); }},
    {"lower", [](const Use &use) { return Value::text(lowerText(use.value.str())); }},
    {"map", mapElements},
    {"max", pick},
    {"min", pick},
    {"reject", selectElements},
    {"rejectattr", selectElements},
    {"replace", replaceAll},
    {"reverse", reverse},
    {"round", roundNumber},
    {"safe", [](const Use &use) { return use.value; }},
    {"select", selectElements},
    {"selectattr", selectElements},
    {"sort", sort},
    {"string", [](const Use &use) { return Value::text(use.value.str()); }},
    {"sum", sum},
    {"title", [](const Use &use) { return Value::text(titleText(use.value.str())); }},
    {"tojson", tojson},
    {"trim", trim},
    {"unique", unique},
    {"upper", [](const Use &use) { return Value::text(upperText(use.value.str())); }},
};

Value Interpreter::applyFilter(const std::string &name, const Value &value,
                               const Arguments &arguments) {
  for (auto [known, filter] : filters)
    if (name == known)
      return failed() ? Value() : filter({*this, name, value, arguments});
  return fail("there is no filter '" + name + "'");
}
