// For any bytes: the tensors of a safetensors file are inside it and as large as they say, or
// there is an error of one line.
#include "CheckTensors.h"

#include "forge/Checkpoint/Safetensors.h"

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  checkTensors(parseSafetensors(bytes), bytes);
  return 0;
}
