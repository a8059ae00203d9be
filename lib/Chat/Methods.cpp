// Methods of texts, maps and lists, and the functions that every template has.
#include "Interpreter.h"

#include <algorithm>
#include <ctime>

using namespace forge;
using namespace forge::chat;

namespace {
/// The arguments of one method, checked as they are asked for.
struct Call {
  Interpreter &interpreter;
  const Arguments &arguments;
  const char *name;

  const Value *find(size_t place, const char *key) const { return arguments.find(place, key); }
  /// A text; empty where the argument is another value, which is a failure.
  std::string text(size_t place, const char *key) const {
    const Value *value = find(place, key);
    if (value && value->asText())
      return *value->asText();
    interpreter.fail(std::string(name) + ": expected a text as " + key + ", but got " +
                     (value ? value->repr() : "none"));
    return "";
  }
  /// A text, or null where it is none or not given.
  const std::string *optionalText(size_t place, const char *key) const {
    const Value *value = find(place, key);
    if (!value || value->isNone())
      return nullptr;
    if (!value->asText())
      interpreter.fail(std::string(name) + ": expected a text as " + key + ", but got " +
                       value->repr());
    return value->asText();
  }
  int64_t integer(size_t place, const char *key, int64_t otherwise) const {
    const Value *value = find(place, key);
    if (!value || value->isNone())
      return otherwise;
    if (!value->asInteger())
      interpreter.fail(std::string(name) + ": expected an integer as " + key + ", but got " +
                       value->repr());
    return value->asInteger().value_or(otherwise);
  }
};

using TextMethod = Value (*)(const std::string &text, const Call &call);
} // namespace

static Value textList(const std::vector<std::string> &texts) {
  List list;
  for (const std::string &text : texts)
    list.push_back(Value::text(text));
  return Value::list(std::move(list));
}

/// Without a separator, at white space, of which there is none left.
static std::vector<std::string> splitAtSpace(const std::string &text, int64_t most) {
  std::vector<std::string> parts;
  std::string rest = stripText(text, nullptr, true, false);
  while (!rest.empty() && most-- != 0) {
    std::string word;
    for (const std::string &character : charactersOf(rest)) {
      if (stripText(character, nullptr).empty())
        break;
      word += character;
    }
    parts.push_back(word);
    rest = stripText(rest.substr(word.size()), nullptr, true, false);
  }
  if (!rest.empty())
    parts.push_back(rest);
  return parts;
}

static Value split(const std::string &text, const Call &call) {
  const std::string *separator = call.optionalText(0, "sep");
  int64_t most = call.integer(1, "maxsplit", -1);
  if (!separator)
    return textList(splitAtSpace(text, most));
  if (separator->empty())
    return call.interpreter.fail("split: expected a separator that is not empty");
  std::vector<std::string> parts;
  size_t begin = 0, end;
  while (most-- != 0 && (end = text.find(*separator, begin)) != std::string::npos) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator->size();
  }
  parts.push_back(text.substr(begin));
  return textList(parts);
}

static Value rsplit(const std::string &text, const Call &call) {
  const std::string *separator = call.optionalText(0, "sep");
  int64_t most = call.integer(1, "maxsplit", -1);
  if (!separator || separator->empty())
    return call.interpreter.fail("rsplit: expected a separator that is not empty");
  std::vector<std::string> parts;
  std::string rest = text;
  size_t place;
  while (most-- != 0 && (place = rest.rfind(*separator)) != std::string::npos) {
    parts.push_back(rest.substr(place + separator->size()));
    rest.erase(place);
  }
  parts.push_back(rest);
  std::ranges::reverse(parts);
  return textList(parts);
}

static Value splitLines(const std::string &text, const Call &) {
  std::vector<std::string> lines;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = std::min(text.find_first_of("\n\r\v\f", begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
  }
  return textList(lines);
}

/// A text, or a list of texts of which one is enough.
static Value hasEnd(const std::string &text, const Call &call, bool atStart) {
  const Value *wanted = call.find(0, "prefix");
  for (const Value &part :
       wanted && wanted->asList() ? *wanted->asList() : List{wanted ? *wanted : Value()}) {
    if (!part.asText())
      return call.interpreter.fail(std::string(call.name) + ": expected a text, but got " +
                                   part.repr());
    if (atStart ? text.starts_with(*part.asText()) : text.ends_with(*part.asText()))
      return Value::boolean(true);
  }
  return Value::boolean(false);
}

/// The place of a part in characters, or -1.
static Value findPart(const std::string &text, const Call &call, bool last) {
  std::string part = call.text(0, "sub");
  size_t place = last ? text.rfind(part) : text.find(part);
  return Value::integer(
      place == std::string::npos ? -1 : static_cast<int64_t>(lengthOf(text.substr(0, place))));
}

static Value indexOf(const std::string &text, const Call &call) {
  Value place = findPart(text, call, false);
  return place.asInteger() == -1
             ? call.interpreter.fail("index: expected a text in which there is " +
                                     Value::text(call.text(0, "sub")).repr())
             : place;
}

/// The text without a part at its start or end, where it is there.
static Value without(const std::string &text, const Call &call, bool atStart) {
  std::string part = call.text(0, atStart ? "prefix" : "suffix");
  if (part.empty() || !(atStart ? text.starts_with(part) : text.ends_with(part)))
    return Value::text(text);
  return Value::text(atStart ? text.substr(part.size())
                             : text.substr(0, text.size() - part.size()));
}

static Value countPart(const std::string &text, const Call &call) {
  std::string part = call.text(0, "sub");
  int64_t count = part.empty() ? static_cast<int64_t>(lengthOf(text)) + 1 : 0;
  for (size_t place = 0; !part.empty() && (place = text.find(part, place)) != std::string::npos;
       place += part.size())
    ++count;
  return Value::integer(count);
}

static Value joinTexts(const std::string &text, const Call &call) {
  const Value *values = call.find(0, "iterable");
  std::string joined;
  bool isFirst = true;
  for (const Value &value : call.interpreter.elementsOf(values ? *values : Value())) {
    if (!value.asText())
      return call.interpreter.fail("join: expected texts, but got " + value.repr());
    joined += (std::exchange(isFirst, false) ? "" : text) + *value.asText();
    call.interpreter.charge(value.asText()->size() + text.size());
  }
  return call.interpreter.makeText(joined);
}

static Value strip(const std::string &text, const Call &call, bool left, bool right) {
  call.interpreter.charge(text.size() * 16);
  return Value::text(stripText(text, call.optionalText(0, "chars"), left, right));
}

static bool isAll(const std::string &text, bool (*is)(char)) {
  return !text.empty() && std::ranges::all_of(text, is);
}

static Value replace(const std::string &text, const Call &call) {
  std::string from = call.text(0, "old"), to = call.text(1, "new");
  int64_t most = call.integer(2, "count", -1);
  // No more than one for each byte.
  if (!to.empty() && text.size() + 1 > Interpreter::mostText / to.size())
    return call.interpreter.fail("replace: expected a shorter text");
  return call.interpreter.makeText(replaceText(text, from, to, most < 0 ? INT64_MAX : most));
}

static constexpr std::pair<const char *, TextMethod> textMethods[] = {
    {"strip", [](const std::string &t, const Call &c) { return strip(t, c, true, true); }},
    {"lstrip", [](const std::string &t, const Call &c) { return strip(t, c, true, false); }},
    {"rstrip", [](const std::string &t, const Call &c) { return strip(t, c, false, true); }},
    {"startswith", [](const std::string &t, const Call &c) { return hasEnd(t, c, true); }},
    {"endswith", [](const std::string &t, const Call &c) { return hasEnd(t, c, false); }},
    {"split", split},
    {"rsplit", rsplit},
    {"splitlines", splitLines},
    {"upper", [](const std::string &t, const Call &) { return Value::text(upperText(t)); }},
    {"lower", [](const std::string &t, const Call &) { return Value::text(lowerText(t)); }},
    {"capitalize", [](const std::string &t, const Call &) { return Value::text(capitalText(t)); }},
    {"title", [](const std::string &t, const Call &) { return Value::text(titleText(t)); }},
    {"replace", replace},
    {"find", [](const std::string &t, const Call &c) { return findPart(t, c, false); }},
    {"rfind", [](const std::string &t, const Call &c) { return findPart(t, c, true); }},
    {"index", indexOf},
    {"removeprefix", [](const std::string &t, const Call &c) { return without(t, c, true); }},
    {"removesuffix", [](const std::string &t, const Call &c) { return without(t, c, false); }},
    {"islower", [](const std::string &t, const Call &) { return Value::boolean(isLower(t)); }},
    {"isupper", [](const std::string &t, const Call &) { return Value::boolean(isUpper(t)); }},
    {"count", countPart},
    {"join", joinTexts},
    {"isdigit",
     [](const std::string &t, const Call &) {
       return Value::boolean(isAll(t, [](char c) { return c >= '0' && c <= '9'; }));
     }},
};

static Value itemsOf(const Map &map) {
  List items;
  for (const auto &[key, value] : map)
    items.push_back(Value::tuple({Value::text(key), value}));
  return Value::list(std::move(items));
}

static Value mapMethod(const Map &map, const std::string &name, const Call &call) {
  if (name == "items")
    return itemsOf(map);
  if (name == "get") {
    const Value *found = findMember(map, call.text(0, "key")), *otherwise = call.find(1, "default");
    return found ? *found : otherwise ? *otherwise : Value::none();
  }
  List list;
  for (const auto &[key, value] : map)
    list.push_back(name == "keys" ? Value::text(key) : value);
  return Value::list(std::move(list));
}

static Value listMethod(const List &list, const std::string &name, const Call &call) {
  const Value *wanted = call.find(0, "value");
  if (!wanted)
    return call.interpreter.fail(name + ": expected a value");
  if (name == "count")
    return Value::integer(std::ranges::count(list, *wanted));
  auto found = std::ranges::find(list, *wanted);
  return found != list.end()
             ? Value::integer(found - list.begin())
             : call.interpreter.fail("index: " + wanted->repr() + " is not in the list");
}

Value forge::chat::methodOf(const Value &value, const std::string &name) {
  if (value.asText())
    for (auto [known, method] : textMethods)
      if (name == known)
        return Value::function(
            [value, known, method](Interpreter &interpreter, const Arguments &arguments) {
              interpreter.charge(value.asText()->size());
              return method(*value.asText(), {interpreter, arguments, known});
            });
  bool isMap =
      value.asMap() && (name == "items" || name == "keys" || name == "values" || name == "get");
  bool isList = value.asList() && (name == "index" || name == "count");
  if (!isMap && !isList)
    return Value();
  return Value::function([value, name](Interpreter &interpreter, const Arguments &arguments) {
    Call call{interpreter, arguments, name.c_str()};
    return value.asMap() ? mapMethod(*value.asMap(), name, call)
                         : listMethod(*value.asList(), name, call);
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Value range(Interpreter &interpreter, const Arguments &arguments) {
  Call call{interpreter, arguments, "range"};
  bool hasBegin = arguments.positional.size() > 1;
  int64_t begin = hasBegin ? call.integer(0, "start", 0) : 0;
  int64_t end = call.integer(hasBegin ? 1 : 0, "stop", 0), step = call.integer(2, "step", 1);
  // The limit of jinja2's sandbox.
  constexpr int64_t most = 100'000;
  if (step == 0)
    return interpreter.fail("range: expected a step other than 0");
  List numbers;
  for (int64_t i = begin; step > 0 ? i < end : i > end;) {
    if (static_cast<int64_t>(numbers.size()) == most)
      return interpreter.fail("range: expected at most " + std::to_string(most) + " numbers");
    numbers.push_back(Value::integer(i));
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  interpreter.charge(8 * numbers.size());
  return Value::list(std::move(numbers));
}

/// The time now, by a format of C; of at most 1000 bytes.
static Value formatTime(Interpreter &interpreter, const Arguments &arguments) {
  Call call{interpreter, arguments, "strftime_now"};
  std::string format = call.text(0, "format");
  std::time_t now = std::time(nullptr);
  std::tm parts = {};
  localtime_r(&now, &parts);
  char text[1000];
  size_t size = format.empty() ? 0 : std::strftime(text, sizeof text, format.c_str(), &parts);
  return Value::text(std::string(text, size));
}

Map forge::chat::globalFunctions() {
  auto raise = [](Interpreter &interpreter, const Arguments &arguments) {
    const Value *message = arguments.find(0, "message");
    return interpreter.fail(message ? message->str() : "raise_exception");
  };
  auto makeNamespace = [](Interpreter &interpreter, const Arguments &arguments) {
    Map members;
    for (const Value &value : arguments.positional) {
      if (!value.asMap())
        return interpreter.fail("namespace: expected a map, but got " + value.repr());
      for (const auto &[name, member] : *value.asMap())
        setMember(members, name, member);
    }
    for (const auto &[name, member] : arguments.named)
      setMember(members, name, member);
    return Value::nameSpace(std::move(members));
  };
  auto makeMap = [](Interpreter &, const Arguments &arguments) {
    return Value::map(arguments.named);
  };
  return {{"range", Value::function(range)},
          {"namespace", Value::function(makeNamespace)},
          {"dict", Value::function(makeMap)},
          {"raise_exception", Value::function(raise)},
          {"strftime_now", Value::function(formatTime)}};
}
