#include "forge/Runtime/DevicePool.h"

using namespace forge;
using namespace forge::rt;

/// Blocks larger than this have a chunk of their own, which can go back when they are released.
static constexpr size_t kLargestGrowth = size_t(64) << 20;

std::shared_ptr<DevicePool> DevicePool::of(const std::shared_ptr<Device> &device) {
  std::shared_ptr<DevicePool> pool;
  {
    std::lock_guard<std::mutex> lock(device->holdersMutex);
    pool = device->pool.lock();
    if (pool)
      return pool;
    device->pool = pool = std::make_shared<DevicePool>(device);
  }
  device->addHolder(pool);
  return pool;
}

DevicePool::DevicePool(std::shared_ptr<Device> device) : owner(std::move(device)) {}

/// The arena; another one after a reset of the device, which took the memory of the last.
DeviceArena &DevicePool::current() {
  if (!arena || generation != owner->generation()) {
    generation = owner->generation();
    // Waiting for work would break the capture of a graph in another thread.
    arena = std::make_unique<DeviceArena>(
        owner, DeviceArena::Options{.largestGrowth = kLargestGrowth, .inFlight = false});
  }
  return *arena;
}

Result<void *> DevicePool::allocate(size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return current().allocate(bytes);
}

void DevicePool::release(void *pointer) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (pointer && current().owns(pointer))
    (void)current().release(pointer);
}

bool DevicePool::giveBack() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  Result<bool> dropped = current().dropFreeChunks();
  return dropped && *dropped;
}

size_t DevicePool::liveBytes() const {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return arena && generation == owner->generation() ? arena->liveBytes() : 0;
}

size_t DevicePool::reservedBytes() const {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return arena && generation == owner->generation() ? arena->reservedBytes() : 0;
}
