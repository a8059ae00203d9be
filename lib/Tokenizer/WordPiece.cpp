#include "Unicode.h"
#include "Vocabulary.h"

using namespace forge;
using namespace forge::tokenizer;

namespace {
/// The longest token that a word starts with, then the longest that the rest starts with, and so
/// on; a word that does not end this way is unknown as a whole.
class WordPiece : public Model {
public:
  explicit WordPiece(const Node &node)
      : Model(node), prefix(node["continuing_subword_prefix"].text("##")),
        mostCharacters(node["max_input_chars_per_word"].natural(100)) {
    std::string name = node["unk_token"].text("[UNK]");
    std::optional<int32_t> id = words.find(name);
    if (!id)
      node["vocab"].fail("the token " + briefText(name) + ", which is model.unk_token");
    unknown = id.value_or(0);
  }
  Result<void> encode(std::string_view piece, std::vector<int32_t> &result) const override;

private:
  std::string prefix;
  int32_t mostCharacters;
  int32_t unknown;
};
} // namespace

Result<void> WordPiece::encode(std::string_view piece, std::vector<int32_t> &result) const {
  std::vector<int32_t> ids;
  bool isKnown = countCodePoints(piece) <= static_cast<size_t>(mostCharacters);
  for (size_t begin = 0; isKnown && begin < piece.size();) {
    std::optional<int32_t> id;
    size_t end = piece.size();
    while (end > begin && !id) {
      std::string_view part = piece.substr(begin, end - begin);
      id = begin == 0 ? words.find(part) : words.find(prefix + std::string(part));
      if (!id)
        previousCodePoint(piece, end);
    }
    isKnown = id.has_value();
    if (id)
      ids.push_back(*id);
    begin = end;
  }
  if (isKnown)
    result.insert(result.end(), ids.begin(), ids.end());
  else
    result.push_back(unknown);
  return {};
}

std::unique_ptr<Model> tokenizer::parseWordPiece(const Node &node) {
  return std::make_unique<WordPiece>(node);
}
