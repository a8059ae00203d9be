#include "DeviceTimer.h"

using namespace forge;
using namespace forge::rt;

Result<std::unique_ptr<Event>> DeviceTimer::recordEvent(Stream &stream) {
  Result<std::unique_ptr<Event>> event = device.createEvent(/*timed=*/true);
  if (!event)
    return event;
  Result<void> recorded = stream.record(**event);
  return recorded ? std::move(event) : Result<std::unique_ptr<Event>>(recorded.error());
}

/// Waits, so that the host's time is that of the event.
Result<void> DeviceTimer::recordOrigin(Stream &stream) {
  Result<std::unique_ptr<Event>> event = recordEvent(stream);
  if (!event)
    return event.error();
  Result<void> reached = (*event)->synchronize();
  originTime = std::chrono::steady_clock::now();
  origin = std::move(*event);
  return reached;
}

Result<void> DeviceTimer::time(Stream &stream, DeviceWork kind, std::string name,
                               std::string description, const std::function<Result<void>()> &work,
                               size_t bytes) {
  if (!origin)
    if (Result<void> done = recordOrigin(stream); !done)
      return done;
  Result<std::unique_ptr<Event>> start = recordEvent(stream);
  if (!start)
    return start.error();
  if (Result<void> done = work(); !done)
    return done;
  Result<std::unique_ptr<Event>> end = recordEvent(stream);
  if (!end)
    return end.error();
  entries.push_back({{kind, std::move(name), std::move(description), bytes, {}, 0, {}},
                     std::move(*start),
                     std::move(*end)});
  return {};
}

Result<void> DeviceTimer::takeStamps(Stream &stream, const void *words, size_t bytes) {
  if (entries.empty())
    return {};
  // Its elements stay where they are when the entry moves.
  std::vector<int64_t> &stamps = entries.back().time.stamps;
  stamps.resize(bytes / sizeof(int64_t));
  return stream.copyToHost(stamps.data(), words, bytes);
}

Result<std::vector<DeviceTime>> DeviceTimer::take() {
  std::vector<DeviceTime> times;
  for (Entry &entry : entries) {
    Result<double> before = entry.start->millisecondsSince(*origin);
    if (!before)
      return before.error();
    Result<double> taken = entry.end->millisecondsSince(*entry.start);
    if (!taken)
      return taken.error();
    entry.time.ms = *taken;
    entry.time.begin = originTime + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                        std::chrono::duration<double, std::milli>(*before));
    times.push_back(std::move(entry.time));
  }
  entries.clear();
  // Milliseconds are told in 32 bits: the next times have an origin close to them.
  origin.reset();
  return times;
}
