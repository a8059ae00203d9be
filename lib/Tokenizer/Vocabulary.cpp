#include "Vocabulary.h"

using namespace forge;
using namespace forge::tokenizer;

Vocabulary::Vocabulary(const Node &node) {
  for (const auto &[token, id] : node.members()) {
    int32_t number = id.natural();
    auto place = ids.emplace(token, number).first;
    auto [other, isNew] = tokens.emplace(number, &place->first);
    if (!isNew)
      id.fail("an id that " + briefText(*other->second) + " does not have");
    limit = std::max<int64_t>(limit, int64_t(number) + 1);
  }
}

Vocabulary::Vocabulary(const std::vector<std::string> &list) {
  for (const std::string &token : list) {
    auto id = static_cast<int32_t>(limit++);
    tokens.emplace(id, &ids.insert_or_assign(token, id).first->first);
  }
}

std::optional<int32_t> Vocabulary::find(std::string_view token) const {
  auto found = ids.find(token);
  return found == ids.end() ? std::nullopt : std::optional(found->second);
}

const std::string *Vocabulary::token(int32_t id) const {
  auto found = tokens.find(id);
  return found == tokens.end() ? nullptr : found->second;
}

std::unique_ptr<Model> Model::parse(const Node &node) {
  // Old files have no type: what merges is BPE.
  std::string type = node["type"].present()     ? node.type()
                     : node["merges"].present() ? "BPE"
                                                : "WordPiece";
  if (type == "BPE")
    return parseBPE(node);
  if (type == "WordPiece")
    return parseWordPiece(node);
  if (type == "Unigram")
    return parseUnigram(node);
  node["type"].fail("BPE, Unigram or WordPiece");
  return nullptr;
}
