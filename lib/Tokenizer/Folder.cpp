#include "forge/Tokenizer/Tokenizer.h"

#include "GgufVocabulary.h"
#include "SentencePieceFolder.h"
#include "Stages.h"
#include "Unicode.h"

#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/MappedFile.h"

#include <filesystem>

using namespace forge;
using namespace forge::tokenizer;
using nlohmann::json;
namespace fs = std::filesystem;

static const json *find(const json &object, const char *key) {
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

static bool isTrue(const json *value, bool otherwise) {
  return value && value->is_boolean() ? value->get<bool>() : otherwise;
}

/// Whether the file is of a vocabulary that SentencePiece has made: characters, and bytes for those
/// it lacks.
static bool isSentencePiece(const json &file) {
  const json *model = find(file, "model");
  const json *pre = find(file, "pre_tokenizer");
  bool byteLevel = pre && pre->dump().find("\"ByteLevel\"") != std::string::npos;
  return model && model->is_object() && isTrue(find(*model, "byte_fallback"), false) && !byteLevel;
}

/// From version 5 on transformers takes vocabulary, merges and post-processor of a LlamaTokenizer
/// from the file, and makes the rest anew: spaces are marked before merging, one more in front of
/// the text where none is, and characters without a token are left out.
static void makeLlama(json &file, const json &config) {
  bool prefix = isTrue(find(config, "add_prefix_space"), true);
  bool legacy = isTrue(find(config, "legacy"), false);
  file["normalizer"] = nullptr;
  file["pre_tokenizer"] = {{"type", "Metaspace"},
                           {"replacement", kSpaceMark},
                           {"prepend_scheme", !prefix  ? "never"
                                              : legacy ? "always"
                                                       : "first"},
                           {"split", false}};
  json decoders = {{{"type", "Replace"}, {"pattern", {{"String", kSpaceMark}}}, {"content", " "}},
                   {{"type", "ByteFallback"}},
                   {{"type", "Fuse"}}};
  if (prefix)
    decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1U}, {"stop", 0U}});
  file["decoder"] = {{"type", "Sequence"}, {"decoders", std::move(decoders)}};
  file["model"]["unk_token"] = nullptr;
  file["model"]["fuse_unk"] = true;
}

bool Tokenizer::isIn(const std::string &folder) {
  std::error_code ignored;
  if (!isGgufFile(folder))
    return fs::exists(fs::path(folder) / "tokenizer.json", ignored) ||
           fs::exists(fs::path(folder) / "tokenizer.model", ignored);
  Result<json> metadata = readGgufMetadata(folder);
  return metadata && metadata->contains("tokenizer.ggml.model");
}

/// The object in a file, or an empty one where there is no such file.
static Result<json> readIfThere(const fs::path &path) {
  std::error_code ignored;
  return fs::exists(path, ignored) ? readJsonObject(path.string()) : json::object();
}

Result<Tokenizer> Tokenizer::loadSentencePiece(const std::string &folder) {
  fs::path path(folder);
  Result<MappedFile> model = MappedFile::open((path / "tokenizer.model").string());
  if (!model)
    return model.error();
  Result<json> config = readIfThere(path / "tokenizer_config.json"),
               special = readIfThere(path / "special_tokens_map.json"),
               added = readIfThere(path / "added_tokens.json");
  for (const Result<json> *file : {&config, &special, &added})
    if (!*file)
      return file->error();
  Result<Tokenizer> made = fromSentencePiece({model->bytes(), *config, *special, *added});
  if (!made)
    return Error{folder + "/" + made.error().message};
  return made;
}

Result<Tokenizer> Tokenizer::parseSentencePiece(std::string_view model) {
  return fromSentencePiece({.model = model});
}

Result<Tokenizer> Tokenizer::parseGguf(std::string_view bytes) {
  Result<GgufFile> file = parseGgufFile(bytes);
  if (!file)
    return file.error();
  Result<json> described = describeGguf(file->metadata);
  if (!described)
    return described.error();
  Result<Tokenizer> made = fromJson(*described);
  if (made)
    return made;
  // What is left to be found are merges.
  Result<std::string> message =
      replaceAll(made.error().message, "model.merges", "tokenizer.ggml.merges");
  message = replaceAll(*message, "model.vocab", "tokenizer.ggml.tokens");
  return Error{std::move(*message)};
}

Result<Tokenizer> Tokenizer::loadFolder(const std::string &folder) {
  if (isGgufFile(folder)) {
    Result<MappedFile> file = MappedFile::open(folder);
    if (!file)
      return file.error();
    Result<Tokenizer> made = parseGguf(file->bytes());
    if (!made)
      return Error{folder + ": " + made.error().message};
    return made;
  }
  std::string path = (fs::path(folder) / "tokenizer.json").string(),
              configPath = (fs::path(folder) / "tokenizer_config.json").string();
  std::error_code ignored;
  if (!fs::exists(path, ignored) && isIn(folder))
    return loadSentencePiece(folder);
  Result<json> file = readJsonObject(path);
  if (!file)
    return file.error();
  if (fs::exists(configPath, ignored)) {
    Result<json> config = readJsonObject(configPath);
    if (!config)
      return config.error();
    const json *name = find(*config, "tokenizer_class");
    if (name && (*name == "LlamaTokenizer" || *name == "LlamaTokenizerFast") &&
        isSentencePiece(*file))
      makeLlama(*file, *config);
  }
  Result<Tokenizer> made = fromJson(*file);
  if (!made)
    return Error{path + ": " + made.error().message};
  return made;
}
