// For any bytes: the tensors of a safetensors file are inside it and as large as they say, or
// there is an error of one line.
#include "forge/Checkpoint/Safetensors.h"

#include <cstdlib>

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  Result<StoredTensors> tensors = parseSafetensors(bytes);
  if (!tensors) {
    const std::string &message = tensors.error().message;
    if (message.empty() || message.find('\n') != std::string::npos)
      std::abort();
    return 0;
  }
  size_t total = 0;
  for (const auto &[name, tensor] : *tensors) {
    bool inside = tensor.elements.data() >= bytes.data() &&
                  tensor.elements.data() + tensor.elements.size() <= bytes.data() + bytes.size();
    size_t wanted = byteWidth(tensor.spec.type);
    for (int64_t dim : tensor.spec.dims)
      wanted *= static_cast<size_t>(dim);
    if (!inside || wanted != tensor.elements.size())
      std::abort();
    total += tensor.elements.size();
  }
  // No two share a byte.
  if (total > size)
    std::abort();
  return 0;
}
