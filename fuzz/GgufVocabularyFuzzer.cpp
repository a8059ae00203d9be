// The bytes are a GGUF file with the vocabulary of a tokenizer in its metadata.
#include "CheckTokenizer.h"

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  checkTokenizer(Tokenizer::parseGguf({reinterpret_cast<const char *>(data), size}),
                 " Once  upon a time, \xe2\x96\x81 it's 1234 \xf0\x9f\x99\x82\n");
  return 0;
}
