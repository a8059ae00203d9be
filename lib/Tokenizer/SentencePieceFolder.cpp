#include "SentencePieceFolder.h"

#include "SentencePiece.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <ranges>
#include <unordered_map>

using namespace forge;
using namespace forge::tokenizer;
using nlohmann::json;

namespace {
/// Tokens that are found in a text before SentencePiece sees it, by id.
class Added {
public:
  explicit Added(const SentencePieceModel &model)
      : next(static_cast<int64_t>(model.pieces.size())) {
    for (size_t id = 0; id < model.pieces.size(); ++id)
      ids.emplace(model.pieces[id].text, static_cast<int32_t>(id));
  }

  /// A token with its id.
  void add(const Node &node, int32_t id, json token) {
    std::string content = token["content"];
    auto known = ids.find(content);
    if (!tokens.emplace(id, token).second || (known != ids.end() && known->second != id))
      return node.fail("a token that is given once, with the id it has in tokenizer.model");
    tokens[id]["id"] = static_cast<uint32_t>(id);
    ids[content] = id;
    next = std::max(next, int64_t(id) + 1);
  }
  /// A token by its name, which `node` gives; a new one gets the next id.
  int32_t mark(const Node &node, json token) {
    std::string content = token["content"];
    auto known = ids.find(content);
    if (known == ids.end() && next > INT32_MAX) {
      node.fail("a token that there is an id for, up to 2^31 - 1");
      return 0;
    }
    int32_t id = known == ids.end() ? static_cast<int32_t>(next++) : known->second;
    ids[content] = id;
    token["id"] = static_cast<uint32_t>(id);
    token["special"] = true;
    json &entry = tokens.try_emplace(id, std::move(token)).first->second;
    entry["special"] = true;
    return id;
  }
  const std::map<int32_t, json> &all() const { return tokens; }

private:
  std::unordered_map<std::string, int32_t> ids;
  std::map<int32_t, json> tokens;
  /// The id of the next new token; beyond INT32_MAX there are none.
  int64_t next;
};
} // namespace

/// An entry of added_tokens; a text alone is a token that takes nothing of what is around it.
static json tokenOf(const Node &node) {
  json token = {{"single_word", false}, {"lstrip", false}, {"rstrip", false}};
  if (node.raw().is_string()) {
    token["content"] = node.text();
  } else {
    token["content"] = node["content"].text();
    for (const char *key : {"single_word", "lstrip", "rstrip"})
      token[key] = node[key].flag(false);
    token["special"] = node["special"].flag(false);
  }
  token["normalized"] = false;
  if (token["content"].get_ref<const std::string &>().empty())
    node.fail("a token");
  return token;
}

/// "added_tokens_decoder" is {"ID": TOKEN}; where there is none, added_tokens.json is {"TEXT": ID}.
static void readAdded(const Node &config, const Node &file, Added &added) {
  Node decoder = config["added_tokens_decoder"];
  if (!decoder.present()) {
    for (const auto &[text, id] : file.members())
      added.add(id, id.natural(), {{"content", text}, {"normalized", false}});
    return;
  }
  for (const auto &[name, token] : decoder.members()) {
    int32_t id = -1;
    auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (problem != std::errc() || end != name.data() + name.size() || id < 0)
      return token.fail("a key that is a whole number from 0 to 2^31 - 1");
    json entry = tokenOf(token);
    if (token.failed())
      return;
    added.add(token, id, std::move(entry));
  }
}

namespace {
/// The tokens around a text.
struct Around {
  std::optional<int32_t> begin, end;
};
} // namespace

/// Tokens that tokenizer_config.json, or else special_tokens_map.json, or else the model names.
static Around readSpecial(const Node &config, const Node &map, const SentencePieceModel &model,
                          Added &added) {
  auto find = [&](const char *key) { return config.raw().contains(key) ? config[key] : map[key]; };
  auto mark = [&](const char *key, std::optional<std::string> otherwise) {
    Node node = find(key);
    if (!node.present())
      // Null says that there is none.
      return otherwise && !config.raw().contains(key)
                 ? std::optional(added.mark(node, {{"content", *otherwise}, {"normalized", false}}))
                 : std::nullopt;
    json token = tokenOf(node);
    return node.failed() ? std::nullopt : std::optional(added.mark(node, std::move(token)));
  };
  auto control = [&](const std::string &piece) {
    return model.find(piece, SentencePieceModel::Control) ? std::optional(piece) : std::nullopt;
  };
  Around around{mark("bos_token", control(model.bosPiece)),
                mark("eos_token", control(model.eosPiece))};
  mark("unk_token", model.unknown());
  for (const char *key : {"sep_token", "pad_token", "cls_token", "mask_token"})
    mark(key, std::nullopt);
  if (Node more = find("additional_special_tokens"); more.present())
    for (const Node &node : more.elements())
      if (json token = tokenOf(node); !node.failed())
        added.mark(node, std::move(token));
  if (!config["add_bos_token"].flag(true))
    around.begin.reset();
  else if (config["add_bos_token"].present() && !around.begin)
    config["bos_token"].fail("a token");
  if (!config["add_eos_token"].flag(false))
    around.end.reset();
  else if (!around.end)
    config["eos_token"].fail("a token");
  return around;
}

static json postProcessorOf(const Around &around) {
  json single = json::array(), special = json::object();
  auto add = [&](std::optional<int32_t> id, const char *name) {
    if (!id)
      return;
    single.push_back({{"SpecialToken", {{"id", name}, {"type_id", 0}}}});
    special[name] = {{"id", name}, {"ids", {static_cast<uint32_t>(*id)}}};
  };
  add(around.begin, "begin");
  single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
  add(around.end, "end");
  return {{"type", "TemplateProcessing"},
          {"single", std::move(single)},
          {"special_tokens", std::move(special)}};
}

/// Without `legacy` it is LlamaTokenizer, not SentencePiece, that puts a space in front, and only
/// of the whole text. Returns whether it does.
static bool readLegacy(const Node &config, SentencePieceModel &model) {
  static constexpr std::array names = {"LlamaTokenizer", "LlamaTokenizerFast", "GemmaTokenizer",
                                       "GemmaTokenizerFast"};
  std::string name = config["tokenizer_class"].text(names[0]);
  if (std::ranges::find(names, name) == names.end())
    config["tokenizer_class"].fail("LlamaTokenizer or GemmaTokenizer, where there is no "
                                   "tokenizer.json");
  if (Node options = config["sp_model_kwargs"]; options.present() && !options.members().empty())
    options.fail("{}");
  if (config["legacy"].flag(true) || name.starts_with("Gemma"))
    return false;
  if (model.removeExtraWhitespaces)
    config["legacy"].fail("true for a model that removes extra whitespace");
  model.addDummyPrefix = false;
  return config["add_prefix_space"].flag(true);
}

static std::vector<Piece> withSpace(std::vector<Piece> pieces) {
  for (Piece &piece : pieces)
    if (piece.isFirst)
      piece.text.insert(0, kSpaceMark);
  return pieces;
}

Result<SentencePieceParts> tokenizer::readSentencePiece(const SentencePieceFiles &files) {
  Result<SentencePieceModel> model = SentencePieceModel::parse(files.model);
  if (!model)
    return Error{"tokenizer.model: " + model.error().message};
  std::string problem, addedProblem, mapProblem;
  Node config(files.config, problem), map(files.specialTokens, mapProblem),
      file(files.addedTokens, addedProblem);
  Added added(*model);
  bool putsSpace = readLegacy(config, *model);
  readAdded(config, file, added);
  Around around = readSpecial(config, map, *model, added);
  if (!problem.empty())
    return Error{"tokenizer_config.json: " + problem};
  if (!mapProblem.empty())
    return Error{"special_tokens_map.json: " + mapProblem};
  if (!addedProblem.empty())
    return Error{"added_tokens.json: " + addedProblem};

  SentencePieceParts parts;
  json vocabulary = json::object(), &ids = vocabulary["vocab"] = json::object();
  for (size_t id = 0; id < model->pieces.size(); ++id)
    // An added token may take the place of a piece.
    if (auto found = added.all().find(static_cast<int32_t>(id));
        found == added.all().end() || found->second["content"] == model->pieces[id].text)
      ids[model->pieces[id].text] = id;
  std::set<std::string> others;
  parts.stages["added_tokens"] = json::array();
  for (const json &token : std::views::values(added.all())) {
    others.insert(token["content"]);
    parts.stages["added_tokens"].push_back(token);
  }
  parts.stages["post_processor"] = postProcessorOf(around);
  Result<SentencePiece> made =
      makeSentencePiece(*model, Node(vocabulary, problem), std::move(others), putsSpace);
  if (!made)
    return Error{"tokenizer.model: " + made.error().message};
  parts.model = std::move(made->model);
  parts.decoder = std::move(made->decoder);
  if (putsSpace)
    parts.preTokenizer = [](std::vector<Piece> pieces) -> Result<std::vector<Piece>> {
      return withSpace(std::move(pieces));
    };
  return parts;
}
