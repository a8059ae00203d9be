#include "forge/Support/DType.h"

#include <algorithm>
#include <array>
#include <string>

using namespace forge;

/// In the order of the types.
static constexpr std::array<std::string_view, 26> kNames = {
    "f64",    "f32",           "f16",        "bf16",       "f8E4M3FN",  "f8E5M2",   "f8E3M4",
    "f8E4M3", "f8E4M3B11FNUZ", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E8M0FNU", "f4E2M1FN", "i1",
    "i2",     "ui2",           "i4",         "ui4",        "i8",        "ui8",      "i16",
    "ui16",   "i32",           "ui32",       "i64",        "ui64"};

std::string_view forge::dtypeName(DType type) { return kNames[static_cast<size_t>(type)]; }

std::optional<DType> forge::parseDType(std::string_view name) {
  std::string full = !name.empty() && name[0] == 'u' && name.substr(0, 2) != "ui"
                         ? "ui" + std::string(name.substr(1))
                         : std::string(name);
  const auto *found = std::find(kNames.begin(), kNames.end(), full);
  if (found == kNames.end())
    return std::nullopt;
  return static_cast<DType>(found - kNames.begin());
}
