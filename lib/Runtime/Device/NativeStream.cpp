#include "NativeDevice.h"

using namespace forge;
using namespace forge::rt;

namespace forge::rt {

class NativeEvent final : public Event {
public:
  NativeEvent(std::shared_ptr<NativeDevice> device, void *handle, bool timed)
      : device(std::move(device)), handle(handle), timed(timed), made(this->device->generation()) {}
  ~NativeEvent() override {
    if (device->knows(made))
      (void)device->call(device->vendor->api.eventDestroy, [] { return ""; }, handle);
  }

  Result<void> synchronize() override {
    if (Result<void> ok = device->alive(made, "the event"); !ok)
      return ok;
    return device->call(
        device->vendor->api.eventSynchronize, [] { return "waiting for an event"; }, handle);
  }
  Result<bool> reached() override {
    if (Result<void> ok = device->alive(made, "the event"); !ok)
      return ok.error();
    int code = device->vendor->makeCurrent(device->index());
    if (code == 0)
      code = device->vendor->api.eventQuery(handle);
    if (code == 0 || code == kNotReady)
      return code == 0;
    return device->fail(device->vendor->api.eventQuery.name, code, "asking for an event");
  }
  Result<double> millisecondsSince(Event &other) override {
    auto &start = static_cast<NativeEvent &>(other);
    if (!timed || !start.timed)
      return Error{"expected events made for timing"};
    if (!recorded || !start.recorded)
      return Error{"expected events that were recorded"};
    for (NativeEvent *event : {this, &start})
      if (Result<void> ok = device->alive(event->made, "the event"); !ok)
        return ok.error();
    float ms = 0;
    Result<void> done = device->call(
        device->vendor->api.eventElapsed, [] { return "taking the time between events"; }, &ms,
        start.handle, handle);
    return done ? Result<double>(ms) : Result<double>(done.error());
  }

private:
  friend class NativeStream;
  std::shared_ptr<NativeDevice> device;
  void *handle;
  bool timed;
  bool recorded = false;
  uint64_t made;
};

class NativeGraph final : public Graph {
public:
  NativeGraph(std::shared_ptr<NativeDevice> device, void *executable, size_t nodes)
      : device(std::move(device)), executable(executable), nodes(nodes),
        made(this->device->generation()) {}
  ~NativeGraph() override {
    if (device->knows(made))
      (void)device->call(device->vendor->api.graphExecDestroy, [] { return ""; }, executable);
  }
  size_t numNodes() const override { return nodes; }

private:
  friend class NativeStream;
  std::shared_ptr<NativeDevice> device;
  void *executable;
  size_t nodes;
  uint64_t made;
};

class NativeStream final : public Stream {
public:
  NativeStream(std::shared_ptr<NativeDevice> device, void *handle)
      : owner(std::move(device)), api(owner->vendor->api), handle(handle),
        made(owner->generation()) {}
  ~NativeStream() override {
    if (owner->knows(made))
      (void)owner->call(api.streamDestroy, [] { return ""; }, handle);
  }
  Device &device() override { return *owner; }
  void *native() override { return handle; }

  Result<void> copyToDevice(void *target, const void *source, size_t bytes) override {
    return copy(api.copyToDevice, "to the device", target, source, bytes);
  }
  Result<void> copyToHost(void *target, const void *source, size_t bytes) override {
    return copy(api.copyToHost, "to the host", target, source, bytes);
  }
  Result<void> copyOnDevice(void *target, const void *source, size_t bytes) override {
    return copy(api.copyOnDevice, "on the device", target, source, bytes);
  }
  Result<void> copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                        size_t bytes, size_t rows) override;
  Result<void> fill(void *target, uint32_t value, size_t elementBytes, size_t count) override;
  Result<void> launch(Kernel &kernel, const Launch &launch) override;
  Result<void> record(Event &event) override;
  Result<void> wait(Event &event) override;
  Result<void> synchronize() override {
    return call(api.streamSynchronize, [] { return "waiting for a stream"; }, handle);
  }
  Result<void> beginCapture() override;
  Result<std::unique_ptr<Graph>> endCapture() override;
  bool isCapturing() const override { return capturing; }
  Result<void> launch(Graph &graph) override;

private:
  template <typename What, typename... Args, typename... Values>
  Result<void> call(const Call<Args...> &function, What what, Values... values) {
    if (Result<void> ok = owner->alive(made, "the stream"); !ok)
      return ok;
    return owner->call(function, what, values...);
  }
  Result<void> copy(const Call<void *, const void *, size_t, void *> &function, const char *where,
                    void *target, const void *source, size_t bytes) {
    if (bytes == 0)
      return {};
    auto what = [=] { return "copying " + std::to_string(bytes) + " bytes " + where; };
    return call(function, what, target, source, bytes, handle);
  }

  std::shared_ptr<NativeDevice> owner;
  const NativeApi &api;
  void *handle;
  uint64_t made;
  bool capturing = false;
};

} // namespace forge::rt

Result<void> NativeStream::copyRows(void *target, size_t targetPitch, const void *source,
                                    size_t sourcePitch, size_t bytes, size_t rows) {
  if (bytes == 0 || rows == 0)
    return {};
  if (rows == 1 || (targetPitch == bytes && sourcePitch == bytes))
    return copyOnDevice(target, source, bytes * rows);
  if (targetPitch < bytes || sourcePitch < bytes)
    return Error{"copyRows: expected pitches of at least " + std::to_string(bytes) +
                 " bytes, but got " + std::to_string(targetPitch) + " and " +
                 std::to_string(sourcePitch)};
  if (Result<void> ok = owner->alive(made, "the stream"); !ok)
    return ok;
  int code = owner->vendor->makeCurrent(owner->index());
  if (code == 0)
    code = owner->vendor->copyRows(target, targetPitch, source, sourcePitch, bytes, rows, handle);
  if (code == 0)
    return {};
  return owner->fail(owner->vendor->copyRowsName(), code,
                     "copying " + std::to_string(rows) + " rows of " + std::to_string(bytes) +
                         " bytes");
}

Result<void> NativeStream::fill(void *target, uint32_t value, size_t elementBytes, size_t count) {
  if (count == 0)
    return {};
  auto what = [=] {
    return "filling " + std::to_string(count) + " elements of " + std::to_string(elementBytes) +
           " bytes";
  };
  if (elementBytes == 1)
    return call(api.fill8, what, target, static_cast<unsigned char>(value), count, handle);
  if (elementBytes == 2)
    return call(api.fill16, what, target, static_cast<unsigned short>(value), count, handle);
  if (elementBytes == 4)
    return call(api.fill32, what, target, value, count, handle);
  return Error{"fill: expected elements of 1, 2 or 4 bytes, but got " +
               std::to_string(elementBytes)};
}

Result<void> NativeStream::launch(Kernel &abstract, const Launch &launch) {
  auto &kernel = static_cast<NativeKernel &>(abstract);
  if (Result<void> ok = owner->alive(kernel.made, "the kernel"); !ok)
    return ok;
  if (Result<void> ok = checkLaunch(owner->properties(), kernel, launch); !ok)
    return ok;
  if (kernel.numParameters >= 0 && launch.numArguments != static_cast<size_t>(kernel.numParameters))
    return Error{"expected " + std::to_string(kernel.numParameters) + " arguments, but got " +
                 std::to_string(launch.numArguments) + " while " + describeLaunch(kernel, launch)};
  auto what = [&] { return describeLaunch(kernel, launch); };
  bool isDependent = launch.dependent && owner->vendor->hasDependentLaunches(owner->index());
  if (isDependent || launch.cluster != std::array<uint32_t, 3>{1, 1, 1}) {
    if (Result<void> ok = owner->alive(made, "the stream"); !ok)
      return ok;
    Launch attributed = launch;
    attributed.dependent = isDependent;
    if (isDependent)
      kernel.preferSharedMemory(launch);
    Result<void> done =
        owner->vendor->launchWithAttributes(*owner, kernel.function, attributed, handle);
    return done ? done : Result<void>(Error{done.error().message + " while " + what()});
  }
  return call(api.launch, what, kernel.function, launch.grid[0], launch.grid[1], launch.grid[2],
              launch.block[0], launch.block[1], launch.block[2],
              static_cast<unsigned>(launch.dynamicSharedBytes), handle,
              const_cast<void **>(launch.arguments), static_cast<void **>(nullptr));
}

Result<void> NativeStream::record(Event &abstract) {
  auto &event = static_cast<NativeEvent &>(abstract);
  if (Result<void> ok = owner->alive(event.made, "the event"); !ok)
    return ok;
  Result<void> done =
      call(api.eventRecord, [] { return "recording an event"; }, event.handle, handle);
  event.recorded |= static_cast<bool>(done);
  return done;
}

Result<void> NativeStream::wait(Event &abstract) {
  auto &event = static_cast<NativeEvent &>(abstract);
  if (Result<void> ok = owner->alive(event.made, "the event"); !ok)
    return ok;
  return call(
      api.streamWaitEvent, [] { return "making a stream wait for an event"; }, handle, event.handle,
      0u);
}

Result<void> NativeStream::beginCapture() {
  if (capturing)
    return Error{"beginCapture: the stream is already being captured"};
  Result<void> done =
      call(api.beginCapture, [] { return "starting a graph"; }, handle, kCaptureRelaxed);
  capturing = static_cast<bool>(done);
  return done;
}

Result<std::unique_ptr<Graph>> NativeStream::endCapture() {
  if (!capturing)
    return Error{"endCapture: the stream is not being captured"};
  capturing = false;
  void *graph = nullptr;
  Result<void> done =
      call(api.endCapture, [] { return "ending a graph's capture"; }, handle, &graph);
  if (!done)
    return done.error();
  size_t nodes = 0;
  void *executable = nullptr;
  done = call(
      api.graphGetNodes, [] { return "counting a graph's nodes"; }, graph,
      static_cast<void **>(nullptr), &nodes);
  if (done)
    done = call(
        api.graphInstantiate,
        [&] { return "instantiating a graph of " + std::to_string(nodes) + " nodes"; }, &executable,
        graph, 0ull);
  (void)call(api.graphDestroy, [] { return ""; }, graph);
  if (!done)
    return done.error();
  return std::unique_ptr<Graph>(new NativeGraph(owner, executable, nodes));
}

Result<void> NativeStream::launch(Graph &abstract) {
  auto &graph = static_cast<NativeGraph &>(abstract);
  if (Result<void> ok = owner->alive(graph.made, "the graph"); !ok)
    return ok;
  if (capturing)
    return Error{"launching a graph: not inside a capture"};
  auto what = [&] { return "launching a graph of " + std::to_string(graph.nodes) + " nodes"; };
  return call(api.graphLaunch, what, graph.executable, handle);
}

Result<std::unique_ptr<Stream>>
forge::rt::createNativeStream(std::shared_ptr<NativeDevice> device) {
  void *handle = nullptr;
  Result<void> done = device->call(
      device->vendor->api.streamCreate, [] { return "making a stream"; }, &handle,
      kStreamNonBlocking);
  if (!done)
    return done.error();
  return std::unique_ptr<Stream>(new NativeStream(std::move(device), handle));
}

Result<std::unique_ptr<Event>> forge::rt::createNativeEvent(std::shared_ptr<NativeDevice> device,
                                                            bool timed) {
  void *handle = nullptr;
  Result<void> done = device->call(
      device->vendor->api.eventCreate, [] { return "making an event"; }, &handle,
      timed ? 0u : kEventDisableTiming);
  if (!done)
    return done.error();
  return std::unique_ptr<Event>(new NativeEvent(std::move(device), handle, timed));
}
