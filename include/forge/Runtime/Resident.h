// Tensors that stay where compiled code reads them, for calls that follow each other. No MLIR.
#ifndef FORGE_RUNTIME_RESIDENT_H
#define FORGE_RUNTIME_RESIDENT_H

#include "forge/Runtime/DevicePool.h"
#include "forge/Runtime/Invoke.h"
#include "forge/Support/TensorSource.h"

#include <span>

namespace forge::rt {

/// A tensor in host memory, or on the device of the context it was made for. Functions of other
/// contexts on the same device may take it too.
class Resident {
public:
  static Result<Resident> create(Context &context, HostTensor tensor);
  /// The elements go to the device without a tensor on the host between.
  static Result<Resident> create(Context &context, const TensorSource &source);
  Resident(Resident &&other) noexcept;
  Resident &operator=(Resident &&other) noexcept;
  ~Resident();

  const TensorSpec &spec() const { return type; }
  /// Where the elements are, row-major: an address of the device, or of the host. Null if there are
  /// none. Elements of 2 and 4 bits take a byte each, zero-extended.
  void *address() const { return data; }
  /// A copy of the elements on the host.
  Result<HostTensor> read(Context &context) const;
  /// Another tensor on the same device, with the same elements.
  Result<Resident> copy(Context &context) const;
  /// Takes the elements of `tensor`, of the same type and shape.
  Result<void> write(Context &context, HostTensor tensor);

private:
  friend struct ResidentCall;
  bool isLost() const;
  Resident() = default;
  /// Memory of the context's device, of undefined content.
  static Result<Resident> allocate(Context &context, DType type, std::vector<int64_t> dims);

  TensorSpec type;
  void *data = nullptr;
  HostTensor host;                  ///< the elements, without a device
  std::shared_ptr<DevicePool> pool; ///< where `data` is from, or null
  uint64_t generation = 0;          ///< of the device
};

/// Calls `entry` of `signature` on tensors where they are; a donated one may be overwritten. For
/// each result, `kept` has the number of the argument that is this result from then on (of its type
/// and shape; what was computed in its memory stays there), perhaps with `kAlsoGiven`, none, or
/// `kDroppedResult`. The Invocation has the results with none, and those with that.
Result<Invocation> invoke(Context &context, Context::Entry entry,
                          const FunctionSignature &signature, std::span<Resident *const> arguments,
                          std::span<const std::optional<size_t>> kept);

/// The same, but every result stays where compiled code reads it, in memory of its own.
Result<std::vector<Resident>> invokeKept(Context &context, Context::Entry entry,
                                         const FunctionSignature &signature,
                                         std::span<Resident *const> arguments);

} // namespace forge::rt

#endif // FORGE_RUNTIME_RESIDENT_H
