// For any bytes: the .npy reader gives a tensor that agrees with its header, or an error.
#include "forge/Support/Npy.h"

#include <cstdlib>

using namespace forge;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<HostTensor> tensor = parseNpy({reinterpret_cast<const char *>(data), size});
  if (!tensor) {
    if (tensor.error().message.empty() || tensor.error().message.find('\n') != std::string::npos)
      std::abort();
    return 0;
  }
  if (tensor->numBytes() > size)
    std::abort();
  for (DType type : {DType::BF16, DType::F16, DType::F8E4M3FN, DType::F8E5M2, DType::I4, DType::U4})
    if (Result<HostTensor> converted = convertNpy(*tensor, type))
      if (converted->dims() != tensor->dims())
        std::abort();
  return 0;
}
