// The seam between Forge and the machines it runs on: a driver lists devices, a device has memory,
// streams, modules of kernels and graphs. Drivers: cpu, cuda, hip (this library), sim
// (libForgeExecution adds it). No MLIR, no LLVM, no vendor header.
//
// Every failure is an Error whose text holds the driver's call, the driver's name for the error,
// and what was being done: "cuLaunchKernel: CUDA_ERROR_INVALID_VALUE (invalid argument) while
// launching @softmax_0, 64x1x1 blocks of 2048x1x1 threads (rows; tensor<64x1024xf32>)".
//
// Objects keep the device they came from alive. Any of them may be used from any thread; one stream
// is used by one thread at a time.
#ifndef FORGE_RUNTIME_DEVICE_H
#define FORGE_RUNTIME_DEVICE_H

#include "forge/Runtime/DeviceABI.h"
#include "forge/Support/Result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace forge::rt {

class Device;
class DevicePool;
class Event;
class Graph;
class Kernel;
class Module;
class Stream;
class VendorBlas;

/// What a device is. Sizes in bytes; 0 where the driver does not tell.
struct DeviceProperties {
  /// As the vendor names it: "NVIDIA H200".
  std::string name;
  /// As the compiler names it: "sm_90a", "gfx942"; of the cpu driver "host".
  std::string chip;
  /// Lanes that run in step: 32 or 64; 1 on the CPU.
  unsigned warpSize = 1;
  unsigned multiprocessors = 1;
  unsigned maxThreadsPerBlock = 1;
  std::array<uint32_t, 3> maxBlock = {1, 1, 1};
  std::array<uint32_t, 3> maxGrid = {1, 1, 1};
  /// Shared memory a block gets without asking, and the most a block can ask for.
  size_t sharedMemoryPerBlock = 0;
  size_t maxSharedMemoryPerBlock = 0;
  size_t sharedMemoryPerMultiprocessor = 0;
  unsigned registersPerMultiprocessor = 0;
  size_t l2Bytes = 0;
  size_t memoryBytes = 0;
  /// The driver's version as it numbers itself: 13000 is CUDA 13.0.
  int driverVersion = 0;
};

/// Free and total bytes of a device's memory.
struct MemoryInfo {
  size_t freeBytes = 0;
  size_t totalBytes = 0;
};

/// What the machine code of a kernel takes.
struct KernelResources {
  unsigned registersPerThread = 0;
  /// Of a block, without dynamic shared memory.
  size_t staticSharedBytes = 0;
  /// Per thread: the stack and what was spilled.
  size_t localBytes = 0;
  unsigned maxThreadsPerBlock = 0;
};

/// A function of a loaded module. Belongs to the module, and lives as long.
class Kernel {
public:
  virtual ~Kernel() = default;
  virtual const std::string &name() const = 0;
  virtual Result<KernelResources> resources() const = 0;
};

/// Device code, loaded.
class Module {
public:
  virtual ~Module() = default;
  /// The kernel called `name`; fails with the module's name if there is none. The same pointer each
  /// time.
  virtual Result<Kernel *> kernel(const std::string &name) = 0;
};

/// A point in a stream's order; its time when `timed`.
class Event {
public:
  virtual ~Event() = default;
  /// Waits on the host until the point is reached. An event never recorded is reached.
  virtual Result<void> synchronize() = 0;
  /// True if the point is reached.
  virtual Result<bool> reached() = 0;
  /// Milliseconds from `start` (reached, timed, of the same device) to this.
  virtual Result<double> millisecondsSince(Event &start) = 0;
};

/// A captured sequence of a stream's work, ready to run again with the same pointers and values.
class Graph {
public:
  virtual ~Graph() = default;
  /// How many operations were captured.
  virtual size_t numNodes() const = 0;
};

/// How a kernel is launched.
struct Launch {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  /// Blocks per cluster (sm_90a); all 1: none but what the kernel itself demands.
  std::array<uint32_t, 3> cluster = {1, 1, 1};
  size_t dynamicSharedBytes = 0;
  /// The kernel itself waits for the work before it (PTX ISA, "griddepcontrol.wait") in every
  /// thread, before it touches memory: a driver may start it while the kernel before it ends.
  bool dependent = false;
  /// One pointer per parameter of the kernel, to its value, which is read during the call.
  void *const *arguments = nullptr;
  size_t numArguments = 0;
  /// For error messages: strategy, schedule, shapes. Copied where it must outlive the call.
  const char *description = "";
};

/// Work on a device, done in order, behind the host's back.
class Stream {
public:
  virtual ~Stream() = default;
  virtual Device &device() = 0;

  /// Copies. Host memory must stay as it is until the stream has got there (`synchronize`, or an
  /// event).
  virtual Result<void> copyToDevice(void *device, const void *host, size_t bytes) = 0;
  virtual Result<void> copyToHost(void *host, const void *device, size_t bytes) = 0;
  /// Ranges must not overlap.
  virtual Result<void> copyOnDevice(void *target, const void *source, size_t bytes) = 0;
  /// `rows` pieces of `bytes` each, whose starts lie the given distances apart.
  virtual Result<void> copyRows(void *target, size_t targetPitch, const void *source,
                                size_t sourcePitch, size_t bytes, size_t rows) = 0;
  /// Sets `count` elements of `elementBytes` (1, 2 or 4) to the low bits of `value`.
  virtual Result<void> fill(void *device, uint32_t value, size_t elementBytes, size_t count) = 0;

  virtual Result<void> launch(Kernel &kernel, const Launch &launch) = 0;

  /// On drivers whose memory is the host's: does `work` in the stream's order, or records it in a
  /// capture. Elsewhere an Error.
  virtual Result<void> enqueueHost(std::function<void()> work);

  virtual Result<void> record(Event &event) = 0;
  /// What is enqueued from here on waits for `event`.
  virtual Result<void> wait(Event &event) = 0;
  /// Waits on the host until all is done; reports what failed on the device since the last time.
  virtual Result<void> synchronize() = 0;

  /// From here to endCapture work is recorded and not done. Fails inside a capture, and on a driver
  /// without graphs.
  virtual Result<void> beginCapture() = 0;
  /// Ends the capture, also a broken one, which gives an Error.
  virtual Result<std::unique_ptr<Graph>> endCapture() = 0;
  virtual bool isCapturing() const = 0;
  virtual Result<void> launch(Graph &graph) = 0;

  /// The driver's own handle: CUstream, hipStream_t; null elsewhere. For vendor libraries.
  virtual void *native() { return nullptr; }
};

/// A tile copied by the tensor memory accelerator (sm_90a): the tensor and the box.
struct TensorMapSpec {
  void *base = nullptr;
  forge_rt_type type = FORGE_RT_BF16;
  /// Innermost first. Strides in bytes, of dimensions 1 and up: multiples of 16.
  unsigned rank = 2;
  std::array<uint64_t, 5> sizes = {};
  std::array<uint64_t, 4> strides = {};
  std::array<uint32_t, 5> box = {};
  /// Bytes of the swizzle pattern in shared memory: 0, 32, 64 or 128.
  unsigned swizzleBytes = 0;
};
inline constexpr size_t kTensorMapBytes = 128;
/// Of an element; 0 for what is no type.
uint64_t bytesOf(forge_rt_type type);
/// What every device asks of a tensor map (CUDA Driver API, cuTensorMapEncodeTiled): the base and
/// strides in multiples of 16 bytes, sizes up to 2^32, strides below 2^40, a box of 1 to 256
/// elements whose rows are a multiple of 16 bytes, and no longer than the swizzle's pattern.
Result<void> checkTensorMap(const TensorMapSpec &spec);

/// What holds memory of a device that it can do without.
class MemoryHolder {
public:
  virtual ~MemoryHolder() = default;
  /// Gives the device what it can; true if that was any. Called from any thread.
  virtual bool giveBack() = 0;
};

/// One device, opened.
class Device {
public:
  virtual ~Device() = default;
  /// "cuda", "hip", "cpu", "sim".
  virtual const std::string &driverName() const = 0;
  virtual int index() const = 0;
  virtual const DeviceProperties &properties() const = 0;
  virtual Result<MemoryInfo> memoryInfo() = 0;

  /// At least 256-byte aligned memory of undefined content; null for 0 bytes. Slow: see
  /// DeviceArena and DevicePool. Out of memory is an error which leaves the device usable; the
  /// holders are asked to give back what they can first.
  Result<void *> allocate(size_t bytes);
  /// Holders are asked in order.
  void addHolder(std::weak_ptr<MemoryHolder> holder);
  /// Asks all holders to give back what they can.
  void trim();
  /// Memory of `allocate`, or null, that no work in flight uses.
  virtual Result<void> release(void *pointer) = 0;
  /// The content of these bytes of device memory means nothing any more: a buffer begins its life
  /// there. For devices that look for reads of what was never written.
  virtual void forget(void * /*pointer*/, size_t /*bytes*/) {}
  /// Host memory which copies reach at full speed.
  virtual Result<void *> allocateHost(size_t bytes) = 0;
  virtual Result<void> releaseHost(void *pointer) = 0;

  virtual Result<std::unique_ptr<Stream>> createStream() = 0;
  virtual Result<std::unique_ptr<Event>> createEvent(bool timed) = 0;
  /// Loads device code: cubin, PTX or fat binary (cuda), HSACO (hip), an ELF shared object (cpu), a
  /// serialised gpu module (sim). `name` is for messages; the driver's own log is in them.
  virtual Result<std::unique_ptr<Module>> loadModule(std::string_view bytes,
                                                     const std::string &name) = 0;
  /// Writes the kTensorMapBytes of a kernel's tensor map argument.
  virtual Result<void> encodeTensorMap(const TensorMapSpec &spec, void *map);
  /// The vendor's library for products; an Error that says which one is missing.
  virtual Result<std::unique_ptr<VendorBlas>> createBlas();

  /// Waits for all streams.
  virtual Result<void> synchronize() = 0;

  /// True after an error that took the device's state with it (a kernel's illegal address, on
  /// CUDA): every call fails until `reset`.
  virtual bool isLost() const { return false; }
  /// Threads that a simulated device has run so far; 0 for others, which do not tell.
  virtual uint64_t threadsSimulated() { return 0; }
  /// Makes a lost device usable again. Streams, events, modules, graphs and memory from before are
  /// void: they may only be destroyed, which does nothing. `generation` counts the resets.
  virtual Result<void> reset() { return {}; }
  virtual uint64_t generation() const { return 0; }

protected:
  /// What `allocate` asks of the driver.
  virtual Result<void *> takeMemory(size_t bytes) = 0;

private:
  friend class DevicePool;
  std::vector<std::shared_ptr<MemoryHolder>> livingHolders();
  std::mutex holdersMutex;
  std::weak_ptr<DevicePool> pool;
  std::vector<std::weak_ptr<MemoryHolder>> holders;
};

/// A way to reach devices.
class Driver {
public:
  virtual ~Driver() = default;
  virtual const std::string &name() const = 0;
  /// What was found, for `forge doctor`: "libcuda.so.1, CUDA 13.0".
  virtual std::string description() const = 0;
  /// How many devices there are; at least 1 (no device is a failure to create the driver).
  virtual int numDevices() const = 0;
  virtual Result<DeviceProperties> propertiesOf(int index) = 0;
  /// The device `index`; the same one as long as somebody holds it.
  virtual Result<std::shared_ptr<Device>> open(int index) = 0;
};

/// "64x1x1 blocks of 256x1x1 threads, 1024 bytes of dynamic shared memory".
std::string describeShape(const Launch &launch);
/// "launching @NAME, SHAPE (DESCRIPTION)".
std::string describeLaunch(const Kernel &kernel, const Launch &launch);
/// Fails, in the words of describeLaunch, when grid, block or shared memory are beyond the device.
Result<void> checkLaunch(const DeviceProperties &device, const Kernel &kernel,
                         const Launch &launch);

} // namespace forge::rt

#endif // FORGE_RUNTIME_DEVICE_H
