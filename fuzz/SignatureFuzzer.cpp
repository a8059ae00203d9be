// For any text: the signature that is in a compiled module is understood, or an error of
// one line; what is understood, written again, is understood as the same.
#include "forge/Support/ModuleSignature.h"

#include <cstdlib>

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<ModuleSignature> signature = parseSignature({reinterpret_cast<const char *>(data), size});
  if (!signature) {
    const std::string &message = signature.error().message;
    if (message.empty() || message.find('\n') != std::string::npos)
      std::abort();
    return 0;
  }
  std::string text = writeSignature(*signature);
  Result<ModuleSignature> again = parseSignature(text);
  if (!again || writeSignature(*again) != text)
    std::abort();
  return 0;
}
