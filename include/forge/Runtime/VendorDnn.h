// Attention, its gradients and convolutions by the vendor's library (cuDNN), opened with dlopen:
// what `forge bench` compares Forge's kernels with. Compiled code does not call it. No MLIR.
#ifndef FORGE_RUNTIME_VENDORDNN_H
#define FORGE_RUNTIME_VENDORDNN_H

#include "forge/Runtime/Device.h"
#include "forge/Runtime/DnnCalls.h"

#include <memory>

namespace forge::rt {

/// A library's handle on one device. Used by one thread at a time, on one stream.
class VendorDnn {
public:
  virtual ~VendorDnn() = default;
  /// "libcudnn.so.9, version 91900".
  virtual std::string description() const = 0;
  /// Whether the library offers the call: an Error says why not. The answer is kept.
  virtual Result<void> prepare(const DnnCall &call) = 0;
  /// Enqueues it. `operands`: device pointers, multiples of 16 bytes, one for each of `tensorsOf`.
  virtual Result<void> run(Stream &stream, const DnnCall &call,
                           const std::vector<void *> &operands) = 0;
};

/// cuDNN 9 on a device of the cuda driver; an Error says what is missing.
Result<std::unique_ptr<VendorDnn>> createCudnn(std::shared_ptr<Device> device);

} // namespace forge::rt

#endif // FORGE_RUNTIME_VENDORDNN_H
