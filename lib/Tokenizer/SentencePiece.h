// SentencePiece as a model and a decoder of the tokenizer.
#ifndef FORGE_LIB_TOKENIZER_SENTENCEPIECE_H
#define FORGE_LIB_TOKENIZER_SENTENCEPIECE_H

#include "SentencePieceModel.h"
#include "Stages.h"
#include "Vocabulary.h"

#include <set>

namespace forge::tokenizer {

struct SentencePiece {
  std::unique_ptr<Model> model;
  Decoder decoder;
};

/// `others` are tokens that are not SentencePiece's business: they are their own text.
/// `vocabulary` is {"vocab": {"PIECE": ID}}. `leavesSpaceOut`: the decoder leaves a space out at
/// the beginning of a text that the model itself does not put there.
Result<SentencePiece> makeSentencePiece(const SentencePieceModel &model, const Node &vocabulary,
                                        std::set<std::string> others, bool leavesSpaceOut);

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_SENTENCEPIECE_H
