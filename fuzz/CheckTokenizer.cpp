#include "CheckTokenizer.h"

#include "forge/Tokenizer/TextStream.h"

#include <cstdlib>

using namespace forge;

static void checkError(const Error &error) {
  if (error.message.empty() || error.message.find('\n') != std::string::npos)
    std::abort();
}

void forge::checkTokenizer(const Result<Tokenizer> &tokenizer, std::string_view text) {
  if (!tokenizer)
    return checkError(tokenizer.error());
  Result<std::vector<int32_t>> ids = tokenizer->encode(text, /*addSpecial=*/false);
  if (!ids)
    return checkError(ids.error());
  TextStream stream(*tokenizer);
  for (int32_t id : *ids) {
    if (id < 0 || id >= tokenizer->idLimit())
      std::abort();
    if (Result<std::string> part = stream.add(id); !part)
      checkError(part.error());
  }
  Result<std::string> back = tokenizer->decode(*ids);
  // What is decoded can be encoded.
  if (!back)
    checkError(back.error());
  else if (Result<std::vector<int32_t>> again = tokenizer->encode(*back); !again)
    checkError(again.error());
}
