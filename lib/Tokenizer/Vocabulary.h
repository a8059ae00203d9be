// Tokens and their ids, and the models that cut a piece of text into them.
#ifndef FORGE_LIB_TOKENIZER_VOCABULARY_H
#define FORGE_LIB_TOKENIZER_VOCABULARY_H

#include "Node.h"

#include <memory>
#include <string_view>
#include <unordered_map>

namespace forge::tokenizer {

class Vocabulary {
public:
  /// {"TOKEN": ID}, each id once.
  explicit Vocabulary(const Node &node);
  /// By their ids; of several with one text, `find` gives the last.
  explicit Vocabulary(const std::vector<std::string> &list);
  std::optional<int32_t> find(std::string_view token) const;
  const std::string *token(int32_t id) const;
  int64_t idLimit() const { return limit; }

private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> ids;
  std::unordered_map<int32_t, const std::string *> tokens;
  int64_t limit = 0;
};

class Model {
public:
  /// Of "model"; null after a failure.
  static std::unique_ptr<Model> parse(const Node &node);
  virtual ~Model() = default;
  /// Adds the ids of a piece in UTF-8.
  virtual Result<void> encode(std::string_view piece, std::vector<int32_t> &result) const = 0;
  const Vocabulary &vocabulary() const { return words; }

protected:
  explicit Model(const Node &node) : words(node["vocab"]) {}
  explicit Model(Vocabulary words) : words(std::move(words)) {}
  Vocabulary words;
};

std::unique_ptr<Model> parseBPE(const Node &node);
std::unique_ptr<Model> parseUnigram(const Node &node);
std::unique_ptr<Model> parseWordPiece(const Node &node);

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_VOCABULARY_H
