// Attention by the vendor's library (cuDNN), opened with dlopen: what `forge bench` times beside
// Forge's own. Compiled code does not call it. No MLIR.
#ifndef FORGE_RUNTIME_VENDORATTENTION_H
#define FORGE_RUNTIME_VENDORATTENTION_H

#include "forge/Runtime/Device.h"

#include <array>
#include <memory>
#include <string>

namespace forge::rt {

/// out[b, h, r, c] = sum over keys t of softmax(scale * query[b, h, r] key[b, h / group, t])[t] *
/// value[b, h / group, t, c], where group = heads / keyHeads. `causal`: row r sees keys 0 to r.
/// Accumulated in f32.
struct AttentionCall {
  /// Of all four: FORGE_RT_F16 or FORGE_RT_BF16.
  forge_rt_type type = FORGE_RT_BF16;
  int64_t batch = 1, heads = 1, keyHeads = 1, rows = 1, keys = 1, depth = 1, columns = 1;
  double scale = 1;
  bool causal = false;
  /// In elements: from one batch, head and row (key) to the next; the last dimension is side by
  /// side. The result is contiguous.
  using Strides = std::array<int64_t, 3>;
  Strides queryStrides{}, keyStrides{}, valueStrides{};

  Strides outStrides() const { return {heads * rows * columns, rows * columns, columns}; }
};

/// "attention, batch 4, 32 heads, 8 of keys, 4096 rows, 4096 keys, depth 128, bf16, causal".
std::string describeAttention(const AttentionCall &call);
/// Fails unless sizes are positive, heads fit, and the type is one of the two.
Result<void> checkAttention(const AttentionCall &call);

/// Device pointers, multiples of 16 bytes.
struct AttentionOperands {
  const void *query = nullptr;
  const void *key = nullptr;
  const void *value = nullptr;
  void *out = nullptr;
};

/// A library's handle on one device. Used by one thread at a time, on one stream.
class VendorAttention {
public:
  virtual ~VendorAttention() = default;
  /// "libcudnn.so.9, version 91900".
  virtual std::string description() const = 0;
  /// Whether the library offers the attention: an Error says why not. The answer is kept.
  virtual Result<void> prepare(const AttentionCall &call) = 0;
  /// Enqueues it.
  virtual Result<void> attend(Stream &stream, const AttentionCall &call,
                              const AttentionOperands &operands) = 0;
};

/// cuDNN 9 on a device of the cuda driver; an Error says what is missing.
Result<std::unique_ptr<VendorAttention>> createCudnn(std::shared_ptr<Device> device);

} // namespace forge::rt

#endif // FORGE_RUNTIME_VENDORATTENTION_H
