#include "SimDevice.h"

#include "forge/Runtime/ImmediateStream.h"

#include <cstring>

using namespace forge;
using namespace forge::sim;

static Dim3 dims(const std::array<uint32_t, 3> &sizes) { return {sizes[0], sizes[1], sizes[2]}; }

namespace {
class SimStream final : public rt::ImmediateStream {
public:
  explicit SimStream(std::shared_ptr<SimDevice> device) : owner(std::move(device)) {}
  rt::Device &device() override { return *owner; }

  Result<void> copyToDevice(void *target, const void *source, size_t bytes) override {
    return enqueueCopy(bytes, "copyToDevice",
                       [=](Machine &machine) { return machine.write(target, source, bytes); });
  }
  Result<void> copyToHost(void *target, const void *source, size_t bytes) override {
    return enqueueCopy(bytes, "copyToHost",
                       [=](Machine &machine) { return machine.read(target, source, bytes); });
  }
  Result<void> copyOnDevice(void *target, const void *source, size_t bytes) override {
    return enqueueCopy(bytes, "copyOnDevice",
                       [=](Machine &machine) { return machine.copy(target, source, bytes); });
  }

private:
  Result<void> enqueueRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                           size_t bytes, size_t rows) override {
    return enqueueCopy(bytes * rows, "copyRows", [=](Machine &machine) {
      Result<void> done;
      for (size_t row = 0; row < rows && done; ++row)
        done = machine.copy(static_cast<char *>(target) + row * targetPitch,
                            static_cast<const char *>(source) + row * sourcePitch, bytes);
      return done;
    });
  }
  Result<void> enqueueFill(void *target, uint32_t value, size_t elementBytes,
                           size_t count) override {
    return enqueueCopy(count, "fill", [=](Machine &machine) {
      std::vector<char> bytes(elementBytes * count);
      for (size_t i = 0; i < count; ++i)
        std::memcpy(bytes.data() + i * elementBytes, &value, elementBytes);
      return machine.write(target, bytes.data(), bytes.size());
    });
  }

  std::vector<size_t> argumentBytes(rt::Kernel &kernel) override {
    std::vector<size_t> sizes;
    for (const KernelArgument &argument : static_cast<SimKernel &>(kernel).code.arguments)
      sizes.push_back(argument.bytes);
    return sizes;
  }

  Result<void> run(rt::Kernel &kernel, const rt::Launch &launch) override {
    LaunchConfig config{dims(launch.grid), dims(launch.block), dims(launch.cluster),
                        static_cast<uint32_t>(launch.dynamicSharedBytes)};
    std::lock_guard<std::mutex> lock(owner->mutex);
    std::optional<Finding> finding = owner->machine.launch(
        static_cast<SimKernel &>(kernel).code, config, const_cast<void **>(launch.arguments));
    if (finding)
      return Error{finding->str() + " while " + rt::describeLaunch(kernel, launch)};
    return {};
  }

  /// A copy of `amount` somethings; none is no work.
  template <typename Copy> Result<void> enqueueCopy(size_t amount, const char *what, Copy copy) {
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
};
} // namespace

Result<std::unique_ptr<rt::Stream>> sim::createStream(std::shared_ptr<SimDevice> device) {
  return std::unique_ptr<rt::Stream>(new SimStream(std::move(device)));
}
