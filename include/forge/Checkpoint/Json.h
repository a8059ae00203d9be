// JSON of files that others wrote, parsed without exceptions. No MLIR.
#ifndef FORGE_CHECKPOINT_JSON_H
#define FORGE_CHECKPOINT_JSON_H

#include "forge/Support/Result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

namespace forge {

/// An object, whose keys are given once at every level; at most 64 levels.
Result<nlohmann::json> parseJsonObject(std::string_view text);

/// The same of a regular file of at most 100 MB; errors start with its path.
Result<nlohmann::json> readJsonObject(const std::string &path);

/// Both from 1.
struct TextPlace {
  size_t line, column;
};
/// Of the letter at `offset`.
TextPlace placeAt(std::string_view text, size_t offset);

/// The offset of the first letter that does not fit; null where `text` is JSON.
std::optional<size_t> whereNoJson(std::string_view text);

/// A value as an integer of 0 or more that an int64_t holds; null where it is none.
std::optional<int64_t> naturalNumber(const nlohmann::json &value);

/// A value for an error message: its text, cut where it is long.
std::string briefText(const nlohmann::json &value);

} // namespace forge

#endif // FORGE_CHECKPOINT_JSON_H
