// The bytes are a tokenizer.model; a text has its first tokens in it, spaces, and what it may not
// know.
#include "CheckTokenizer.h"

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<Tokenizer> tokenizer =
      Tokenizer::parseSentencePiece({reinterpret_cast<const char *>(data), size});
  std::string text = " Once  upon a time, \xe2\x96\x81 \xef\xac\x81ne \xf0\x9f\x99\x82\n";
  for (int32_t id = 0; tokenizer && id < std::min<int64_t>(tokenizer->idLimit(), 256); ++id)
    if (Result<std::string> token = tokenizer->decode({id}))
      text += *token + (id % 3 == 0 ? " " : "");
  checkTokenizer(tokenizer, text);
  return 0;
}
