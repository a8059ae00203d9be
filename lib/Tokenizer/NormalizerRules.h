// The table of replacements in a SentencePiece model (its precompiled_charsmap).
#ifndef FORGE_LIB_TOKENIZER_NORMALIZERRULES_H
#define FORGE_LIB_TOKENIZER_NORMALIZERRULES_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge::tokenizer {

/// The size in bytes of the longest replacement, where every text can be looked up in the table
/// without leaving it. SentencePiece reads the table unchecked.
///
/// Layout: the size of the trie in bytes (u32), the trie, replacements that end with a zero. The
/// trie is a double array of Darts-clone: units of 32 bits, little-endian; of a leaf (bit 31) the
/// other bits are the place of a replacement, of other units bits 0 to 7 are the byte that leads to
/// it, bit 8 says that a rule ends there, and bits 9 to 30 tell how far off the next units are.
Result<size_t> longestReplacement(std::string_view rules);

/// Such a table, to be looked up in. It is checked as above.
class NormalizerRules {
public:
  static Result<NormalizerRules> parse(std::string_view bytes);
  /// What takes the place of the shortest beginning of `text` that has a rule; none where there is
  /// no such beginning.
  std::optional<std::string_view> replacement(std::string_view text) const;

private:
  std::vector<uint32_t> units;
  std::string replacements;
};

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_NORMALIZERRULES_H
