// MLIR's memref descriptors, as compiled code passes them. No MLIR.
#ifndef FORGE_RUNTIME_MEMREF_H
#define FORGE_RUNTIME_MEMREF_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forge::rt {

/// A view of a descriptor {allocated, aligned, offset, sizes[rank], strides[rank]}, all 8 bytes
/// each; sizes and strides in elements.
class MemRef {
public:
  MemRef(int64_t rank, void *descriptor) : count(rank), words(static_cast<int64_t *>(descriptor)) {}

  static size_t descriptorWords(int64_t rank) { return 3 + 2 * static_cast<size_t>(rank); }

  int64_t rank() const { return count; }
  int64_t size(int64_t dim) const { return words[3 + dim]; }
  int64_t stride(int64_t dim) const { return words[3 + count + dim]; }
  /// The first element.
  char *base(size_t elementBytes) const {
    return reinterpret_cast<char *>(words[1]) + words[2] * static_cast<int64_t>(elementBytes);
  }
  int64_t numElements() const {
    int64_t product = 1;
    for (int64_t dim = 0; dim < count; ++dim)
      product *= size(dim);
    return product;
  }
  std::vector<int64_t> sizes() const { return std::vector<int64_t>(words + 3, words + 3 + count); }
  /// True if the elements lie row-major without gaps.
  bool isContiguous() const {
    int64_t expected = 1;
    for (int64_t dim = count - 1; dim >= 0; --dim) {
      if (size(dim) != 1 && stride(dim) != expected)
        return false;
      expected *= size(dim);
    }
    return true;
  }

private:
  int64_t count;
  int64_t *words;
};

/// Copies `source` to `target`, of equal shapes and any strides.
void copyElements(size_t elementBytes, MemRef source, MemRef target);

} // namespace forge::rt

#endif // FORGE_RUNTIME_MEMREF_H
