// Tokens that are found in the text before the model sees it.
#ifndef FORGE_LIB_TOKENIZER_ADDEDTOKENS_H
#define FORGE_LIB_TOKENIZER_ADDEDTOKENS_H

#include "Stages.h"
#include "Vocabulary.h"

namespace forge::tokenizer {

/// A part of a text: text for the model, or an added token.
struct Segment {
  std::string text;
  std::optional<int32_t> id;
};

class AddedTokens {
public:
  /// Of "added_tokens". The text of those that are normalized goes through `normalizer` too.
  AddedTokens(const Node &node, const Normalizer &normalizer, const Vocabulary &vocabulary);

  /// 1. Tokens that are not normalized are found in the text.
  /// 2. What is between them is normalized.
  /// 3. The other tokens are found in that.
  Result<std::vector<Segment>> cut(std::string_view text, const Normalizer &normalizer) const;

  const std::string *token(int32_t id) const;
  std::optional<int32_t> find(std::string_view text) const;
  bool isSpecial(int32_t id) const;
  int64_t idLimit() const { return limit; }

private:
  struct Added {
    int32_t id;
    std::string content;
    bool singleWord, leftStrip, rightStrip, special;
  };
  /// A text that is searched for, and its token.
  struct Entry {
    std::string text;
    size_t token;
  };
  /// By first byte, the longest first.
  using Index = std::vector<std::vector<Entry>>;

  void add(const Node &entry, const Normalizer &normalizer, const Vocabulary &vocabulary);
  void find(std::string_view text, const Index &index, std::vector<Segment> &segments) const;

  std::vector<Added> tokens;
  std::unordered_map<int32_t, size_t> byId;
  Index plain{256}, normalized{256};
  int64_t limit = 0;
};

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_ADDEDTOKENS_H
