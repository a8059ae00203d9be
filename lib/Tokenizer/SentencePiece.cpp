#include "SentencePiece.h"

#include "SentencePieceLibrary.h"
#include "Unicode.h"

#include <algorithm>

using namespace forge;
using namespace forge::tokenizer;

namespace {
class LibraryModel : public Model {
public:
  LibraryModel(const Node &vocabulary, std::shared_ptr<SentencePieceLibrary> library,
               size_t mostText)
      : Model(vocabulary), library(std::move(library)), mostText(mostText) {}

  Result<void> encode(std::string_view piece, std::vector<int32_t> &result) const override {
    if (piece.size() > mostText)
      return Error{"expected at most " + std::to_string(mostText) +
                   " bytes of text between added tokens, but got " + std::to_string(piece.size())};
    Result<std::vector<int>> ids = library->encode(piece);
    if (!ids)
      return ids.error();
    result.insert(result.end(), ids->begin(), ids->end());
    return {};
  }

private:
  std::shared_ptr<SentencePieceLibrary> library;
  size_t mostText;
};

/// Tokens between others are a text of their own, as they are in encoding.
class LibraryDecoder {
public:
  LibraryDecoder(std::shared_ptr<SentencePieceLibrary> library, std::set<std::string> others,
                 bool leavesSpaceOut)
      : library(std::move(library)), others(std::move(others)), leavesSpaceOut(leavesSpaceOut) {}

  Result<std::vector<std::string>> operator()(std::vector<std::string> tokens) const {
    if (leavesSpaceOut && !tokens.empty() && tokens[0].starts_with(kSpaceMark))
      tokens[0].erase(0, std::string_view(kSpaceMark).size());
    std::vector<std::string> texts, run;
    for (std::string &token : tokens) {
      if (!others.contains(token)) {
        run.push_back(std::move(token));
        continue;
      }
      if (Result<void> done = decode(run, texts); !done)
        return done.error();
      texts.push_back(std::move(token));
    }
    if (Result<void> done = decode(run, texts); !done)
      return done.error();
    return texts;
  }

private:
  /// Adds the text of `run`, which is empty then.
  Result<void> decode(std::vector<std::string> &run, std::vector<std::string> &texts) const {
    Result<std::string> text = library->decode(run);
    if (!text)
      return text.error();
    texts.push_back(std::move(*text));
    run.clear();
    return {};
  }

  std::shared_ptr<SentencePieceLibrary> library;
  std::set<std::string> others;
  bool leavesSpaceOut;
};
} // namespace

Result<SentencePiece> tokenizer::makeSentencePiece(const SentencePieceModel &model,
                                                   const Node &vocabulary,
                                                   std::set<std::string> others,
                                                   bool leavesSpaceOut) {
  // What the library takes for a text grows with its normalized form, by about 100 bytes a byte.
  constexpr size_t mostNormalized = size_t(1) << 28;
  Result<std::unique_ptr<SentencePieceLibrary>> loaded =
      SentencePieceLibrary::load(model.serialize());
  if (!loaded)
    return loaded.error();
  std::shared_ptr<SentencePieceLibrary> library = std::move(*loaded);
  size_t mostText = std::min(kMostText, mostNormalized / model.growth);
  return SentencePiece{std::make_unique<LibraryModel>(vocabulary, library, mostText),
                       LibraryDecoder(library, std::move(others), leavesSpaceOut)};
}
