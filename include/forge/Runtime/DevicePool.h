// Memory of the tensors that stay on a device. No MLIR.
#ifndef FORGE_RUNTIME_DEVICEPOOL_H
#define FORGE_RUNTIME_DEVICEPOOL_H

#include "forge/Runtime/DeviceArena.h"
#include "forge/Runtime/RunOrder.h"

#include <mutex>

namespace forge::rt {

/// Blocks of a device's memory that outlive runs. What is released is kept for the next block,
/// since drivers take long to give memory and to take it back; it goes back when the device has no
/// more for anyone, and with the pool. No work in flight may use what is released. Safe to call
/// from several threads.
class DevicePool final : public MemoryHolder {
public:
  /// The pool of the device, shared while any reference to it is alive.
  static std::shared_ptr<DevicePool> of(const std::shared_ptr<Device> &device);
  explicit DevicePool(std::shared_ptr<Device> device);
  DevicePool(const DevicePool &) = delete;
  DevicePool &operator=(const DevicePool &) = delete;

  Device &device() const { return *owner; }
  /// Of the runs on tensors in this memory.
  RunOrder &order() { return runs; }
  /// Null for 0 bytes.
  Result<void *> allocate(size_t bytes);
  /// `pointer` comes from allocate since the device was last reset, or is null.
  void release(void *pointer);
  bool giveBack() override;

  /// In blocks that are in use.
  size_t liveBytes() const;
  /// What is held of the device's memory, in use or not.
  size_t reservedBytes() const;

private:
  DeviceArena &current();

  std::shared_ptr<Device> owner;
  RunOrder runs;
  /// A failing allocation calls giveBack.
  mutable std::recursive_mutex mutex;
  std::unique_ptr<DeviceArena> arena;
  /// Of the device, when the arena was made.
  uint64_t generation = 0;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_DEVICEPOOL_H
