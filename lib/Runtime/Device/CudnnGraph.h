// An attention as a graph of cuDNN's operations. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_CUDNNGRAPH_H
#define FORGE_LIB_RUNTIME_DEVICE_CUDNNGRAPH_H

#include "CudnnApi.h"

#include "forge/Runtime/VendorAttention.h"

#include <memory>
#include <vector>

namespace forge::rt::cudnn {

/// A descriptor destroyed by a function of the library.
using Handle = std::unique_ptr<void, int (*)(void *)>;

/// Tensors of a graph that have a pointer when it runs.
enum TensorId : int64_t { kQuery = 1, kKey, kValue, kOut, kScale, kMasked, kFirstVirtual };

struct AttentionGraph {
  /// Everything that `graph` is made of, too.
  std::vector<Handle> parts;
  void *graph = nullptr;
  /// What kScale and kMasked point to, on the host: the second is for scores that are not seen, and
  /// there with a causal mask only.
  float scale = 1, masked = 0;
};

/// Without a device `handle` is null: then the graph is described, but no plan can be made of it.
Result<AttentionGraph> buildAttentionGraph(const Functions &cudnn, void *handle,
                                           const AttentionCall &call);

} // namespace forge::rt::cudnn

#endif // FORGE_LIB_RUNTIME_DEVICE_CUDNNGRAPH_H
