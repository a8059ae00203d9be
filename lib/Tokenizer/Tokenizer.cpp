#include "forge/Tokenizer/Tokenizer.h"

#include "AddedTokens.h"
#include "SentencePieceFolder.h"
#include "Unicode.h"

#include "forge/Checkpoint/Json.h"

using namespace forge;
using namespace forge::tokenizer;

struct Tokenizer::Impl {
  Impl(const Node &file)
      : normalizer(parseNormalizer(file["normalizer"])),
        preTokenizer(parsePreTokenizer(file["pre_tokenizer"])), model(Model::parse(file["model"])),
        postProcessor(parsePostProcessor(file["post_processor"])),
        decoder(parseDecoder(file["decoder"])) {
    if (!file.failed())
      added.emplace(file["added_tokens"], normalizer, model->vocabulary());
  }
  Impl(SentencePieceParts parts, const Node &stages)
      : preTokenizer(std::move(parts.preTokenizer)), model(std::move(parts.model)),
        postProcessor(parsePostProcessor(stages["post_processor"])),
        decoder(std::move(parts.decoder)) {
    added.emplace(stages["added_tokens"], normalizer, model->vocabulary());
  }

  Normalizer normalizer;
  PreTokenizer preTokenizer;
  std::unique_ptr<Model> model;
  PostProcessor postProcessor;
  Decoder decoder;
  std::optional<AddedTokens> added;
};

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer &&) noexcept = default;
Tokenizer &Tokenizer::operator=(Tokenizer &&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Result<Tokenizer> Tokenizer::parse(std::string_view text) {
  Result<nlohmann::json> object = parseJsonObject(text);
  return object ? fromJson(*object) : Result<Tokenizer>(object.error());
}

Result<Tokenizer> Tokenizer::fromJson(const nlohmann::json &object) {
  std::string error;
  Node file(object, error);
  if (!file["model"].present())
    file["model"].fail("an object");
  if (!error.empty())
    return Error{error};
  auto impl = std::make_unique<Impl>(file);
  if (!error.empty())
    return Error{error};
  return Tokenizer(std::move(impl));
}

Result<Tokenizer> Tokenizer::fromSentencePiece(const SentencePieceFiles &files) {
  Result<SentencePieceParts> parts = readSentencePiece(files);
  if (!parts)
    return parts.error();
  nlohmann::json described = std::move(parts->stages);
  std::string error;
  auto impl = std::make_unique<Impl>(std::move(*parts), Node(described, error));
  if (!error.empty())
    return Error{error};
  return Tokenizer(std::move(impl));
}

Result<std::vector<int32_t>> Tokenizer::encode(std::string_view text, bool addSpecial) const {
  if (text.size() > kMostText)
    return Error{"expected at most " + std::to_string(kMostText) + " bytes of text, but got " +
                 std::to_string(text.size())};
  if (!isUTF8(text))
    return Error{"expected text in UTF-8"};
  Result<std::vector<Segment>> segments = impl->added->cut(text, impl->normalizer);
  if (!segments)
    return segments.error();
  std::vector<int32_t> ids;
  for (size_t i = 0; i < segments->size(); ++i) {
    Segment &segment = (*segments)[i];
    if (segment.id) {
      ids.push_back(*segment.id);
      continue;
    }
    std::vector<Piece> pieces{{std::move(segment.text), i == 0}};
    if (impl->preTokenizer) {
      Result<std::vector<Piece>> cut = impl->preTokenizer(std::move(pieces));
      if (!cut)
        return cut.error();
      pieces = std::move(*cut);
    }
    for (const Piece &piece : pieces)
      if (Result<void> done = impl->model->encode(piece.text, ids); !done)
        return done.error();
  }
  return addSpecial && impl->postProcessor ? impl->postProcessor(std::move(ids)) : ids;
}

Result<std::string> Tokenizer::decode(const std::vector<int32_t> &ids, bool skipSpecial) const {
  std::vector<std::string> tokens;
  for (int32_t id : ids) {
    if (skipSpecial && isSpecial(id))
      continue;
    const std::string *token = impl->added->token(id);
    if (!token)
      token = impl->model->vocabulary().token(id);
    if (token)
      tokens.push_back(*token);
  }
  std::string text;
  if (!impl->decoder) {
    for (size_t i = 0; i < tokens.size(); ++i)
      text += (i > 0 ? " " : "") + tokens[i];
    return text;
  }
  Result<std::vector<std::string>> parts = impl->decoder(std::move(tokens));
  if (!parts)
    return parts.error();
  for (const std::string &part : *parts)
    text += part;
  return text;
}

std::optional<int32_t> Tokenizer::idOf(std::string_view token) const {
  std::optional<int32_t> added = impl->added->find(token);
  return added ? added : impl->model->vocabulary().find(token);
}

bool Tokenizer::isSpecial(int32_t id) const { return impl->added->isSpecial(id); }

int64_t Tokenizer::idLimit() const {
  return std::max(impl->added->idLimit(), impl->model->vocabulary().idLimit());
}
