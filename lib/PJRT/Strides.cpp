#include "Strides.h"

#include <cstring>

std::vector<int64_t> forge::pjrt::rowMajorStrides(const std::vector<int64_t> &dims,
                                                  size_t elementBytes) {
  std::vector<int64_t> strides(dims.size());
  auto stride = static_cast<int64_t>(elementBytes);
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

void forge::pjrt::copyStrided(const std::vector<int64_t> &dims, size_t elementBytes,
                              const char *source, const std::vector<int64_t> &sourceStrides,
                              char *target, const std::vector<int64_t> &targetStrides) {
  size_t count = 1;
  for (int64_t size : dims)
    count *= static_cast<size_t>(size);
  std::vector<int64_t> index(dims.size());
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(target, source, elementBytes);
    // The next index, the last dimension fastest.
    for (size_t d = dims.size(); d-- > 0;) {
      source += sourceStrides[d];
      target += targetStrides[d];
      if (++index[d] < dims[d])
        break;
      source -= sourceStrides[d] * dims[d];
      target -= targetStrides[d] * dims[d];
      index[d] = 0;
    }
  }
}
