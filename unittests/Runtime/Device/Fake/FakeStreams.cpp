#include "FakeState.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace fake {

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
  if (!device().events.count(static_cast<Event *>(event)))
    return InvalidHandle;
  // One that is destroyed meanwhile has ended.
  return enqueue(stream, [event]() -> int {
    return device().events.count(static_cast<Event *>(event)) ? eventSynchronize(event) : Success;
  });
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

} // namespace fake
