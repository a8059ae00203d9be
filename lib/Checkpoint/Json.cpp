#include "forge/Checkpoint/Json.h"

#include "forge/Checkpoint/MappedFile.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace forge;
using nlohmann::json;

namespace {
/// Where a text stops to be JSON.
struct ErrorPlace : nlohmann::json_sax<json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t &) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t position, const std::string &,
                   const nlohmann::detail::exception &) override {
    end = position;
    return false;
  }
  size_t end = 0; ///< of what was read, the first letter that does not fit with it
};
} // namespace

TextPlace forge::placeAt(std::string_view text, size_t offset) {
  std::string_view before = text.substr(0, offset);
  size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  return {line, before.size() - (before.rfind('\n') + 1) + 1}; // npos + 1 is 0
}

std::optional<size_t> forge::whereNoJson(std::string_view text) {
  ErrorPlace place;
  if (json::sax_parse(text.begin(), text.end(), &place))
    return std::nullopt;
  size_t read = std::min(place.end, text.size());
  return read ? read - 1 : 0;
}

/// The line and column of the first letter that does not fit.
static std::string placeOfError(std::string_view text) {
  TextPlace place = placeAt(text, whereNoJson(text).value_or(0));
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

Result<json> forge::parseJsonObject(std::string_view text) {
  constexpr int mostLevels = 64;
  std::string problem;
  std::vector<std::set<std::string>> keys;
  auto check = [&](int depth, json::parse_event_t event, json &parsed) {
    if (depth > mostLevels && problem.empty())
      problem = "expected at most 64 levels of nesting";
    if (event == json::parse_event_t::object_start)
      keys.emplace_back();
    if (event == json::parse_event_t::object_end && !keys.empty())
      keys.pop_back();
    if (event == json::parse_event_t::key && !keys.empty() &&
        !keys.back().insert(parsed.get_ref<const std::string &>()).second && problem.empty())
      problem = "key " + briefText(parsed) + " is given twice";
    return problem.empty();
  };
  json parsed = json::parse(text.begin(), text.end(), check, /*allow_exceptions=*/false);
  if (!problem.empty())
    return Error{problem};
  if (!parsed.is_object())
    return Error{parsed.is_discarded() ? "not valid JSON at " + placeOfError(text)
                                       : "expected a JSON object, but got " + briefText(parsed)};
  return parsed;
}

Result<json> forge::readJsonObject(const std::string &path) {
  constexpr size_t mostBytes = 100'000'000;
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.error();
  if (file->bytes().size() > mostBytes)
    return Error{path + ": expected at most 100 MB, but got " +
                 std::to_string(file->bytes().size()) + " bytes"};
  Result<json> parsed = parseJsonObject(file->bytes());
  if (!parsed)
    return Error{path + ": " + parsed.error().message};
  return parsed;
}

std::optional<int64_t> forge::naturalNumber(const json &value) {
  // nlohmann keeps what has no sign as an unsigned number.
  if (!value.is_number_unsigned() || value.get<uint64_t>() > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(value.get<uint64_t>());
}

std::string forge::briefText(const json &value) {
  constexpr size_t mostLetters = 80;
  if (value.is_structured() && value.size() > 16)
    return value.is_array() ? "a long array" : "a large object";
  std::string text = value.dump(-1, ' ', /*ensure_ascii=*/true, json::error_handler_t::replace);
  return text.size() > mostLetters ? text.substr(0, mostLetters) + "..." : text;
}
