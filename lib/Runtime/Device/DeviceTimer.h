// Times of a stream's work by the device's own clock.
#ifndef FORGE_LIB_RUNTIME_DEVICE_DEVICETIMER_H
#define FORGE_LIB_RUNTIME_DEVICE_DEVICETIMER_H

#include "forge/Runtime/DeviceContext.h"

#include <functional>

namespace forge::rt {

/// Records an event in front of and behind each piece of work. Times are told from an event at the
/// first of them, whose time on the host is known: it is recorded when the stream is idle.
class DeviceTimer {
public:
  explicit DeviceTimer(Device &device) : device(device) {}

  /// Does `work` on `stream`, timed.
  Result<void> time(Stream &stream, DeviceWork kind, std::string name, std::string description,
                    const std::function<Result<void>()> &work, size_t bytes = 0);
  /// Copies the time stamps that the work timed last has written.
  Result<void> takeStamps(Stream &stream, const void *words, size_t bytes);
  /// All times since the last call, in order. The stream must be idle.
  Result<std::vector<DeviceTime>> take();

private:
  struct Entry {
    DeviceTime time;
    std::unique_ptr<Event> start, end;
  };
  Result<std::unique_ptr<Event>> recordEvent(Stream &stream);
  Result<void> recordOrigin(Stream &stream);

  Device &device;
  std::vector<Entry> entries;
  std::unique_ptr<Event> origin;
  std::chrono::steady_clock::time_point originTime;
};

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_DEVICETIMER_H
