#include "CheckTensors.h"

#include <cstdlib>

using namespace forge;

void forge::checkTensors(const Result<StoredTensors> &tensors, std::string_view bytes) {
  if (!tensors) {
    const std::string &message = tensors.error().message;
    if (message.empty() || message.find('\n') != std::string::npos)
      std::abort();
    return;
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
  if (total > bytes.size())
    std::abort();
}
