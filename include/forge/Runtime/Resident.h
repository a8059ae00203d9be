// Tensors that stay where compiled code reads them, for calls that follow each other. No MLIR.
#ifndef FORGE_RUNTIME_RESIDENT_H
#define FORGE_RUNTIME_RESIDENT_H

#include "forge/Runtime/Device.h"
#include "forge/Runtime/Invoke.h"

#include <span>

namespace forge::rt {

/// A tensor in host memory, or on the device of the context it was made for. Functions of other
/// contexts on the same device may take it too.
class Resident {
public:
  static Result<Resident> create(Context &context, HostTensor tensor);
  Resident(Resident &&other) noexcept;
  Resident &operator=(Resident &&other) noexcept;
  ~Resident();

  const TensorSpec &spec() const { return type; }
  /// Takes the elements of `tensor`, of the same type and shape.
  Result<void> write(Context &context, HostTensor tensor);

private:
  friend struct ResidentCall;
  Resident() = default;

  TensorSpec type;
  void *data = nullptr;
  HostTensor host;                ///< the elements, without a device
  std::shared_ptr<Device> device; ///< where `data` is, or null
  uint64_t generation = 0;        ///< of the device
};

/// Calls `entry` of `signature` on tensors where they are; a donated one may be overwritten. For
/// each result, `kept` has the number of the argument that is this result from then on (of its type
/// and shape; what was computed in its memory stays there), or none. The Invocation has the other
/// results.
Result<Invocation> invoke(Context &context, Context::Entry entry,
                          const FunctionSignature &signature, std::span<Resident *const> arguments,
                          std::span<const std::optional<size_t>> kept);

} // namespace forge::rt

#endif // FORGE_RUNTIME_RESIDENT_H
