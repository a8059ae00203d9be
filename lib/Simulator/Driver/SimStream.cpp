#include "SimDevice.h"

#include <chrono>
#include <cstring>

using namespace forge;
using namespace forge::sim;

namespace {
using Clock = std::chrono::steady_clock;
/// One operation of a stream, with all it needs.
using Work = std::function<Result<void>()>;

class SimEvent final : public rt::Event {
public:
  SimEvent(std::shared_ptr<SimDevice> device, bool timed)
      : device(std::move(device)), timed(timed) {}
  Result<void> synchronize() override { return {}; }
  Result<bool> reached() override { return true; }
  Result<double> millisecondsSince(rt::Event &other) override {
    auto &start = static_cast<SimEvent &>(other);
    if (!timed || !start.timed)
      return Error{"expected events made for timing"};
    if (!recorded || !start.recorded)
      return Error{"expected events that were recorded"};
    return std::chrono::duration<double, std::milli>(time - start.time).count();
  }
  void stamp() {
    time = Clock::now();
    recorded = true;
  }

private:
  std::shared_ptr<SimDevice> device;
  bool timed, recorded = false;
  Clock::time_point time;
};

class SimGraph final : public rt::Graph {
public:
  explicit SimGraph(std::vector<Work> nodes) : nodes(std::move(nodes)) {}
  size_t numNodes() const override { return nodes.size(); }
  Result<void> run() const {
    for (const Work &node : nodes)
      if (Result<void> done = node(); !done)
        return done;
    return {};
  }

private:
  std::vector<Work> nodes;
};

/// A launch that owns its arguments and its description.
struct OwnedLaunch {
  OwnedLaunch(const sim::Kernel &kernel, const rt::Launch &from)
      : launch(from), description(from.description) {
    for (size_t i = 0; i < from.numArguments; ++i) {
      const auto *bytes = static_cast<const char *>(from.arguments[i]);
      values.emplace_back(8, 0);
      std::memcpy(values.back().data(), bytes, kernel.arguments[i].bytes);
    }
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    launch.arguments = pointers.data();
    launch.description = description.c_str();
  }
  rt::Launch launch;
  std::string description;
  std::vector<std::vector<char>> values;
  std::vector<void *> pointers;
};

Dim3 dims(const std::array<uint32_t, 3> &sizes) { return {sizes[0], sizes[1], sizes[2]}; }

class SimStream final : public rt::Stream {
public:
  explicit SimStream(std::shared_ptr<SimDevice> device) : owner(std::move(device)) {}
  rt::Device &device() override { return *owner; }

  Result<void> copyToDevice(void *target, const void *source, size_t bytes) override {
    return enqueue(bytes, "copyToDevice",
                   [=](Machine &machine) { return machine.write(target, source, bytes); });
  }
  Result<void> copyToHost(void *target, const void *source, size_t bytes) override {
    return enqueue(bytes, "copyToHost",
                   [=](Machine &machine) { return machine.read(target, source, bytes); });
  }
  Result<void> copyOnDevice(void *target, const void *source, size_t bytes) override {
    return enqueue(bytes, "copyOnDevice",
                   [=](Machine &machine) { return machine.copy(target, source, bytes); });
  }
  Result<void> copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                        size_t bytes, size_t rows) override {
    if (rows > 1 && (targetPitch < bytes || sourcePitch < bytes))
      return Error{"copyRows: expected pitches of at least " + std::to_string(bytes) +
                   " bytes, but got " + std::to_string(targetPitch) + " and " +
                   std::to_string(sourcePitch)};
    return enqueue(bytes * rows, "copyRows", [=](Machine &machine) {
      Result<void> done;
      for (size_t row = 0; row < rows && done; ++row)
        done = machine.copy(static_cast<char *>(target) + row * targetPitch,
                            static_cast<const char *>(source) + row * sourcePitch, bytes);
      return done;
    });
  }
  Result<void> fill(void *target, uint32_t value, size_t elementBytes, size_t count) override {
    if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4)
      return Error{"fill: expected elements of 1, 2 or 4 bytes, but got " +
                   std::to_string(elementBytes)};
    return enqueue(count, "fill", [=](Machine &machine) {
      std::vector<char> bytes(elementBytes * count);
      for (size_t i = 0; i < count; ++i)
        std::memcpy(bytes.data() + i * elementBytes, &value, elementBytes);
      return machine.write(target, bytes.data(), bytes.size());
    });
  }

  Result<void> launch(rt::Kernel &kernel, const rt::Launch &launch) override {
    const sim::Kernel &code = static_cast<SimKernel &>(kernel).code;
    if (Result<void> ok = checkLaunch(owner->properties(), kernel, launch); !ok)
      return ok;
    if (launch.numArguments != code.arguments.size())
      return Error{"expected " + std::to_string(code.arguments.size()) + " arguments, but got " +
                   std::to_string(launch.numArguments) + " while " +
                   describeLaunch(kernel, launch)};
    if (!capturing)
      return run(kernel, launch);
    auto owned = std::make_shared<OwnedLaunch>(code, launch);
    captured.push_back([this, owned, &kernel] { return run(kernel, owned->launch); });
    return {};
  }

  Result<void> enqueueHost(std::function<void()> work) override {
    return enqueue([work = std::move(work)]() -> Result<void> {
      work();
      return {};
    });
  }
  Result<void> record(rt::Event &event) override {
    return enqueue([&event]() -> Result<void> {
      static_cast<SimEvent &>(event).stamp();
      return {};
    });
  }
  /// Whatever was recorded has been reached.
  Result<void> wait(rt::Event &) override { return {}; }
  Result<void> synchronize() override {
    if (capturing)
      return Error{"synchronize: not inside a capture"};
    return {};
  }

  Result<void> beginCapture() override {
    if (capturing)
      return Error{"beginCapture: the stream is already being captured"};
    capturing = true;
    return {};
  }
  Result<std::unique_ptr<rt::Graph>> endCapture() override {
    if (!capturing)
      return Error{"endCapture: the stream is not being captured"};
    capturing = false;
    return std::unique_ptr<rt::Graph>(new SimGraph(std::exchange(captured, {})));
  }
  bool isCapturing() const override { return capturing; }
  Result<void> launch(rt::Graph &graph) override {
    if (capturing)
      return Error{"launching a graph: not inside a capture"};
    return static_cast<SimGraph &>(graph).run();
  }

private:
  Result<void> run(rt::Kernel &kernel, const rt::Launch &launch) {
    LaunchConfig config{dims(launch.grid), dims(launch.block), dims(launch.cluster),
                        static_cast<uint32_t>(launch.dynamicSharedBytes)};
    std::lock_guard<std::mutex> lock(owner->mutex);
    std::optional<Finding> finding = owner->machine.launch(
        static_cast<SimKernel &>(kernel).code, config, const_cast<void **>(launch.arguments));
    if (finding)
      return Error{finding->str() + " while " + describeLaunch(kernel, launch)};
    return {};
  }

  Result<void> enqueue(Work work) {
    if (!capturing)
      return work();
    captured.push_back(std::move(work));
    return {};
  }
  /// A copy of `amount` somethings; none is no work.
  template <typename Copy> Result<void> enqueue(size_t amount, const char *what, Copy copy) {
    if (amount == 0)
      return {};
    SimDevice *device = owner.get();
    return enqueue([device, what, copy]() -> Result<void> {
      std::lock_guard<std::mutex> lock(device->mutex);
      if (Result<void> done = copy(device->machine); !done)
        return Error{std::string(what) + ": " + done.error().message};
      return {};
    });
  }

  std::shared_ptr<SimDevice> owner;
  bool capturing = false;
  std::vector<Work> captured;
};
} // namespace

Result<std::unique_ptr<rt::Stream>> sim::createStream(std::shared_ptr<SimDevice> device) {
  return std::unique_ptr<rt::Stream>(new SimStream(std::move(device)));
}

Result<std::unique_ptr<rt::Event>> sim::createEvent(std::shared_ptr<SimDevice> device, bool timed) {
  return std::unique_ptr<rt::Event>(new SimEvent(std::move(device), timed));
}
