#include "forge/Chat/ChatTemplate.h"

#include "Interpreter.h"

#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/MappedFile.h"

#include <filesystem>

using namespace forge;
using namespace forge::chat;
using nlohmann::json;
namespace fs = std::filesystem;

struct ChatTemplate::Impl {
  Body body;
  Map names;        ///< that every text has: bos_token ...
  std::string path; ///< of the file, for messages
};

ChatTemplate::ChatTemplate(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
ChatTemplate::ChatTemplate(ChatTemplate &&) noexcept = default;
ChatTemplate &ChatTemplate::operator=(ChatTemplate &&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

Result<ChatTemplate> ChatTemplate::parse(std::string_view source) {
  constexpr size_t most = 1 << 20;
  if (source.size() > most)
    return Error{"expected a template of at most " + std::to_string(most) + " bytes, but got " +
                 std::to_string(source.size())};
  Result<Body> body = parseTemplate(source);
  if (!body)
    return body.error();
  auto impl = std::make_unique<Impl>();
  impl->body = std::move(*body);
  return ChatTemplate(std::move(impl));
}

/// chat_template of tokenizer_config.json; null where there is none.
static Result<const std::string *> configured(const json &config) {
  auto found = config.find("chat_template");
  if (found == config.end() || found->is_null())
    return nullptr;
  if (found->is_string())
    return found->get_ptr<const std::string *>();
  if (found->is_array())
    for (const json &named : *found) {
      bool isTemplate = named.is_object() && named.contains("name") && named.contains("template");
      if (isTemplate && named["name"] == "default" && named["template"].is_string())
        return named["template"].get_ptr<const std::string *>();
    }
  return Error{"chat_template: expected a text, or a list with a template of the name default, "
               "but got " +
               briefText(*found)};
}

/// The texts of bos_token, eos_token and such.
static Map specialTokens(const json &config) {
  Map names;
  for (const auto &[key, value] : config.items()) {
    if (!key.ends_with("_token"))
      continue;
    auto content = value.is_object() ? value.find("content") : value.end();
    if (value.is_string())
      names.emplace_back(key, Value::text(value.get<std::string>()));
    else if (content != value.end() && content->is_string())
      names.emplace_back(key, Value::text(content->get<std::string>()));
  }
  return names;
}

/// What a GGUF file has of a tokenizer_config.json: the template, and the texts of the tokens that
/// begin and end a text.
static json configOfGguf(const json &metadata) {
  json config = json::object();
  if (auto source = metadata.find("tokenizer.chat_template"); source != metadata.end())
    config["chat_template"] = *source;
  auto tokens = metadata.find("tokenizer.ggml.tokens");
  if (tokens == metadata.end() || !tokens->is_array())
    return config;
  for (const char *name : {"bos_token", "eos_token"}) {
    auto id = metadata.find("tokenizer.ggml." + std::string(name) + "_id");
    std::optional<int64_t> number = id == metadata.end() ? std::nullopt : naturalNumber(*id);
    if (number && static_cast<uint64_t>(*number) < tokens->size())
      config[name] = (*tokens)[static_cast<size_t>(*number)];
  }
  return config;
}

Result<ChatTemplate> ChatTemplate::loadGguf(const std::string &path) {
  Result<json> metadata = readGgufMetadata(path);
  if (!metadata)
    return metadata.error();
  json config = configOfGguf(*metadata);
  Result<const std::string *> source = configured(config);
  if (!source)
    return Error{path + ": " + source.error().message};
  if (!*source)
    return Error{path + ": expected tokenizer.chat_template"};
  Result<ChatTemplate> parsed = parse(**source);
  if (!parsed)
    return Error{path + ": " + parsed.error().message};
  parsed->impl->names = specialTokens(config);
  parsed->impl->path = path;
  return parsed;
}

Result<ChatTemplate> ChatTemplate::loadFolder(const std::string &folder) {
  if (isGgufFile(folder))
    return loadGguf(folder);
  std::string file = (fs::path(folder) / "chat_template.jinja").string(),
              configFile = (fs::path(folder) / "tokenizer_config.json").string();
  std::error_code error;
  json config = json::object();
  if (fs::exists(configFile, error)) {
    Result<json> read = readJsonObject(configFile);
    if (!read)
      return read.error();
    config = std::move(*read);
  }
  std::string path = configFile;
  Result<ChatTemplate> parsed = Error{"no template"};
  if (fs::exists(file, error)) {
    path = file;
    Result<MappedFile> mapped = MappedFile::open(file);
    if (!mapped)
      return mapped.error();
    parsed = parse(mapped->bytes());
  } else {
    Result<const std::string *> source = configured(config);
    if (!source)
      return Error{path + ": " + source.error().message};
    if (!*source)
      return Error{folder + ": expected chat_template.jinja, or chat_template in "
                            "tokenizer_config.json"};
    parsed = parse(**source);
  }
  if (!parsed)
    return Error{path + ": " + parsed.error().message};
  parsed->impl->names = specialTokens(config);
  parsed->impl->path = path;
  return parsed;
}

Result<std::string> ChatTemplate::render(const nlohmann::ordered_json &names) const {
  Map all = impl->names;
  for (const auto &[name, value] : names.items())
    setMember(all, name, Value::fromJson(value));
  Interpreter interpreter(all);
  Result<std::string> text = interpreter.run(impl->body);
  if (!text && !impl->path.empty())
    return Error{impl->path + ": " + text.error().message};
  return text;
}

Result<std::string> ChatTemplate::apply(const nlohmann::ordered_json &messages) const {
  return render({{"messages", messages},
                 {"tools", nullptr},
                 {"documents", nullptr},
                 {"add_generation_prompt", true}});
}
