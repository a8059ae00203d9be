#include "FakeState.h"

#include <cstdlib>
#include <iterator>

namespace fake {

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
extern "C" __attribute__((visibility("default"))) int fake_synchronize(void *stream) {
  return fake::streamSynchronize(stream);
}
