#include "AddedTokens.h"
#include "Unicode.h"

#include <algorithm>
#include <limits>

using namespace forge;
using namespace forge::tokenizer;

AddedTokens::AddedTokens(const Node &node, const Normalizer &normalizer,
                         const Vocabulary &vocabulary) {
  if (!node.present())
    return;
  for (const Node &entry : node.elements()) {
    add(entry, normalizer, vocabulary);
    if (entry.failed())
      return;
  }
  for (Index *index : {&plain, &normalized})
    for (std::vector<Entry> &entries : *index)
      std::ranges::sort(entries, std::ranges::greater(), [](const Entry &entry) {
        return std::pair(entry.text.size(), std::numeric_limits<size_t>::max() - entry.token);
      });
}

void AddedTokens::add(const Node &entry, const Normalizer &normalizer,
                      const Vocabulary &vocabulary) {
  Added added{
      entry["id"].natural(),       entry["content"].text(),     entry["single_word"].flag(false),
      entry["lstrip"].flag(false), entry["rstrip"].flag(false), entry["special"].flag(false)};
  bool isNormalized = entry["normalized"].flag(!added.special);
  if (entry.failed())
    return;
  if (added.content.empty())
    return entry["content"].fail("text");
  std::optional<int32_t> known = vocabulary.find(added.content);
  const std::string *other = vocabulary.token(added.id);
  if ((known && *known != added.id) || (other && *other != added.content))
    return entry["id"].fail("the id of " + briefText(added.content) + " in model.vocab");
  if (!byId.emplace(added.id, tokens.size()).second)
    return entry["id"].fail("an id that no other added token has");
  Entry place{added.content, tokens.size()};
  if (isNormalized && normalizer) {
    Result<std::string> text = normalizer(added.content);
    if (!text)
      return entry["content"].fail("text that can be normalized (" + text.error().message + ")");
    place.text = std::move(*text);
  }
  if (!place.text.empty())
    (isNormalized ? normalized : plain)[static_cast<unsigned char>(place.text[0])].push_back(
        std::move(place));
  limit = std::max<int64_t>(limit, int64_t(added.id) + 1);
  tokens.push_back(std::move(added));
}

const std::string *AddedTokens::token(int32_t id) const {
  auto found = byId.find(id);
  return found == byId.end() ? nullptr : &tokens[found->second].content;
}

std::optional<int32_t> AddedTokens::find(std::string_view text) const {
  for (const Added &added : tokens)
    if (added.content == text)
      return added.id;
  return std::nullopt;
}

bool AddedTokens::isSpecial(int32_t id) const {
  auto found = byId.find(id);
  return found != byId.end() && tokens[found->second].special;
}

/// Whether a token from `begin` to `end` does not touch a word.
static bool isApart(std::string_view text, size_t begin, size_t end) {
  size_t before = begin, behind = end;
  return (begin == 0 || !isWord(previousCodePoint(text, before))) &&
         (end == text.size() || !isWord(nextCodePoint(text, behind)));
}

void AddedTokens::find(std::string_view text, const Index &index,
                       std::vector<Segment> &segments) const {
  size_t done = 0; // what is before it has its segments
  for (size_t i = 0; i < text.size();) {
    const std::vector<Entry> &entries = index[static_cast<unsigned char>(text[i])];
    auto entry = std::ranges::find_if(
        entries, [&](const Entry &entry) { return text.substr(i).starts_with(entry.text); });
    if (entry == entries.end()) {
      ++i;
      continue;
    }
    const Added &added = tokens[entry->token];
    size_t begin = i, end = i + entry->text.size();
    i = end;
    if (added.singleWord && !isApart(text, begin, end))
      continue;
    while (added.leftStrip && begin > done) {
      size_t before = begin;
      if (!isWhitespace(previousCodePoint(text, before)))
        break;
      begin = before;
    }
    while (added.rightStrip && end < text.size()) {
      size_t behind = end;
      if (!isWhitespace(nextCodePoint(text, behind)))
        break;
      end = behind;
    }
    if (begin > done)
      segments.push_back({std::string(text.substr(done, begin - done)), std::nullopt});
    segments.push_back({"", added.id});
    done = end;
  }
  if (done < text.size())
    segments.push_back({std::string(text.substr(done)), std::nullopt});
}

Result<std::vector<Segment>> AddedTokens::cut(std::string_view text,
                                              const Normalizer &normalizer) const {
  std::vector<Segment> outer, inner;
  find(text, plain, outer);
  for (Segment &segment : outer) {
    if (segment.id) {
      inner.push_back(std::move(segment));
      continue;
    }
    Result<std::string> changed =
        normalizer ? normalizer(std::move(segment.text)) : std::move(segment.text);
    if (!changed)
      return changed.error();
    find(*changed, normalized, inner);
  }
  return inner;
}
