#include "NormalizerRules.h"

#include <algorithm>
#include <cstring>

using namespace forge;
using namespace forge::tokenizer;

namespace {
constexpr size_t kBytes = 256; ///< units that one unit may lead to

struct Unit {
  uint32_t bits;

  bool isLeaf() const { return bits >> 31 != 0; }
  uint32_t value() const { return bits & 0x7FFFFFFF; }
  bool endsRule() const { return !isLeaf() && (bits >> 8 & 1) != 0; }
  bool isReachedBy(size_t byte) const { return (bits & 0x800000FF) == byte; }
  size_t offset() const { return size_t(bits >> 10) << (bits >> 6 & 8); }
};

class Trie {
public:
  explicit Trie(std::string_view bytes) : units(bytes.size() / sizeof(Unit)) {
    if (!units.empty())
      std::memcpy(units.data(), bytes.data(), units.size() * sizeof(Unit));
  }

  /// Whether all units lead to others of the trie, and leaves to one of `numPlaces` places.
  bool isInside(size_t numPlaces) const {
    for (size_t i = 0; i < units.size(); ++i) {
      if (units[i].isLeaf())
        continue;
      size_t next = i ^ units[i].offset();
      if ((next | (kBytes - 1)) >= units.size() ||
          (units[i].endsRule() && units[next].value() >= numPlaces))
        return false;
    }
    return !units.empty() && !units[0].isLeaf();
  }

  /// The most rules that one text begins with; none where a way through the trie has no end.
  std::optional<size_t> mostRules() const {
    std::vector<uint32_t> edges(units.size(), 0); // that lead to a unit and were not gone yet
    std::vector<size_t> reached{0};
    for (size_t i = 0; i < reached.size(); ++i)
      forChildren(reached[i], [&](size_t child) {
        if (edges[child]++ == 0 && child != 0)
          reached.push_back(child);
      });
    std::vector<size_t> rules(units.size(), 0), ready;
    if (edges[0] == 0)
      ready.push_back(0);
    size_t most = 0;
    for (size_t i = 0; i < ready.size(); ++i) {
      most = std::max(most, rules[ready[i]]);
      forChildren(ready[i], [&](size_t child) {
        rules[child] = std::max(rules[child], rules[ready[i]] + (units[child].endsRule() ? 1 : 0));
        if (--edges[child] == 0)
          ready.push_back(child);
      });
    }
    return ready.size() == reached.size() ? std::optional(most) : std::nullopt;
  }

private:
  template <typename Function> void forChildren(size_t unit, Function visit) const {
    size_t first = unit ^ units[unit].offset();
    for (size_t byte = 0; byte < kBytes; ++byte)
      if (units[first ^ byte].isReachedBy(byte))
        visit(first ^ byte);
  }

  std::vector<Unit> units;
};
} // namespace

Result<size_t> tokenizer::longestReplacement(std::string_view rules) {
  constexpr size_t mostBytes = size_t(1) << 24;
  uint32_t trieSize = 0;
  if (rules.size() <= sizeof trieSize || rules.size() > mostBytes)
    return Error{"expected 5 to " + std::to_string(mostBytes) + " bytes, but got " +
                 std::to_string(rules.size())};
  std::memcpy(&trieSize, rules.data(), sizeof trieSize);
  rules.remove_prefix(sizeof trieSize);
  if (trieSize >= rules.size() || trieSize % (kBytes * sizeof(Unit)) != 0)
    return Error{"expected a trie of a multiple of 1024 bytes, fewer than " +
                 std::to_string(rules.size()) + ", but got " + std::to_string(trieSize)};
  std::string_view replacements = rules.substr(trieSize);
  if (replacements.back() != '\0')
    return Error{"expected replacements that end with a zero byte"};
  Trie trie(rules.substr(0, trieSize));
  if (!trie.isInside(replacements.size()))
    return Error{"expected a trie whose units lead to others of it, and to replacements"};
  // SentencePiece keeps them in an array of this size.
  constexpr size_t mostRules = 32;
  std::optional<size_t> rulesOfPlace = trie.mostRules();
  if (!rulesOfPlace || *rulesOfPlace > mostRules)
    return Error{"expected a text to begin with at most 32 rules, but got " +
                 (rulesOfPlace ? std::to_string(*rulesOfPlace) : "a trie that has no end")};
  size_t longest = 0;
  for (size_t begin = 0; begin < replacements.size();) {
    size_t size = replacements.find('\0', begin) - begin;
    longest = std::max(longest, size);
    begin += size + 1;
  }
  return longest;
}

Result<NormalizerRules> NormalizerRules::parse(std::string_view bytes) {
  if (Result<size_t> checked = longestReplacement(bytes); !checked)
    return checked.error();
  uint32_t trieSize = 0;
  std::memcpy(&trieSize, bytes.data(), sizeof trieSize);
  NormalizerRules rules;
  rules.units.resize(trieSize / sizeof(uint32_t));
  std::memcpy(rules.units.data(), bytes.data() + sizeof trieSize, trieSize);
  rules.replacements = bytes.substr(sizeof trieSize + trieSize);
  return rules;
}

std::optional<std::string_view> NormalizerRules::replacement(std::string_view text) const {
  size_t place = Unit{units[0]}.offset();
  for (char letter : text) {
    auto byte = static_cast<unsigned char>(letter);
    Unit unit{units[place ^ byte]};
    if (byte == 0 || !unit.isReachedBy(byte))
      return std::nullopt;
    place ^= byte ^ unit.offset();
    if (unit.endsRule())
      return std::string_view(replacements.data() + Unit{units[place]}.value());
  }
  return std::nullopt;
}
