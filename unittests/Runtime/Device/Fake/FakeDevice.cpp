#include "FakeDevice.h"

#include "forge/Runtime/CPUKernel.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

#define KERNEL(name)                                                                               \
  extern "C" void name(const forge_cpu_block *, void *const *);                                    \
  extern "C" const uint32_t name##_arguments[];
KERNEL(forge_test_iota)
KERNEL(forge_test_axpy)
KERNEL(forge_test_arguments)
KERNEL(forge_test_grid)
KERNEL(forge_test_reverse)
KERNEL(forge_test_spin)
KERNEL(forge_test_store)
#undef KERNEL

namespace fake {
namespace {
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
#define KERNEL(name) {#name, name, name##_arguments}
Function functions[] = {KERNEL(forge_test_iota),      KERNEL(forge_test_axpy),
                        KERNEL(forge_test_arguments), KERNEL(forge_test_grid),
                        KERNEL(forge_test_reverse),   KERNEL(forge_test_spin),
                        KERNEL(forge_test_store)};
#undef KERNEL

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
Device &device() {
  static auto *instance = new Device;
  return *instance;
}

bool isDeviceMemory(const void *pointer, size_t bytes) {
  auto *start = static_cast<char *>(const_cast<void *>(pointer));
  auto it = device().blocks.upper_bound(start);
  if (it == device().blocks.begin())
    return false;
  --it;
  return static_cast<size_t>(start - it->first) <= it->second &&
         bytes <= it->second - static_cast<size_t>(start - it->first);
}

Stream *asStream(void *handle) {
  auto *stream = static_cast<Stream *>(handle);
  return device().streams.count(stream) ? stream : nullptr;
}

/// Does one piece of work of a stream; false when there is none.
bool step(Stream &stream) {
  if (stream.queue.empty())
    return false;
  Work work = std::move(stream.queue.front());
  stream.queue.pop_front();
  int code = device().error ? device().error : work();
  if (code)
    device().error = code;
  return true;
}
int drain(Stream &stream) {
  while (step(stream)) {
  }
  return device().error;
}

int enqueue(void *handle, Work work) {
  if (device().error)
    return device().error;
  Stream *stream = asStream(handle);
  if (!stream)
    return InvalidHandle;
  if (stream->capturing)
    stream->captured.push_back(std::move(work));
  else
    stream->queue.push_back(std::move(work));
  return Success;
}
} // namespace

const char *nameOf(int code) {
  switch (code) {
  case Success:
    return "SUCCESS";
  case InvalidValue:
    return "INVALID_VALUE";
  case OutOfMemory:
    return "OUT_OF_MEMORY";
  case InvalidImage:
    return "INVALID_IMAGE";
  case InvalidHandle:
    return "INVALID_HANDLE";
  case NotFound:
    return "NOT_FOUND";
  case NotReady:
    return "NOT_READY";
  case IllegalAddress:
    return "ILLEGAL_ADDRESS";
  case CaptureUnsupported:
    return "STREAM_CAPTURE_UNSUPPORTED";
  case CaptureInvalidated:
    return "STREAM_CAPTURE_INVALIDATED";
  }
  return "UNKNOWN";
}

//===----------------------------------------------------------------------===//
// Memory

int memAlloc(void **pointer, size_t bytes) {
  Device &d = device();
  if (d.error)
    return d.error;
  if (bytes == 0)
    return InvalidValue;
  if (bytes > kMemoryBytes - d.used)
    return OutOfMemory;
  *pointer = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(*pointer, 0xcd, bytes);
  d.blocks[static_cast<char *>(*pointer)] = bytes;
  d.used += bytes;
  return Success;
}

int memFree(void *pointer) {
  Device &d = device();
  if (d.error)
    return d.error;
  auto it = d.blocks.find(static_cast<char *>(pointer));
  if (it == d.blocks.end())
    return InvalidValue;
  // Freeing waits for the device.
  synchronize();
  d.used -= it->second;
  std::free(pointer);
  d.blocks.erase(it);
  return d.error;
}

int memGetInfo(size_t *free, size_t *total) {
  *free = kMemoryBytes - device().used;
  *total = kMemoryBytes;
  return device().error;
}

int hostAlloc(void **pointer, size_t bytes) {
  *pointer = std::malloc(bytes);
  return device().error;
}
int hostFree(void *pointer) {
  std::free(pointer);
  return device().error;
}

int copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch, size_t bytes,
             size_t rows, void *stream) {
  return enqueue(stream, [=]() -> int {
    for (size_t row = 0; row < rows; ++row) {
      char *to = static_cast<char *>(target) + row * targetPitch;
      const char *from = static_cast<const char *>(source) + row * sourcePitch;
      if (!isDeviceMemory(to, bytes) || !isDeviceMemory(from, bytes))
        return IllegalAddress;
      std::memcpy(to, from, bytes);
    }
    return Success;
  });
}

int copy(Copy kind, void *target, const void *source, size_t bytes, void *stream) {
  if ((kind != Copy::ToHost && !isDeviceMemory(target, bytes)) ||
      (kind != Copy::ToDevice && !isDeviceMemory(source, bytes)))
    return device().error ? device().error : InvalidValue;
  return enqueue(stream, [=]() -> int {
    std::memcpy(target, source, bytes);
    return Success;
  });
}

int fill(void *target, uint32_t value, size_t elementBytes, size_t count, void *stream) {
  if (!isDeviceMemory(target, elementBytes * count))
    return device().error ? device().error : InvalidValue;
  return enqueue(stream, [=]() -> int {
    for (size_t i = 0; i < count; ++i)
      std::memcpy(static_cast<char *>(target) + i * elementBytes, &value, elementBytes);
    return Success;
  });
}

//===----------------------------------------------------------------------===//
// Streams and events

int streamCreate(void **stream) {
  if (device().error)
    return device().error;
  auto *made = new Stream;
  device().streams.insert(made);
  *stream = made;
  return Success;
}

int streamDestroy(void *handle) {
  Stream *stream = asStream(handle);
  if (!stream)
    return InvalidHandle;
  drain(*stream);
  device().streams.erase(stream);
  delete stream;
  return device().error;
}

int streamSynchronize(void *handle) {
  Stream *stream = asStream(handle);
  if (!stream)
    return InvalidHandle;
  if (stream->capturing) {
    stream->invalidated = true;
    return CaptureUnsupported;
  }
  return drain(*stream);
}

int synchronize() {
  for (Stream *stream : device().streams)
    if (!stream->capturing)
      drain(*stream);
  return device().error;
}

int eventCreate(void **event, unsigned flags) {
  if (device().error)
    return device().error;
  auto *made = new Event;
  made->timed = !(flags & 2);
  device().events.insert(made);
  *event = made;
  return Success;
}

int eventDestroy(void *handle) {
  auto *event = static_cast<Event *>(handle);
  if (!device().events.count(event))
    return InvalidHandle;
  eventSynchronize(event);
  device().events.erase(event);
  delete event;
  return device().error;
}

int eventRecord(void *handle, void *streamHandle) {
  auto *event = static_cast<Event *>(handle);
  Stream *stream = asStream(streamHandle);
  if (!stream || !device().events.count(event))
    return InvalidHandle;
  event->pending = stream;
  return enqueue(stream, [event]() -> int {
    event->pending = nullptr;
    event->recorded = true;
    event->time = std::chrono::steady_clock::now();
    return Success;
  });
}

int eventSynchronize(void *handle) {
  auto *event = static_cast<Event *>(handle);
  if (!device().events.count(event))
    return InvalidHandle;
  while (event->pending && step(*event->pending)) {
  }
  return device().error;
}

int streamWaitEvent(void *stream, void *event) {
  return enqueue(stream, [event] { return eventSynchronize(event); });
}

int eventQuery(void *handle) {
  auto *event = static_cast<Event *>(handle);
  if (device().error)
    return device().error;
  return event->pending ? NotReady : Success;
}

int eventElapsed(float *ms, void *start, void *end) {
  auto *from = static_cast<Event *>(start), *to = static_cast<Event *>(end);
  if (!from->recorded || !to->recorded || !from->timed || !to->timed)
    return InvalidHandle;
  if (from->pending || to->pending)
    return NotReady;
  *ms = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return device().error;
}

//===----------------------------------------------------------------------===//
// Modules and launches

int moduleLoad(void **module) {
  if (device().error)
    return device().error;
  auto made = std::make_unique<Module>();
  *module = made.get();
  device().modules[*module] = std::move(made);
  return Success;
}

int moduleUnload(void *module) {
  synchronize();
  return device().modules.erase(module) ? device().error : int(InvalidHandle);
}

int moduleGetFunction(void **function, void *module, std::string_view name) {
  if (device().error)
    return device().error;
  auto owner = device().modules.find(module);
  if (owner == device().modules.end())
    return InvalidHandle;
  for (const Function &known : functions)
    if (known.name == name) {
      *function = &owner->second->functions.emplace_back(known);
      return Success;
    }
  return NotFound;
}

int functionGetAttribute(int *value, int attribute, void *) {
  const int values[] = {1024, 0, 0, 0, 32};
  if (attribute < 0 || attribute >= static_cast<int>(std::size(values)))
    return InvalidValue;
  *value = values[attribute];
  return device().error;
}

int functionGetParameter(void *function, size_t index, size_t *bytes) {
  const uint32_t *arguments = static_cast<Function *>(function)->arguments;
  if (index >= arguments[0])
    return InvalidValue;
  *bytes = arguments[index + 1];
  return Success;
}

namespace {
/// A launch with its own copies of the arguments.
struct OwnedLaunch {
  Function function;
  forge_cpu_block block{};
  std::vector<std::vector<char>> values;

  int run() {
    std::vector<void *> pointers;
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    if (function.name == "forge_test_store" &&
        !isDeviceMemory(*static_cast<void **>(pointers[0]), 4))
      return IllegalAddress;
    std::vector<char> shared(block.dynamicSharedBytes + 1);
    block.dynamicShared = shared.data();
    for (block.blockIndex[2] = 0; block.blockIndex[2] < block.gridSize[2]; ++block.blockIndex[2])
      for (block.blockIndex[1] = 0; block.blockIndex[1] < block.gridSize[1]; ++block.blockIndex[1])
        for (block.blockIndex[0] = 0; block.blockIndex[0] < block.gridSize[0];
             ++block.blockIndex[0])
          function.kernel(&block, pointers.data());
    return Success;
  }
};
} // namespace

int launch(void *handle, const uint32_t grid[3], const uint32_t block[3], unsigned shared,
           void *stream, void **arguments) {
  auto owned = std::make_shared<OwnedLaunch>();
  owned->function = *static_cast<Function *>(handle);
  for (int dim = 0; dim < 3; ++dim) {
    if (grid[dim] == 0 || block[dim] == 0)
      return InvalidValue;
    owned->block.gridSize[dim] = grid[dim];
    owned->block.blockSize[dim] = block[dim];
  }
  if (shared > static_cast<unsigned>(kSharedBytesOptIn))
    return InvalidValue;
  owned->block.dynamicSharedBytes = shared;
  for (uint32_t i = 0; i < owned->function.arguments[0]; ++i) {
    auto *bytes = static_cast<const char *>(arguments[i]);
    owned->values.emplace_back(bytes, bytes + owned->function.arguments[i + 1]);
  }
  return enqueue(stream, [owned] { return owned->run(); });
}

//===----------------------------------------------------------------------===//
// Graphs

int beginCapture(void *handle) {
  Stream *stream = asStream(handle);
  if (!stream || stream->capturing)
    return InvalidValue;
  stream->capturing = true;
  stream->invalidated = false;
  stream->captured.clear();
  return device().error;
}

int endCapture(void *handle, void **graph) {
  Stream *stream = asStream(handle);
  if (!stream || !stream->capturing)
    return InvalidValue;
  stream->capturing = false;
  if (stream->invalidated)
    return CaptureInvalidated;
  *graph = new Graph{std::move(stream->captured)};
  return device().error;
}

int graphGetNodes(void *graph, size_t *count) {
  *count = static_cast<Graph *>(graph)->nodes.size();
  return Success;
}

int graphInstantiate(void **executable, void *graph) {
  *executable = new Graph(*static_cast<Graph *>(graph));
  return device().error;
}

int graphLaunch(void *executable, void *stream) {
  for (const Work &node : static_cast<Graph *>(executable)->nodes)
    if (int code = enqueue(stream, node))
      return code;
  return Success;
}

int graphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return Success;
}
int graphExecDestroy(void *executable) {
  // A graph may be destroyed while it runs; its work was copied.
  return graphDestroy(executable);
}

int enqueueWork(void *stream, int (*run)(void *), void (*destroy)(void *), void *data) {
  std::shared_ptr<void> owned(data, destroy);
  return enqueue(stream, [run, owned] { return run(owned.get()); });
}

int reset() {
  Device &d = device();
  for (auto &[base, bytes] : d.blocks)
    std::free(base);
  for (Stream *stream : d.streams)
    delete stream;
  for (Event *event : d.events)
    delete event;
  d = Device();
  return Success;
}

} // namespace fake

/// For the fake libraries of products.
extern "C" __attribute__((visibility("default"))) int
fake_enqueue(void *stream, int (*run)(void *), void (*destroy)(void *), void *data) {
  return fake::enqueueWork(stream, run, destroy, data);
}
