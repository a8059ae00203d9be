#include "CPUDevice.h"

#include <chrono>
#include <cstring>

using namespace forge;
using namespace forge::rt;

namespace {
using Clock = std::chrono::steady_clock;
/// One operation of a stream, with all it needs.
using Work = std::function<void()>;

class CPUEvent final : public Event {
public:
  CPUEvent(std::shared_ptr<CPUDevice> device, bool timed)
      : device(std::move(device)), timed(timed) {}
  Result<void> synchronize() override { return {}; }
  Result<bool> reached() override { return true; }
  Result<double> millisecondsSince(Event &other) override {
    auto &start = static_cast<CPUEvent &>(other);
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
  std::shared_ptr<CPUDevice> device;
  bool timed;
  bool recorded = false;
  Clock::time_point time;
};

class CPUGraph final : public Graph {
public:
  explicit CPUGraph(std::vector<Work> nodes) : nodes(std::move(nodes)) {}
  size_t numNodes() const override { return nodes.size(); }
  void run() const {
    for (const Work &node : nodes)
      node();
  }

private:
  std::vector<Work> nodes;
};

/// A launch that owns its arguments and its description.
struct OwnedLaunch {
  OwnedLaunch(const CPUKernel &kernel, const Launch &from) : launch(from) {
    for (size_t i = 0; i < from.numArguments; ++i) {
      const auto *bytes = static_cast<const char *>(from.arguments[i]);
      values.emplace_back(bytes, bytes + kernel.argumentSizes()[i]);
    }
    launch.description = "";
  }
  void run(const CPUKernel &kernel) {
    std::vector<void *> pointers;
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    launch.arguments = pointers.data();
    kernel.run(launch);
  }
  Launch launch;
  /// Each from operator new, so that every scalar type is aligned.
  std::vector<std::vector<char>> values;
};

template <typename T> void fillWith(void *target, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; ++i)
    static_cast<T *>(target)[i] = static_cast<T>(value);
}

class CPUStream final : public Stream {
public:
  explicit CPUStream(std::shared_ptr<CPUDevice> device) : owner(std::move(device)) {}
  Device &device() override { return *owner; }

  Result<void> copyToDevice(void *target, const void *source, size_t bytes) override {
    if (Result<void> ok = owner->memory.check(target, bytes, "copyToDevice"); !ok)
      return ok;
    return enqueue([=] { copyBytes(target, source, bytes); });
  }
  Result<void> copyToHost(void *target, const void *source, size_t bytes) override {
    if (Result<void> ok = owner->memory.check(source, bytes, "copyToHost"); !ok)
      return ok;
    return enqueue([=] { copyBytes(target, source, bytes); });
  }
  Result<void> copyOnDevice(void *target, const void *source, size_t bytes) override {
    return copyRows(target, bytes, source, bytes, bytes, 1);
  }
  Result<void> copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                        size_t bytes, size_t rows) override {
    if (bytes == 0 || rows == 0)
      return {};
    if (rows > 1 && (targetPitch < bytes || sourcePitch < bytes))
      return Error{"copyRows: expected pitches of at least " + std::to_string(bytes) +
                   " bytes, but got " + std::to_string(targetPitch) + " and " +
                   std::to_string(sourcePitch)};
    auto span = [&](size_t pitch) { return pitch * (rows - 1) + bytes; };
    for (auto [pointer, pitch] : {std::pair<const void *, size_t>(target, targetPitch),
                                  std::pair<const void *, size_t>(source, sourcePitch)})
      if (Result<void> ok = owner->memory.check(pointer, span(pitch), "copyOnDevice"); !ok)
        return ok;
    return enqueue([=] {
      for (size_t row = 0; row < rows; ++row)
        copyBytes(static_cast<char *>(target) + row * targetPitch,
                  static_cast<const char *>(source) + row * sourcePitch, bytes);
    });
  }
  Result<void> fill(void *target, uint32_t value, size_t elementBytes, size_t count) override {
    if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4)
      return Error{"fill: expected elements of 1, 2 or 4 bytes, but got " +
                   std::to_string(elementBytes)};
    if (Result<void> ok = owner->memory.check(target, count * elementBytes, "fill"); !ok)
      return ok;
    return enqueue([=] {
      if (elementBytes == 1)
        fillWith<uint8_t>(target, value, count);
      else if (elementBytes == 2)
        fillWith<uint16_t>(target, value, count);
      else
        fillWith<uint32_t>(target, value, count);
    });
  }

  Result<void> launch(Kernel &kernel, const Launch &launch) override {
    auto &function = static_cast<CPUKernel &>(kernel);
    if (Result<void> ok = checkLaunch(owner->properties(), kernel, launch); !ok)
      return ok;
    if (launch.numArguments != function.argumentSizes().size())
      return Error{"expected " + std::to_string(function.argumentSizes().size()) +
                   " arguments, but got " + std::to_string(launch.numArguments) + " while " +
                   describeLaunch(kernel, launch)};
    if (!capturing) {
      function.run(launch);
      return {};
    }
    auto owned = std::make_shared<OwnedLaunch>(function, launch);
    return enqueue([owned, &function] { owned->run(function); });
  }

  Result<void> enqueueHost(Work work) override { return enqueue(std::move(work)); }

  Result<void> record(Event &event) override {
    return enqueue([&event] { static_cast<CPUEvent &>(event).stamp(); });
  }
  /// Whatever was recorded has been reached.
  Result<void> wait(Event &) override { return {}; }
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
  Result<std::unique_ptr<Graph>> endCapture() override {
    if (!capturing)
      return Error{"endCapture: the stream is not being captured"};
    capturing = false;
    return std::unique_ptr<Graph>(new CPUGraph(std::exchange(captured, {})));
  }
  bool isCapturing() const override { return capturing; }
  Result<void> launch(Graph &graph) override {
    if (capturing)
      return Error{"launching a graph: not inside a capture"};
    static_cast<CPUGraph &>(graph).run();
    return {};
  }

private:
  static void copyBytes(void *target, const void *source, size_t bytes) {
    if (bytes)
      std::memcpy(target, source, bytes);
  }
  Result<void> enqueue(Work work) {
    if (capturing)
      captured.push_back(std::move(work));
    else
      work();
    return {};
  }

  std::shared_ptr<CPUDevice> owner;
  bool capturing = false;
  std::vector<Work> captured;
};
} // namespace

Result<std::unique_ptr<Stream>> forge::rt::createCPUStream(std::shared_ptr<CPUDevice> device) {
  return std::unique_ptr<Stream>(new CPUStream(std::move(device)));
}

Result<std::unique_ptr<Event>> forge::rt::createCPUEvent(std::shared_ptr<CPUDevice> device,
                                                         bool timed) {
  return std::unique_ptr<Event>(new CPUEvent(std::move(device), timed));
}
