// Products by the vendor's library (cuBLASLt, hipBLASLt, OpenBLAS), opened with dlopen. No MLIR.
#ifndef FORGE_RUNTIME_VENDORBLAS_H
#define FORGE_RUNTIME_VENDORBLAS_H

#include "forge/Runtime/Device.h"
#include "forge/Runtime/DeviceABI.h"

#include <memory>
#include <string>

namespace forge::rt {

/// Device pointers; bias and residual may be null.
struct MatmulOperands {
  const void *lhs = nullptr;
  const void *rhs = nullptr;
  const void *bias = nullptr;
  const void *residual = nullptr;
  void *out = nullptr;
  /// For error messages, as Launch::description.
  const char *description = "";
};

/// A library's handle on one device, with its workspace. Used by one thread at a time, on one
/// stream.
class VendorBlas {
public:
  virtual ~VendorBlas() = default;
  /// "libcublasLt.so.13, version 130000".
  virtual std::string description() const = 0;
  /// Whether the library offers the product (see struct forge_rt_matmul), for pointers aligned as
  /// these: an Error says why not. The answer is kept, so that asking again costs a look-up.
  virtual Result<void> prepare(const forge_rt_matmul &product, const MatmulOperands &operands) = 0;
  /// Enqueues the product. What the library does not offer (a type, an epilogue) is an Error;
  /// nothing is done then.
  virtual Result<void> multiply(Stream &stream, const forge_rt_matmul &product,
                                const MatmulOperands &operands) = 0;
};

/// Fails unless the description is one: sizes, types, strides that cover the rows.
Result<void> checkMatmul(const forge_rt_matmul &product, const MatmulOperands &operands);
/// "64x128x32 product, batch 4, bf16 x bf16 -> f32, bias, gelu_tanh".
std::string describeMatmul(const forge_rt_matmul &product, const MatmulOperands &operands = {});

/// Products on the host, for devices whose memory is host memory: OpenBLAS where it is found and
/// fits, otherwise plain loops that accumulate in double.
std::unique_ptr<VendorBlas> createHostBlas();

} // namespace forge::rt

#endif // FORGE_RUNTIME_VENDORBLAS_H
