// What CUDA's driver API and HIP have in common, and that is nearly all: functions of the same
// shape under two names. Declared here, so that neither vendor's headers are needed to build, and
// found with dlsym, so that one program runs where neither is installed. Handles and device
// pointers are void *; CUdeviceptr is an integer of the same size, passed the same way. Results are
// ints, 0 for success. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_NATIVEAPI_H
#define FORGE_LIB_RUNTIME_DEVICE_NATIVEAPI_H

#include "Library.h"

#include "forge/Runtime/Device.h"

#include <memory>
#include <string>

namespace forge::rt {

struct NativeApi {
  enum class Names { CUDA, HIP };
  /// Finds all of them, in the library of `finder`.
  void find(FunctionFinder &finder, Names names);

  Call<void **, size_t> memAlloc;
  Call<void *> memFree;
  Call<size_t *, size_t *> memGetInfo;
  Call<void **, size_t, unsigned> hostAlloc;
  Call<void *> hostFree;
  Call<void *, const void *, size_t, void *> copyToDevice;
  Call<void *, const void *, size_t, void *> copyToHost;
  Call<void *, const void *, size_t, void *> copyOnDevice;
  Call<void *, unsigned char, size_t, void *> fill8;
  Call<void *, unsigned short, size_t, void *> fill16;
  Call<void *, unsigned, size_t, void *> fill32;

  Call<void **, unsigned> streamCreate;
  Call<void *> streamDestroy;
  Call<void *> streamSynchronize;
  Call<void *, void *, unsigned> streamWaitEvent;
  Call<void **, unsigned> eventCreate;
  Call<void *> eventDestroy;
  Call<void *, void *> eventRecord;
  Call<void *> eventSynchronize;
  Call<void *> eventQuery;
  Call<float *, void *, void *> eventElapsed;
  Call<> synchronize;

  Call<void *> moduleUnload;
  Call<void **, void *, const char *> moduleGetFunction;
  Call<int *, int, void *> functionGetAttribute;
  Call<void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
       void **, void **>
      launch;

  Call<void *, int> beginCapture;
  Call<void *, void **> endCapture;
  Call<void *, void **, size_t *> graphGetNodes;
  Call<void **, void *, unsigned long long> graphInstantiate;
  Call<void *, void *> graphLaunch;
  Call<void *> graphExecDestroy;
  Call<void *> graphDestroy;
};

// Values both vendors share.
inline constexpr int kNotReady = 600;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDisableTiming = 2;
/// Nothing this thread calls is forbidden during a capture.
inline constexpr int kCaptureRelaxed = 2;
enum NativeFunctionAttribute {
  kFunctionMaxThreads = 0,
  kFunctionSharedBytes = 1,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
};

class NativeDevice;

/// One vendor: its functions, and what is done differently.
class Vendor {
public:
  virtual ~Vendor() = default;
  virtual const std::string &name() const = 0;
  virtual std::string description() const = 0;
  virtual int numDevices() const = 0;
  virtual Result<DeviceProperties> propertiesOf(int index) = 0;

  /// "CUDA_ERROR_INVALID_VALUE (invalid argument)".
  virtual std::string errorText(int code) const = 0;
  /// True for an error after which the device's state is gone.
  virtual bool isFatal(int code) const = 0;

  /// Makes the device's primary context, if need be, and gives it back.
  virtual Result<void> acquire(int index) = 0;
  virtual void abandon(int index) = 0;
  /// Makes the device the one this thread's calls mean.
  virtual int makeCurrent(int index) const = 0;
  /// Destroys all state of the device in this process; acquire has to follow.
  virtual Result<void> resetDevice(int index) = 0;

  /// The driver's code, and its log if it wrote one. The driver may read `image` until the module
  /// is unloaded.
  virtual int loadModule(const std::string &image, void **module, std::string &log) const = 0;
  /// What is wrong with `bytes` as device code, before the driver sees them; empty if nothing is.
  virtual std::string checkImage(std::string_view bytes) const = 0;
  /// Lets the function use up to the device's limit of dynamic shared memory.
  virtual int allowSharedMemory(void *function, size_t bytes) const = 0;
  /// Says how much of what a multiprocessor has for shared memory and the first-level cache the
  /// function's blocks should have as shared memory, in percent.
  virtual int preferSharedMemory(void *function, int percent) const = 0;
  /// How many parameters the function has, -1 if the driver does not tell.
  virtual int numParameters(void *function) const = 0;
  virtual const char *copyRowsName() const = 0;
  virtual int copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                       size_t bytes, size_t rows, void *stream) const = 0;
  /// Whether a kernel that waits for the one before it may be started before that one has ended.
  virtual bool hasDependentLaunches(int index) const = 0;
  /// A launch in clusters, or one of a kernel that waits itself.
  virtual Result<void> launchWithAttributes(NativeDevice &device, void *function,
                                            const Launch &launch, void *stream) const = 0;
  virtual Result<void> encodeTensorMap(NativeDevice &device, const TensorMapSpec &spec,
                                       void *map) const = 0;
  virtual Result<std::unique_ptr<VendorBlas>> createBlas(std::shared_ptr<Device> device) const = 0;

  NativeApi api;
};

/// A driver over a vendor.
std::unique_ptr<Driver> createNativeDriver(std::shared_ptr<Vendor> vendor);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_NATIVEAPI_H
