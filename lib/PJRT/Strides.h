// Tensors in host memory with strides of bytes, as NumPy describes them.
#ifndef FORGE_LIB_PJRT_STRIDES_H
#define FORGE_LIB_PJRT_STRIDES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forge::pjrt {

/// Of a dense tensor in C order, in bytes.
std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &dims, size_t elementBytes);

/// Copies the elements of a tensor of this shape; strides are in bytes and may be 0 or negative.
void copyStrided(const std::vector<int64_t> &dims, size_t elementBytes, const char *source,
                 const std::vector<int64_t> &sourceStrides, char *target,
                 const std::vector<int64_t> &targetStrides);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_STRIDES_H
