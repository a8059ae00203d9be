// Checks of option values that CLI11 lacks.
#ifndef FORGE_TOOLS_VALIDATORS_H
#define FORGE_TOOLS_VALIDATORS_H

#include <CLI/CLI.hpp>

#include <charconv>
#include <iomanip>
#include <sstream>
#include <string>

namespace forge::tool {

/// Decimal digits, from `least` to the largest number of 64 bits. (CLI11 would take -1 for that
/// largest number.)
inline CLI::Validator isNaturalNumber(uint64_t least = 0) {
  auto check = [least](const std::string &text) -> std::string {
    uint64_t value = 0;
    const char *end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= least)
      return "";
    return "expected a whole number from " + std::to_string(least) + ", but got " + text;
  };
  return {check, "", ""};
}

/// A finite number from `least` to `most`. (CLI::Range takes NaN, which is in no range.)
inline CLI::Validator isNumber(double least, double most) {
  auto check = [least, most](const std::string &text) -> std::string {
    double value = 0;
    const char *end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= least && value <= most)
      return "";
    std::ostringstream expected;
    expected << std::setprecision(9) << "expected a number from " << least << " to " << most
             << ", but got '" << text << "'";
    return expected.str();
  };
  return {check, "", ""};
}

/// Not empty, which scripts with an unset variable give.
inline CLI::Validator isPath() {
  auto check = [](const std::string &text) -> std::string {
    return text.empty() ? "expected a path, but got an empty one" : "";
  };
  return {check, "", ""};
}

} // namespace forge::tool

#endif // FORGE_TOOLS_VALIDATORS_H
