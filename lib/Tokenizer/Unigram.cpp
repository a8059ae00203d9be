#include "Unicode.h"
#include "Vocabulary.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace forge;
using namespace forge::tokenizer;

namespace {
/// The most likely way to cut a piece into tokens (Kudo, 2018), by the logarithms of their
/// probabilities:
///  1. Behind every character, the best way to get there is kept: its score, and its last token. A
///     character that is no token may be the unknown one, which is less likely than all others.
///  2. From the end back, these are the tokens. Unknown ones side by side are one.
///  3. What is unknown becomes the tokens of its bytes, <0xE2>, where the file says so and all
///     exist.
class Unigram : public Model {
public:
  explicit Unigram(const Node &node);
  Result<void> encode(std::string_view piece, std::vector<int32_t> &result) const override;

private:
  struct Way {
    double score = 0;
    int32_t id = 0;
    std::optional<size_t> begin = std::nullopt; ///< of its last token
  };

  Result<std::vector<Way>> bestWays(std::string_view piece) const;
  void addUnknown(std::string_view text, std::vector<int32_t> &result) const;

  std::vector<double> scores; ///< by id
  std::vector<int32_t> order; ///< ids by the texts of their tokens
  double unknownScore = 0;
  std::optional<int32_t> unknown;
  std::array<std::optional<int32_t>, 256> bytes;
  bool byteFallback;
};
} // namespace

static std::vector<std::string> tokensOf(const Node &vocabulary) {
  std::vector<std::string> tokens;
  for (const Node &entry : vocabulary.elements()) {
    if (entry.failed())
      break;
    std::vector<Node> parts = entry.elements();
    if (parts.size() == 2 && parts[0].raw().is_string() && parts[1].raw().is_number() &&
        std::isfinite(parts[1].raw().get<double>()))
      tokens.push_back(parts[0].text());
    else
      entry.fail("a token and its score");
  }
  return tokens;
}

Unigram::Unigram(const Node &node)
    : Model(Vocabulary(tokensOf(node["vocab"]))), byteFallback(node["byte_fallback"].flag(false)) {
  if (node.failed())
    return;
  for (const nlohmann::json &entry : node["vocab"].raw())
    scores.push_back(entry[1].get<double>());
  if (scores.empty()) {
    node["vocab"].fail("a token and its score");
    return;
  }
  // As SentencePiece has it.
  constexpr double penalty = 10;
  unknownScore = *std::ranges::min_element(scores) - penalty;
  if (Node id = node["unk_id"]; id.present()) {
    unknown = id.natural();
    if (static_cast<size_t>(*unknown) >= scores.size()) {
      id.fail("an id of model.vocab");
      return;
    }
  }
  for (unsigned byte = 0; byte < bytes.size(); ++byte) {
    constexpr char digits[] = "0123456789ABCDEF";
    bytes[byte] = words.find(std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + ">");
  }
  // Of tokens with one text the last counts.
  for (int32_t id = 0; id < static_cast<int32_t>(scores.size()); ++id)
    if (const std::string &text = *words.token(id); !text.empty() && words.find(text) == id)
      order.push_back(id);
  std::ranges::sort(order, {},
                    [this](int32_t id) -> const std::string & { return *words.token(id); });
}

Result<std::vector<Unigram::Way>> Unigram::bestWays(std::string_view piece) const {
  std::vector<Way> ways(piece.size() + 1);
  for (size_t begin = 0; begin < piece.size();) {
    double before = ways[begin].score;
    size_t next = begin;
    nextCodePoint(piece, next);
    auto consider = [&](size_t end, int32_t id, double score) {
      Way &way = ways[end];
      if (!way.begin || before + score > way.score)
        way = {before + score, id, begin};
    };
    // Tokens that start as the rest of the piece does are neighbours in their order.
    bool isToken = false;
    auto first = order.begin(), last = order.end();
    for (size_t size = 0; begin + size < piece.size(); ++size) {
      auto byteOf = [&](int32_t id) -> int {
        const std::string &text = *words.token(id);
        return size < text.size() ? static_cast<unsigned char>(text[size]) : -1;
      };
      auto range = std::ranges::equal_range(
          first, last, static_cast<int>(static_cast<unsigned char>(piece[begin + size])), {},
          byteOf);
      first = range.begin();
      last = range.end();
      if (first == last)
        break;
      if (words.token(*first)->size() != size + 1)
        continue;
      isToken |= begin + size + 1 == next;
      consider(begin + size + 1, *first, scores[static_cast<size_t>(*first)]);
    }
    if (!isToken) {
      if (!unknown)
        return Error{
            "expected characters of the vocabulary, which has no unknown token, but got '" +
            std::string(piece.substr(begin, next - begin)) + "'"};
      consider(next, *unknown, unknownScore);
    }
    begin = next;
  }
  return ways;
}

/// Such a text may be a token after all.
void Unigram::addUnknown(std::string_view text, std::vector<int32_t> &result) const {
  if (std::optional<int32_t> id = words.find(text)) {
    result.push_back(*id);
    return;
  }
  bool asBytes = byteFallback && std::ranges::all_of(text, [this](char byte) {
                   return bytes[static_cast<unsigned char>(byte)].has_value();
                 });
  if (!asBytes) {
    result.push_back(*unknown);
    return;
  }
  for (char byte : text)
    result.push_back(*bytes[static_cast<unsigned char>(byte)]);
}

Result<void> Unigram::encode(std::string_view piece, std::vector<int32_t> &result) const {
  Result<std::vector<Way>> ways = bestWays(piece);
  if (!ways)
    return ways.error();
  std::vector<std::pair<size_t, size_t>> spans; // from the last one on
  bool wasUnknown = false;
  for (size_t end = piece.size(); end > 0;) {
    const Way &way = (*ways)[end];
    bool isUnknown = way.id == unknown;
    if (isUnknown && wasUnknown)
      spans.back().first = *way.begin;
    else
      spans.emplace_back(*way.begin, end);
    wasUnknown = isUnknown;
    end = *way.begin;
  }
  for (auto span = spans.rbegin(); span != spans.rend(); ++span)
    addUnknown(piece.substr(span->first, span->second - span->first), result);
  return {};
}

std::unique_ptr<Model> tokenizer::parseUnigram(const Node &node) {
  return std::make_unique<Unigram>(node);
}
