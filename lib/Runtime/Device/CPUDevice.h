// The cpu driver: memory is host memory, a stream does its work at once, kernels are functions of
// a shared object. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_CPUDEVICE_H
#define FORGE_LIB_RUNTIME_DEVICE_CPUDEVICE_H

#include "HostMemory.h"

#include "forge/Runtime/CPUKernel.h"
#include "forge/Runtime/Device.h"
#include "forge/Runtime/VendorBlas.h"

#include <functional>

namespace forge::rt {

class CPUKernel final : public Kernel {
public:
  CPUKernel(std::string name, forge_cpu_kernel function, std::vector<uint32_t> sizes)
      : symbol(std::move(name)), function(function), argumentBytes(std::move(sizes)) {}
  const std::string &name() const override { return symbol; }
  Result<KernelResources> resources() const override;

  /// All blocks, on the process's threads.
  void run(const Launch &launch) const;
  const std::vector<uint32_t> &argumentSizes() const { return argumentBytes; }

private:
  std::string symbol;
  forge_cpu_kernel function;
  std::vector<uint32_t> argumentBytes;
};

class CPUDevice final : public Device, public std::enable_shared_from_this<CPUDevice> {
public:
  explicit CPUDevice(DeviceProperties properties, size_t memoryLimit);
  const std::string &driverName() const override;
  int index() const override { return 0; }
  const DeviceProperties &properties() const override { return facts; }
  Result<MemoryInfo> memoryInfo() override;
  Result<void> release(void *pointer) override { return memory.release(pointer); }
  Result<void *> allocateHost(size_t bytes) override;
  Result<void> releaseHost(void *pointer) override;
  Result<std::unique_ptr<Stream>> createStream() override;
  Result<std::unique_ptr<Event>> createEvent(bool timed) override;
  Result<std::unique_ptr<Module>> loadModule(std::string_view bytes,
                                             const std::string &name) override;
  Result<std::unique_ptr<VendorBlas>> createBlas() override;
  Result<void> synchronize() override { return {}; }

  HostMemory memory;

private:
  Result<void *> takeMemory(size_t bytes) override { return memory.allocate(bytes); }
  DeviceProperties facts;
};

/// A stream that does its work at once.
Result<std::unique_ptr<Stream>> createCPUStream(std::shared_ptr<CPUDevice> device);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_CPUDEVICE_H
