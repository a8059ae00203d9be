// A dense tensor in host memory: what is read from .npy files, fed to compiled code and to the
// reference. No MLIR.
#ifndef FORGE_SUPPORT_HOSTTENSOR_H
#define FORGE_SUPPORT_HOSTTENSOR_H

#include "forge/Support/DType.h"
#include "forge/Support/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace forge {

/// Row-major (C order), densely packed; `dims` empty for a scalar. Memory is 64-byte aligned and
/// owned. Copies share nothing: copying a HostTensor copies its elements.
class HostTensor {
public:
  HostTensor() = default;
  /// Takes memory for `dims` elements of `type`, zeroed. Fails on a negative size, on overflow and
  /// when out of memory.
  static Result<HostTensor> create(DType type, std::vector<int64_t> dims);
  /// The same, for a caller that writes every element.
  static Result<HostTensor> createUnset(DType type, std::vector<int64_t> dims);

  DType type() const { return elementType; }
  const std::vector<int64_t> &dims() const { return shape; }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t numElements() const { return count; }
  size_t numBytes() const { return static_cast<size_t>(count) * byteWidth(elementType); }
  void *data() { return aligned(storage.get()); }
  const void *data() const { return aligned(storage.get()); }
  template <typename T> T *dataAs() { return static_cast<T *>(data()); }
  template <typename T> const T *dataAs() const { return static_cast<const T *>(data()); }

  /// Element `index` (row-major) as a double; exact but for i64/u64 beyond 2^53.
  double getDouble(int64_t index) const {
    // What a reference reads and writes most.
    if (elementType == DType::F32)
      return dataAs<float>()[index];
    if (elementType == DType::F64)
      return dataAs<double>()[index];
    return decoded(index);
  }
  /// Stores `value` rounded to nearest even (floats), or truncated and wrapped (integers).
  void setDouble(int64_t index, double value) {
    if (elementType == DType::F32)
      dataAs<float>()[index] = static_cast<float>(value);
    else if (elementType == DType::F64)
      dataAs<double>()[index] = value;
    else
      encode(index, value);
  }
  /// Element `index` as raw bits, zero-extended.
  uint64_t getBits(int64_t index) const;
  void setBits(int64_t index, uint64_t bits);

  HostTensor(const HostTensor &other);
  HostTensor &operator=(const HostTensor &other);
  HostTensor(HostTensor &&) = default;
  HostTensor &operator=(HostTensor &&) = default;

private:
  static constexpr uintptr_t kAlignment = 64;
  /// Null stays null. Memory is taken without alignment: malloc keeps blocks of a size at hand,
  /// aligned_alloc does not.
  static void *aligned(void *memory) {
    return reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(memory) + kAlignment - 1) /
                                    kAlignment * kAlignment);
  }
  bool takeMemory(size_t bytes);
  double decoded(int64_t index) const;
  void encode(int64_t index, double value);

  struct Free {
    void operator()(void *pointer) const;
  };
  DType elementType = DType::F32;
  std::vector<int64_t> shape;
  int64_t count = 0;
  std::unique_ptr<void, Free> storage;
};

/// The type as text: "tensor<2x3xf32>".
std::string typeString(DType type, const std::vector<int64_t> &dims);
inline std::string typeString(const HostTensor &tensor) {
  return typeString(tensor.type(), tensor.dims());
}

} // namespace forge

#endif // FORGE_SUPPORT_HOSTTENSOR_H
