// A compiled function called on tensors of the host: descriptors, copies to a device and back. No
// MLIR.
#ifndef FORGE_RUNTIME_INVOKE_H
#define FORGE_RUNTIME_INVOKE_H

#include "forge/Runtime/Context.h"
#include "forge/Support/TensorSpec.h"

#include <vector>

#include <memory>
#include <optional>

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
/// results are dropped, so that there is no copy between two calls and what the caches hold is what
/// the code left there. Milliseconds as in Invocation.
Result<double> timeCall(Context &context, Context::Entry entry, const FunctionSignature &signature,
                        std::vector<HostTensor> &inputs);

/// Inputs kept where compiled code reads them, on the device if the context has one, for runs that
/// follow each other without copies in between. A donated input may be overwritten by a run.
class LoadedCall {
public:
  /// `context` outlives it.
  static Result<std::unique_ptr<LoadedCall>>
  create(Context &context, const FunctionSignature &signature, std::vector<HostTensor> inputs);
  /// Inputs that are not given are drawn at random (RandomInputs.h), where they are read; fails if
  /// their sizes are not known.
  static Result<std::unique_ptr<LoadedCall>>
  createRandom(Context &context, const FunctionSignature &signature,
               std::vector<std::optional<HostTensor>> given, uint64_t seed);
  ~LoadedCall();
  /// Runs, and drops the results; milliseconds as in Invocation.
  Result<double> run(Context::Entry entry);
  /// Runs, and keeps the results of `signature`, which is that of `create`.
  Result<Invocation> invoke(Context::Entry entry, const FunctionSignature &signature);

private:
  explicit LoadedCall(Context &context) : context(context) {}
  static Result<std::unique_ptr<LoadedCall>> begin(Context &context,
                                                   const FunctionSignature &signature);
  Result<void> add(HostTensor tensor);
  /// Memory of the device that stays until the end.
  Result<void *> allocate(size_t bytes);
  Context &context;
  uint64_t generation = 0;
  std::vector<HostTensor> tensors;
  std::vector<void *> memory;
  std::vector<int64_t> resultBlock;
  std::vector<std::vector<int64_t>> descriptors;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_INVOKE_H
