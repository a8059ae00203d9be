// When a text ends: tokens of generation_config.json, and stop strings. No MLIR.
#ifndef FORGE_GENERATE_ENDOFTEXT_H
#define FORGE_GENERATE_ENDOFTEXT_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace forge {

/// Tokens with a meaning of their own.
struct GenerationTokens {
  std::set<int32_t> ends;         ///< eos_token_id, a number or several
  std::optional<int32_t> padding; ///< pad_token_id, unless it ends a text
};

/// Those of generation_config.json, or where there is no such file of config.json; of a GGUF file
/// those of its metadata. Errors start with the path.
Result<GenerationTokens> readGenerationTokens(const std::string &folder);

/// Passes text on up to the first of some strings.
class StopStrings {
public:
  /// Empty ones are left out.
  explicit StopStrings(std::vector<std::string> strings);

  /// What of all text so far is certainly before a stop string and was not given yet.
  std::string add(const std::string &text);
  /// The rest, where no stop string came.
  std::string finish();
  bool stopped() const { return found; }

private:
  std::vector<std::string> strings;
  std::string held;
  bool found = false;
};

} // namespace forge

#endif // FORGE_GENERATE_ENDOFTEXT_H
