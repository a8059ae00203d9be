// The bytes up to the first zero are a tokenizer.json, the others a text. Its ids are in the
// vocabulary and decode to UTF-8, or there is an error of one line.
#include "forge/Tokenizer/TextStream.h"

#include <cstdlib>

using namespace forge;

static void checkError(const Error &error) {
  if (error.message.empty() || error.message.find('\n') != std::string::npos)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  size_t end = std::min(bytes.find('\0'), size);
  Result<Tokenizer> tokenizer = Tokenizer::parse(bytes.substr(0, end));
  if (!tokenizer) {
    checkError(tokenizer.error());
    return 0;
  }
  std::string_view text = bytes.substr(std::min(end + 1, size));
  Result<std::vector<int32_t>> ids = tokenizer->encode(text, /*addSpecial=*/false);
  if (!ids) {
    checkError(ids.error());
    return 0;
  }
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
  return 0;
}
