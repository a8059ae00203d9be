// A stream whose work is shown in the trace that is recorded.
#ifndef FORGE_LIB_RUNTIME_DEVICE_TRACEDSTREAM_H
#define FORGE_LIB_RUNTIME_DEVICE_TRACEDSTREAM_H

#include "DeviceTimer.h"

namespace forge::rt {

/// Does what `stream` does; each call is a span of the calling thread, and copies and fills are
/// timed on the device.
class TracedStream final : public Stream {
public:
  TracedStream(std::unique_ptr<Stream> stream, DeviceTimer &timer)
      : stream(std::move(stream)), timer(timer) {}

  Device &device() override { return stream->device(); }
  Result<void> copyToDevice(void *device, const void *host, size_t bytes) override;
  Result<void> copyToHost(void *host, const void *device, size_t bytes) override;
  Result<void> copyOnDevice(void *target, const void *source, size_t bytes) override;
  Result<void> copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                        size_t bytes, size_t rows) override;
  Result<void> fill(void *device, uint32_t value, size_t elementBytes, size_t count) override;
  Result<void> launch(Kernel &kernel, const Launch &launch) override;
  Result<void> enqueueHost(std::function<void()> work) override;
  Result<void> record(Event &event) override { return stream->record(event); }
  Result<void> wait(Event &event) override { return stream->wait(event); }
  Result<void> synchronize() override;
  Result<void> beginCapture() override { return stream->beginCapture(); }
  Result<std::unique_ptr<Graph>> endCapture() override { return stream->endCapture(); }
  bool isCapturing() const override { return stream->isCapturing(); }
  Result<void> launch(Graph &graph) override;
  void *native() override { return stream->native(); }

private:
  Result<void> move(const char *name, size_t bytes, const std::function<Result<void>()> &work);

  std::unique_ptr<Stream> stream;
  DeviceTimer &timer;
};

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_TRACEDSTREAM_H
