// A compiled function called on tensors of the host: descriptors, copies to a device and back. No
// MLIR.
#ifndef FORGE_RUNTIME_INVOKE_H
#define FORGE_RUNTIME_INVOKE_H

#include "forge/Runtime/Context.h"
#include "forge/Support/TensorSpec.h"

#include <vector>

namespace forge::rt {

struct Invocation {
  std::vector<HostTensor> results;
  /// Wall time inside compiled code, and of waiting for the device: without copies in and out.
  double runMs = 0;
};

/// Calls `entry` (NAME__packed of `signature`) in `context`. When the context has a device, inputs
/// are copied to it first and results from it afterwards, and the descriptors compiled code sees
/// hold device pointers. Fails on inputs that do not fit, on errors inside, and on the device's.
Result<Invocation> invoke(Context &context, Context::Entry entry,
                          const FunctionSignature &signature, std::vector<HostTensor> inputs);

/// The same, for timing: on `inputs` where they lie (a donated one may be overwritten), and the
/// results are dropped, so that no copy stands between two calls and what the caches hold is what
/// the code left there. Milliseconds as in Invocation.
Result<double> timeCall(Context &context, Context::Entry entry, const FunctionSignature &signature,
                        std::vector<HostTensor> &inputs);

} // namespace forge::rt

#endif // FORGE_RUNTIME_INVOKE_H
