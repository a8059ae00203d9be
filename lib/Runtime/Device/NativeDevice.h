// Devices of CUDA and HIP. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_NATIVEDEVICE_H
#define FORGE_LIB_RUNTIME_DEVICE_NATIVEDEVICE_H

#include "NativeApi.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace forge::rt {

class NativeDevice final : public Device, public std::enable_shared_from_this<NativeDevice> {
public:
  static Result<std::shared_ptr<NativeDevice>> open(std::shared_ptr<Vendor> vendor, int index);
  ~NativeDevice() override;

  const std::string &driverName() const override { return vendor->name(); }
  int index() const override { return number; }
  const DeviceProperties &properties() const override { return facts; }
  Result<MemoryInfo> memoryInfo() override;
  Result<void> release(void *pointer) override;
  Result<void *> allocateHost(size_t bytes) override;
  Result<void> releaseHost(void *pointer) override;
  Result<std::unique_ptr<Stream>> createStream() override;
  Result<std::unique_ptr<Event>> createEvent(bool timed) override;
  Result<std::unique_ptr<Module>> loadModule(std::string_view bytes,
                                             const std::string &name) override;
  Result<void> encodeTensorMap(const TensorMapSpec &spec, void *map) override;
  Result<std::unique_ptr<VendorBlas>> createBlas() override;
  Result<void> synchronize() override;
  bool isLost() const override { return lost; }
  Result<void> reset() override;
  uint64_t generation() const override { return resets; }

  /// Calls a function of the driver on this device; `what` gives the words for an error.
  template <typename What, typename... Args, typename... Values>
  Result<void> call(const Call<Args...> &function, What what, Values... values) {
    int code = vendor->makeCurrent(number);
    if (code == 0)
      code = function(values...);
    if (code == 0)
      return {};
    return fail(function.name, code, what());
  }
  /// The Error of a call that gave `code`; notes when the device is lost by it.
  Error fail(const char *function, int code, const std::string &what);
  /// Fails unless an object of generation `made` can still be used.
  Result<void> alive(uint64_t made, const char *what) const;
  /// True if an object of generation `made` is still known to the driver.
  bool knows(uint64_t made) const { return !lost && made == resets; }

  const std::shared_ptr<Vendor> vendor;

private:
  Result<void *> takeMemory(size_t bytes) override;
  NativeDevice(std::shared_ptr<Vendor> vendor, int index, DeviceProperties properties)
      : vendor(std::move(vendor)), number(index), facts(std::move(properties)) {}
  int number;
  DeviceProperties facts;
  std::atomic<bool> lost{false};
  std::atomic<uint64_t> resets{0};
};

class NativeKernel final : public Kernel {
public:
  NativeKernel(std::shared_ptr<NativeDevice> device, std::string name, void *function,
               int numParameters)
      : device(std::move(device)), symbol(std::move(name)), function(function),
        numParameters(numParameters), made(this->device->generation()) {}
  const std::string &name() const override { return symbol; }
  Result<KernelResources> resources() const override;

private:
  friend class NativeStream;
  /// Before a dependent launch: of a multiprocessor's memory, its blocks have what they use as
  /// shared memory, and the rest is cache. A launch without that preference takes a multiprocessor
  /// as it is left by the kernel before: with hardly any cache behind one with a lot of shared
  /// memory (a decode step of 16 sequences of an 8B shape on an H200: 6.6 ms for 6.0). A driver
  /// that does not take a preference does without.
  void preferSharedMemory(const Launch &launch);
  std::shared_ptr<NativeDevice> device;
  std::string symbol;
  void *function;
  int numParameters;
  uint64_t made;
  std::optional<KernelResources> known;
  int preferred = -1;
};

Result<std::unique_ptr<Stream>> createNativeStream(std::shared_ptr<NativeDevice> device);
Result<std::unique_ptr<Event>> createNativeEvent(std::shared_ptr<NativeDevice> device, bool timed);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_NATIVEDEVICE_H
