// The bytes up to the first zero are a tokenizer.json, the others a text.
#include "CheckTokenizer.h"

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  size_t end = std::min(bytes.find('\0'), size);
  checkTokenizer(Tokenizer::parse(bytes.substr(0, end)), bytes.substr(std::min(end + 1, size)));
  return 0;
}
