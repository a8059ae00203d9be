// Streams of devices that are memory and code of this process: what is enqueued is done at once,
// and a capture is a list of it.
#ifndef FORGE_RUNTIME_IMMEDIATESTREAM_H
#define FORGE_RUNTIME_IMMEDIATESTREAM_H

#include "forge/Runtime/Device.h"

#include <functional>
#include <vector>

namespace forge::rt {

/// A driver adds what a copy, a fill and a launch do.
class ImmediateStream : public Stream {
public:
  Result<void> copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                        size_t bytes, size_t rows) final;
  Result<void> fill(void *device, uint32_t value, size_t elementBytes, size_t count) final;
  Result<void> launch(Kernel &kernel, const Launch &launch) final;
  Result<void> enqueueHost(std::function<void()> work) final;
  Result<void> record(Event &event) final;
  Result<void> wait(Event &event) final;
  Result<void> synchronize() final;
  Result<void> beginCapture() final;
  Result<std::unique_ptr<Graph>> endCapture() final;
  bool isCapturing() const final { return capturing; }
  Result<void> launch(Graph &graph) final;

protected:
  /// One operation, with all it needs.
  using Work = std::function<Result<void>()>;
  /// Does it now, or as part of the graph that is captured.
  Result<void> enqueue(Work work);

  /// `rows` rows of `bytes` bytes each, neither of them 0.
  virtual Result<void> enqueueRows(void *target, size_t targetPitch, const void *source,
                                   size_t sourcePitch, size_t bytes, size_t rows) = 0;
  /// `elementBytes` is 1, 2 or 4.
  virtual Result<void> enqueueFill(void *target, uint32_t value, size_t elementBytes,
                                   size_t count) = 0;
  /// Of each parameter of a kernel of this driver.
  virtual std::vector<size_t> argumentBytes(Kernel &kernel) = 0;
  /// The launch has been checked against the device and the kernel.
  virtual Result<void> run(Kernel &kernel, const Launch &launch) = 0;

private:
  bool capturing = false;
  std::vector<Work> captured;
};

/// The event of such streams.
Result<std::unique_ptr<Event>> createImmediateEvent(bool timed);

/// Host memory of such devices, aligned to 64 bytes; null for 0 bytes. std::free gives it back.
Result<void *> allocateImmediateHost(size_t bytes);

} // namespace forge::rt

#endif // FORGE_RUNTIME_IMMEDIATESTREAM_H
