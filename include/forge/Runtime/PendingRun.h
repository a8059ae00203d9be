// Asynchronous runs on tensors that stay on the device. No MLIR.
#ifndef FORGE_RUNTIME_PENDINGRUN_H
#define FORGE_RUNTIME_PENDINGRUN_H

#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/Resident.h"

namespace forge::rt {

/// A run that was begun. Goes before the context, and waits for the run then.
class PendingRun {
public:
  PendingRun(PendingRun &&other) noexcept;
  ~PendingRun();

  /// Whether it had ended when it was begun: the device may still be at it otherwise.
  bool endedAtOnce() const { return !landing; }
  /// Waits for the run, once; the results that are given.
  Result<std::vector<HostTensor>> finish();

private:
  friend Result<PendingRun> begin(Context &context, Context::Entry entry,
                                  const FunctionSignature &signature,
                                  std::span<Resident *const> arguments,
                                  std::span<const std::optional<size_t>> kept);
  /// One that has ended.
  explicit PendingRun(std::vector<HostTensor> results);
  PendingRun(DeviceContext &device, std::unique_ptr<Landing> landing,
             std::vector<HostTensor> results)
      : device(&device), landing(std::move(landing)), results(std::move(results)) {}

  DeviceContext *device = nullptr;
  /// Where the results' elements come to, in their order; null if it has ended.
  std::unique_ptr<Landing> landing;
  std::vector<HostTensor> results;
};

/// Begins what `invoke` does. Runs on a device, of this context and of others, are done in the
/// order in which they are begun, and what is asked of their tensors waits for them. Without a
/// device, and where launches are timed, the run has ended.
Result<PendingRun> begin(Context &context, Context::Entry entry, const FunctionSignature &signature,
                         std::span<Resident *const> arguments,
                         std::span<const std::optional<size_t>> kept);

} // namespace forge::rt

#endif // FORGE_RUNTIME_PENDINGRUN_H
