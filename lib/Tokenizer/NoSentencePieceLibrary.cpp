#include "SentencePieceLibrary.h"

using namespace forge;
using namespace forge::tokenizer;

Result<std::unique_ptr<SentencePieceLibrary>> SentencePieceLibrary::load(const std::string &) {
  return Error{"this program is built without SentencePiece: expected a tokenizer.json"};
}
