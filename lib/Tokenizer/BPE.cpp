#include "Unicode.h"
#include "Vocabulary.h"

#include <array>
#include <queue>

using namespace forge;
using namespace forge::tokenizer;

namespace {
/// Byte pair encoding:
///  1. A piece that is a token as a whole stays one where the file says so (ignore_merges).
///  2. Every character is a token; one that is none becomes the tokens of its bytes, <0xE2>, where
///     all of them exist and the file says so, or else the unknown token, once for several in a row
///     where they are fused.
///  3. Of all neighbours that a merge joins, those of the first merge are joined, the leftmost
///     first, until there are none.
class BPE : public Model {
public:
  explicit BPE(const Node &node);
  Result<void> encode(std::string_view piece, std::vector<int32_t> &result) const override;

private:
  struct Merge {
    int32_t rank, id;
  };
  /// A token of the piece, in a list.
  struct Symbol {
    int32_t id;
    int64_t previous, next;
    bool alive = true;
  };

  void readMerges(const Node &node);
  void addMerge(const Node &node, const std::string &left, const std::string &right, int32_t rank);
  std::vector<int32_t> charactersOf(std::string_view piece) const;
  const Merge *mergeOf(int32_t left, int32_t right) const;

  std::unordered_map<uint64_t, Merge> merges;
  std::string prefix, suffix;
  std::optional<int32_t> unknown;
  std::array<std::optional<int32_t>, 256> bytes;
  bool byteFallback, fuseUnknown, ignoreMerges;
};
} // namespace

static uint64_t pairOf(int32_t left, int32_t right) {
  return uint64_t(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

BPE::BPE(const Node &node)
    : Model(node), prefix(node["continuing_subword_prefix"].text("")),
      suffix(node["end_of_word_suffix"].text("")), byteFallback(node["byte_fallback"].flag(false)),
      fuseUnknown(node["fuse_unk"].flag(false)), ignoreMerges(node["ignore_merges"].flag(false)) {
  // Merges dropped at random are for training.
  Node dropout = node["dropout"];
  if (dropout.present() && !(dropout.raw().is_number() && dropout.raw().get<double>() == 0))
    dropout.fail("null");
  if (Node name = node["unk_token"]; name.present()) {
    unknown = words.find(name.text());
    if (!unknown)
      name.fail("a token of model.vocab");
  }
  for (unsigned byte = 0; byte < bytes.size(); ++byte) {
    constexpr char digits[] = "0123456789ABCDEF";
    bytes[byte] = words.find(std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + ">");
  }
  readMerges(node["merges"]);
}

void BPE::readMerges(const Node &node) {
  int32_t rank = 0;
  for (const Node &merge : node.elements()) {
    if (merge.failed())
      return;
    if (merge.raw().is_array()) {
      std::vector<Node> parts = merge.elements();
      if (parts.size() != 2)
        return merge.fail("two tokens");
      addMerge(merge, parts[0].text(), parts[1].text(), rank++);
      continue;
    }
    std::string text = merge.text();
    if (text.starts_with("#version"))
      continue;
    size_t space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
      return merge.fail("two tokens with a space between them");
    addMerge(merge, text.substr(0, space), text.substr(space + 1), rank++);
  }
}

void BPE::addMerge(const Node &node, const std::string &left, const std::string &right,
                   int32_t rank) {
  if (right.size() < prefix.size())
    return node.fail("a second token that starts with '" + prefix + "'");
  std::optional<int32_t> a = words.find(left), b = words.find(right),
                         joined = words.find(left + right.substr(prefix.size()));
  if (!a || !b || !joined)
    return node.fail("tokens of model.vocab that join to one");
  merges.insert_or_assign(pairOf(*a, *b), Merge{rank, *joined});
}

const BPE::Merge *BPE::mergeOf(int32_t left, int32_t right) const {
  auto found = merges.find(pairOf(left, right));
  return found == merges.end() ? nullptr : &found->second;
}

std::vector<int32_t> BPE::charactersOf(std::string_view piece) const {
  std::vector<int32_t> ids;
  bool pending = false; // the unknown token
  auto flush = [&] {
    if (std::exchange(pending, false))
      ids.push_back(*unknown);
  };
  for (size_t i = 0; i < piece.size();) {
    size_t begin = i;
    nextCodePoint(piece, i);
    std::string text((begin > 0 ? prefix : "") + std::string(piece.substr(begin, i - begin)) +
                     (i == piece.size() ? suffix : ""));
    if (std::optional<int32_t> id = words.find(text)) {
      flush();
      ids.push_back(*id);
      continue;
    }
    bool asBytes = byteFallback;
    for (unsigned char byte : text)
      asBytes = asBytes && bytes[byte];
    if (asBytes) {
      for (unsigned char byte : text)
        ids.push_back(*bytes[byte]);
      continue;
    }
    // Without an unknown token the character is left out.
    if (!fuseUnknown)
      flush();
    pending = unknown.has_value();
  }
  flush();
  return ids;
}

Result<void> BPE::encode(std::string_view piece, std::vector<int32_t> &result) const {
  if (ignoreMerges)
    if (std::optional<int32_t> whole = words.find(piece)) {
      result.push_back(*whole);
      return {};
    }
  std::vector<Symbol> symbols;
  for (int32_t id : charactersOf(piece)) {
    int64_t place = static_cast<int64_t>(symbols.size());
    symbols.push_back({id, place - 1, place + 1});
  }
  if (symbols.empty())
    return {};
  symbols.back().next = -1;
  struct Candidate {
    int32_t rank, id;
    int64_t place;
    bool operator<(const Candidate &other) const { // the first is on top
      return std::pair(rank, place) > std::pair(other.rank, other.place);
    }
  };
  std::priority_queue<Candidate> queue;
  auto consider = [&](int64_t place) {
    if (place < 0 || symbols[static_cast<size_t>(place)].next < 0)
      return;
    const Symbol &left = symbols[static_cast<size_t>(place)];
    if (const Merge *merge = mergeOf(left.id, symbols[static_cast<size_t>(left.next)].id))
      queue.push({merge->rank, merge->id, place});
  };
  for (size_t place = 0; place < symbols.size(); ++place)
    consider(static_cast<int64_t>(place));
  while (!queue.empty()) {
    Candidate top = queue.top();
    queue.pop();
    Symbol &left = symbols[static_cast<size_t>(top.place)];
    if (!left.alive || left.next < 0)
      continue;
    Symbol &right = symbols[static_cast<size_t>(left.next)];
    // The neighbours may have been joined to others since.
    const Merge *merge = mergeOf(left.id, right.id);
    if (!merge || merge->id != top.id)
      continue;
    left.id = merge->id;
    right.alive = false;
    left.next = right.next;
    if (left.next >= 0)
      symbols[static_cast<size_t>(left.next)].previous = top.place;
    consider(left.previous);
    consider(top.place);
  }
  for (int64_t place = 0; place >= 0; place = symbols[static_cast<size_t>(place)].next)
    result.push_back(symbols[static_cast<size_t>(place)].id);
  return {};
}

std::unique_ptr<Model> tokenizer::parseBPE(const Node &node) { return std::make_unique<BPE>(node); }
