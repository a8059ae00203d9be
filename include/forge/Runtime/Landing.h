// Host memory that results are copied to asynchronously. No MLIR.
#ifndef FORGE_RUNTIME_LANDING_H
#define FORGE_RUNTIME_LANDING_H

#include "forge/Runtime/Device.h"

namespace forge::rt {

/// Pinned memory of the host, and an event to be recorded behind copies to it.
class Landing {
public:
  static Result<std::unique_ptr<Landing>> create(Device &device, size_t bytes);
  ~Landing();
  Landing(const Landing &) = delete;
  Landing &operator=(const Landing &) = delete;

  char *memory() const { return static_cast<char *>(data); }
  size_t numBytes() const { return bytes; }
  Event &reached() { return *event; }
  const std::shared_ptr<Event> &sharedEvent() const { return event; }
  /// Whether the device that it was made for still has it.
  bool isFor(const Device &device) const {
    return &owner == &device && generation == device.generation();
  }

private:
  Landing(Device &owner, std::unique_ptr<Event> event)
      : owner(owner), event(std::move(event)), generation(owner.generation()) {}

  Device &owner;
  std::shared_ptr<Event> event;
  void *data = nullptr;
  size_t bytes = 0;
  uint64_t generation;
};

/// A free list: allocating pinned memory takes longer than a step of decoding.
class Landings {
public:
  Result<std::unique_ptr<Landing>> take(Device &device, size_t bytes);
  void giveBack(std::unique_ptr<Landing> landing) { unused.push_back(std::move(landing)); }
  void clear() { unused.clear(); }

private:
  std::vector<std::unique_ptr<Landing>> unused;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_LANDING_H
