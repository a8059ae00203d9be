// A memref in the interpreter: places in memory that others may refer to as well.
#ifndef FORGE_LIB_VERIFY_BUFFER_H
#define FORGE_LIB_VERIFY_BUFFER_H

#include "forge/Reference/Elements.h"
#include "forge/Verify/Interpreter.h"

namespace forge::interpreter {

/// Carried in place of a tensor, so that calls, loops and branches pass it on as they pass tensors;
/// as a tensor it has no elements. Values of memref type, and no others, are buffers.
struct Buffer : HostTensor {
  std::shared_ptr<HostTensor> memory;
  /// In elements of `memory`.
  int64_t offset = 0;
  reference::Dims sizes, strides;

  /// The place in memory of the element at `index`; fails outside of the buffer.
  Result<int64_t> placeOf(llvm::ArrayRef<int64_t> index) const;
  /// All of its places in memory; fails where one is outside.
  Result<reference::ElementBox> box() const;
  /// What it holds, as a tensor.
  Result<HostTensor> read() const;
  /// A buffer of its own with the elements of `tensor`.
  static std::shared_ptr<Buffer> holding(HostTensor tensor);
};

/// The buffer that a value of memref type is.
inline const Buffer &bufferOf(const TensorRef &value) {
  return static_cast<const Buffer &>(*value);
}

} // namespace forge::interpreter

#endif // FORGE_LIB_VERIFY_BUFFER_H
