#include "TracedStream.h"

#include "forge/Support/Trace.h"

using namespace forge;
using namespace forge::rt;

Result<void> TracedStream::move(const char *name, size_t bytes,
                                const std::function<Result<void>()> &work) {
  TraceScope scope("copy", name);
  scope.detail("bytes", static_cast<int64_t>(bytes));
  return timer.time(*stream, DeviceWork::Copy, name, "", work, bytes);
}

Result<void> TracedStream::copyToDevice(void *device, const void *host, size_t bytes) {
  return move("copy to device", bytes, [&] { return stream->copyToDevice(device, host, bytes); });
}

Result<void> TracedStream::copyToHost(void *host, const void *device, size_t bytes) {
  return move("copy to host", bytes, [&] { return stream->copyToHost(host, device, bytes); });
}

Result<void> TracedStream::copyOnDevice(void *target, const void *source, size_t bytes) {
  return move("copy on device", bytes, [&] { return stream->copyOnDevice(target, source, bytes); });
}

Result<void> TracedStream::copyRows(void *target, size_t targetPitch, const void *source,
                                    size_t sourcePitch, size_t bytes, size_t rows) {
  return move("copy of rows", bytes * rows, [&] {
    return stream->copyRows(target, targetPitch, source, sourcePitch, bytes, rows);
  });
}

Result<void> TracedStream::fill(void *device, uint32_t value, size_t elementBytes, size_t count) {
  return move("fill", elementBytes * count,
              [&] { return stream->fill(device, value, elementBytes, count); });
}

Result<void> TracedStream::launch(Kernel &kernel, const Launch &launch) {
  TraceScope scope("launch", "launch " + kernel.name());
  return stream->launch(kernel, launch);
}

Result<void> TracedStream::enqueueHost(std::function<void()> work) {
  TraceScope scope("launch", "launch on the host");
  return stream->enqueueHost(std::move(work));
}

Result<void> TracedStream::synchronize() {
  TraceScope scope("wait", "wait for the device");
  return stream->synchronize();
}

Result<void> TracedStream::launch(Graph &graph) {
  TraceScope scope("launch", "launch a graph");
  scope.detail("nodes", static_cast<int64_t>(graph.numNodes()));
  return stream->launch(graph);
}
