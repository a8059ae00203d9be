// One simulated GPU: its memory is host memory with shadow, a stream does its work at once.
#ifndef FORGE_LIB_SIMULATOR_DRIVER_SIMDEVICE_H
#define FORGE_LIB_SIMULATOR_DRIVER_SIMDEVICE_H

#include "forge/Runtime/Device.h"
#include "forge/Simulator/Module.h"

#include <mutex>

namespace forge::sim {

class SimKernel final : public rt::Kernel {
public:
  explicit SimKernel(const sim::Kernel &kernel) : code(kernel) {}
  const std::string &name() const override { return code.name; }
  Result<rt::KernelResources> resources() const override;

  const sim::Kernel &code;
};

class SimDevice final : public rt::Device, public std::enable_shared_from_this<SimDevice> {
public:
  SimDevice(int index, Chip chip, rt::DeviceProperties properties);
  const std::string &driverName() const override;
  int index() const override { return number; }
  const rt::DeviceProperties &properties() const override { return facts; }
  Result<rt::MemoryInfo> memoryInfo() override;
  Result<void> release(void *pointer) override;
  void forget(void *pointer, size_t bytes) override;
  Result<void *> allocateHost(size_t bytes) override;
  Result<void> releaseHost(void *pointer) override;
  Result<std::unique_ptr<rt::Stream>> createStream() override;
  Result<std::unique_ptr<rt::Event>> createEvent(bool timed) override;
  Result<std::unique_ptr<rt::Module>> loadModule(std::string_view bytes,
                                                 const std::string &name) override;
  Result<void> encodeTensorMap(const rt::TensorMapSpec &spec, void *map) override;
  Result<void> synchronize() override { return {}; }
  uint64_t threadsSimulated() override;

  /// Launches come from any thread, one at a time.
  std::mutex mutex;
  Machine machine;

private:
  Result<void *> takeMemory(size_t bytes) override;
  int number;
  rt::DeviceProperties facts;
};

Result<std::unique_ptr<rt::Stream>> createStream(std::shared_ptr<SimDevice> device);

/// The kernels of `image`, a module in text or bytecode. The same image is compiled once in a
/// process.
Result<std::shared_ptr<Module>> compileImage(std::string_view image, unsigned warpSize);

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_DRIVER_SIMDEVICE_H
