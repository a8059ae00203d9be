// What the parts of the fake device share: its streams, memory and modules.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKESTATE_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKESTATE_H

#include "FakeDevice.h"

#include "forge/Runtime/CPUKernel.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace fake {

/// Something enqueued; its code is the device's error when it fails.
using Work = std::function<int()>;

struct Event;
struct Graph {
  std::vector<Work> nodes;
};
struct Stream {
  std::deque<Work> queue;
  bool capturing = false, invalidated = false;
  std::vector<Work> captured;
};
struct Event {
  bool timed = true;
  /// The stream it was recorded in, and not yet reached there.
  Stream *pending = nullptr;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};
struct Function {
  std::string_view name;
  forge_cpu_kernel kernel;
  const uint32_t *arguments;
};

/// Functions of its own in each module.
struct Module {
  std::deque<Function> functions;
};

struct Device {
  std::map<char *, size_t> blocks;
  size_t used = 0;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::map<void *, std::unique_ptr<Module>> modules;
  int error = Success;
};
Device &device();

bool isDeviceMemory(const void *pointer, size_t bytes);
/// Null for what is no stream.
Stream *asStream(void *handle);
/// Does one piece of work of a stream; false when there is none.
bool step(Stream &stream);
/// Does all of it; gives the device's error.
int drain(Stream &stream);
int enqueue(void *handle, Work work);

} // namespace fake

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKESTATE_H
