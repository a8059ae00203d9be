#include "SentencePieceLibrary.h"

#include <sentencepiece_processor.h>

using namespace forge;
using namespace forge::tokenizer;

namespace {
/// In one line, without the names of the library's source files.
Error errorOf(const sentencepiece::util::Status &status) {
  std::string text = status.message();
  for (char &letter : text)
    if (letter == '\n')
      letter = ' ';
  return Error{"SentencePiece: " + text};
}

class Processor : public SentencePieceLibrary {
public:
  Result<void> load(const std::string &model) {
    sentencepiece::util::Status status = processor.LoadFromSerializedProto(model);
    if (!status.ok())
      return errorOf(status);
    return {};
  }
  Result<std::vector<int>> encode(std::string_view text) const override {
    std::vector<int> ids;
    sentencepiece::util::Status status = processor.Encode(text, &ids);
    if (!status.ok())
      return errorOf(status);
    return ids;
  }
  Result<std::string> decode(const std::vector<std::string> &pieces) const override {
    std::string text;
    sentencepiece::util::Status status = processor.Decode(pieces, &text);
    if (!status.ok())
      return errorOf(status);
    return text;
  }

private:
  sentencepiece::SentencePieceProcessor processor;
};
} // namespace

Result<std::unique_ptr<SentencePieceLibrary>> SentencePieceLibrary::load(const std::string &model) {
  auto processor = std::make_unique<Processor>();
  // Building its tables is all that the library reports by exceptions.
  try {
    if (Result<void> loaded = processor->load(model); !loaded)
      return loaded.error();
  } catch (const std::exception &problem) {
    return Error{std::string("SentencePiece: ") + problem.what()};
  }
  return std::unique_ptr<SentencePieceLibrary>(std::move(processor));
}
