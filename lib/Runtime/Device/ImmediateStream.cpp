#include "forge/Runtime/ImmediateStream.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace forge;
using namespace forge::rt;

namespace {
using Clock = std::chrono::steady_clock;

class ImmediateEvent final : public Event {
public:
  explicit ImmediateEvent(bool timed) : timed(timed) {}
  Result<void> synchronize() override { return {}; }
  Result<bool> reached() override { return true; }
  Result<double> millisecondsSince(Event &other) override {
    auto &start = static_cast<ImmediateEvent &>(other);
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
  bool timed, recorded = false;
  Clock::time_point time;
};

class ImmediateGraph final : public Graph {
public:
  explicit ImmediateGraph(std::vector<std::function<Result<void>()>> nodes)
      : nodes(std::move(nodes)) {}
  size_t numNodes() const override { return nodes.size(); }
  Result<void> run() const {
    for (const auto &node : nodes)
      if (Result<void> done = node(); !done)
        return done;
    return {};
  }

private:
  std::vector<std::function<Result<void>()>> nodes;
};

/// A launch that owns its arguments and its description.
struct OwnedLaunch {
  OwnedLaunch(const Launch &from, const std::vector<size_t> &sizes)
      : launch(from), description(from.description) {
    for (size_t i = 0; i < from.numArguments; ++i) {
      const auto *bytes = static_cast<const char *>(from.arguments[i]);
      values.emplace_back(bytes, bytes + sizes[i]);
    }
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    launch.arguments = pointers.data();
    launch.description = description.c_str();
  }
  Launch launch;
  std::string description;
  /// Each from operator new, so that every scalar type is aligned.
  std::vector<std::vector<char>> values;
  std::vector<void *> pointers;
};
} // namespace

Result<void> ImmediateStream::enqueue(Work work) {
  if (!capturing)
    return work();
  captured.push_back(std::move(work));
  return {};
}

Result<void> ImmediateStream::copyRows(void *target, size_t targetPitch, const void *source,
                                       size_t sourcePitch, size_t bytes, size_t rows) {
  if (bytes == 0 || rows == 0)
    return {};
  if (rows > 1 && (targetPitch < bytes || sourcePitch < bytes))
    return Error{"copyRows: expected pitches of at least " + std::to_string(bytes) +
                 " bytes, but got " + std::to_string(targetPitch) + " and " +
                 std::to_string(sourcePitch)};
  return enqueueRows(target, targetPitch, source, sourcePitch, bytes, rows);
}

Result<void> ImmediateStream::fill(void *target, uint32_t value, size_t elementBytes,
                                   size_t count) {
  if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4)
    return Error{"fill: expected elements of 1, 2 or 4 bytes, but got " +
                 std::to_string(elementBytes)};
  return enqueueFill(target, value, elementBytes, count);
}

Result<void> ImmediateStream::launch(Kernel &kernel, const Launch &launch) {
  if (Result<void> ok = checkLaunch(device().properties(), kernel, launch); !ok)
    return ok;
  std::vector<size_t> sizes = argumentBytes(kernel);
  if (launch.numArguments != sizes.size())
    return Error{"expected " + std::to_string(sizes.size()) + " arguments, but got " +
                 std::to_string(launch.numArguments) + " while " + describeLaunch(kernel, launch)};
  if (!capturing)
    return run(kernel, launch);
  auto owned = std::make_shared<OwnedLaunch>(launch, sizes);
  return enqueue([this, owned, &kernel] { return run(kernel, owned->launch); });
}

Result<void> ImmediateStream::enqueueHost(std::function<void()> work) {
  return enqueue([work = std::move(work)]() -> Result<void> {
    work();
    return {};
  });
}

Result<void> ImmediateStream::record(Event &event) {
  return enqueue([&event]() -> Result<void> {
    static_cast<ImmediateEvent &>(event).stamp();
    return {};
  });
}

/// Everything recorded has been reached.
Result<void> ImmediateStream::wait(Event &) { return {}; }

Result<void> ImmediateStream::synchronize() {
  if (capturing)
    return Error{"synchronize: not inside a capture"};
  return {};
}

Result<void> ImmediateStream::beginCapture() {
  if (capturing)
    return Error{"beginCapture: the stream is already being captured"};
  capturing = true;
  return {};
}

Result<std::unique_ptr<Graph>> ImmediateStream::endCapture() {
  if (!capturing)
    return Error{"endCapture: the stream is not being captured"};
  capturing = false;
  return std::unique_ptr<Graph>(new ImmediateGraph(std::exchange(captured, {})));
}

Result<void> ImmediateStream::launch(Graph &graph) {
  if (capturing)
    return Error{"launching a graph: not inside a capture"};
  return static_cast<ImmediateGraph &>(graph).run();
}

Result<std::unique_ptr<Event>> forge::rt::createImmediateEvent(bool timed) {
  return std::unique_ptr<Event>(new ImmediateEvent(timed));
}

Result<void *> forge::rt::allocateImmediateHost(size_t bytes) {
  constexpr size_t alignment = 64;
  if (bytes == 0)
    return static_cast<void *>(nullptr);
  // aligned_alloc wants a multiple of the alignment, which may lie beyond the greatest size.
  void *pointer =
      bytes > SIZE_MAX - alignment
          ? nullptr
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!pointer)
    return Error{"out of memory: " + std::to_string(bytes) + " bytes of host memory"};
  return pointer;
}
