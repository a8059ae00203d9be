#include "NativeDevice.h"

#include "forge/Runtime/VendorBlas.h"

using namespace forge;
using namespace forge::rt;

Error NativeDevice::fail(const char *function, int code, const std::string &what) {
  if (vendor->isFatal(code))
    lost = true;
  return Error{std::string(function) + ": " + vendor->errorText(code) + " while " + what};
}

Result<void> NativeDevice::alive(uint64_t made, const char *what) const {
  if (made == resets)
    return {};
  return Error{std::string(what) + " was made before the device was reset"};
}

Result<std::shared_ptr<NativeDevice>> NativeDevice::open(std::shared_ptr<Vendor> vendor,
                                                         int index) {
  Result<DeviceProperties> properties = vendor->propertiesOf(index);
  if (!properties)
    return properties.error();
  if (Result<void> done = vendor->acquire(index); !done)
    return done.error();
  return std::shared_ptr<NativeDevice>(
      new NativeDevice(std::move(vendor), index, std::move(*properties)));
}

NativeDevice::~NativeDevice() { vendor->abandon(number); }

Result<void> NativeDevice::reset() {
  ++resets;
  // The error that lost the context may be told once more, by the reset or by the first call after
  // it.
  constexpr int kTries = 3;
  Result<void> done;
  for (int tried = 0; tried < kTries; ++tried) {
    done = vendor->resetDevice(number);
    if (done)
      done = vendor->acquire(number);
    if (done) {
      lost = false;
      break;
    }
  }
  return done;
}

Result<MemoryInfo> NativeDevice::memoryInfo() {
  MemoryInfo info;
  Result<void> done = call(
      vendor->api.memGetInfo, [] { return "asking for the free memory"; }, &info.freeBytes,
      &info.totalBytes);
  return done ? Result<MemoryInfo>(info) : Result<MemoryInfo>(done.error());
}

Result<void *> NativeDevice::takeMemory(size_t bytes) {
  void *pointer = nullptr;
  if (bytes == 0)
    return pointer;
  Result<void> done = call(
      vendor->api.memAlloc, [=] { return "allocating " + std::to_string(bytes) + " bytes"; },
      &pointer, bytes);
  return done ? Result<void *>(pointer) : Result<void *>(done.error());
}

Result<void> NativeDevice::release(void *pointer) {
  if (!pointer)
    return {};
  return call(vendor->api.memFree, [] { return "releasing memory"; }, pointer);
}

Result<void *> NativeDevice::allocateHost(size_t bytes) {
  void *pointer = nullptr;
  if (bytes == 0)
    return pointer;
  Result<void> done = call(
      vendor->api.hostAlloc,
      [=] { return "allocating " + std::to_string(bytes) + " bytes of host memory"; }, &pointer,
      bytes, 0u);
  return done ? Result<void *>(pointer) : Result<void *>(done.error());
}

Result<void> NativeDevice::releaseHost(void *pointer) {
  if (!pointer)
    return {};
  return call(vendor->api.hostFree, [] { return "releasing host memory"; }, pointer);
}

Result<std::unique_ptr<Stream>> NativeDevice::createStream() {
  return createNativeStream(shared_from_this());
}

Result<std::unique_ptr<Event>> NativeDevice::createEvent(bool timed) {
  return createNativeEvent(shared_from_this(), timed);
}

Result<void> NativeDevice::encodeTensorMap(const TensorMapSpec &spec, void *map) {
  return vendor->encodeTensorMap(*this, spec, map);
}

Result<std::unique_ptr<VendorBlas>> NativeDevice::createBlas() {
  return vendor->createBlas(shared_from_this());
}

Result<void> NativeDevice::synchronize() {
  return call(vendor->api.synchronize, [] { return "waiting for the device"; });
}

//===----------------------------------------------------------------------===//
// Modules

namespace {
class NativeModule final : public Module {
public:
  NativeModule(std::shared_ptr<NativeDevice> device, std::unique_ptr<std::string> image,
               void *handle, std::string name)
      : device(std::move(device)), image(std::move(image)), handle(handle), name(std::move(name)),
        made(this->device->generation()) {}
  ~NativeModule() override {
    if (device->knows(made))
      (void)device->call(device->vendor->api.moduleUnload, [] { return ""; }, handle);
  }

  Result<Kernel *> kernel(const std::string &symbol) override {
    if (Result<void> ok = device->alive(made, "the module"); !ok)
      return ok.error();
    for (const auto &known : kernels)
      if (known->name() == symbol)
        return static_cast<Kernel *>(known.get());
    void *function = nullptr;
    auto what = [&] { return "looking for kernel @" + symbol + " in module " + name; };
    Result<void> found = device->call(device->vendor->api.moduleGetFunction, what, &function,
                                      handle, symbol.c_str());
    if (!found)
      return found.error();
    auto kernel = std::make_unique<NativeKernel>(device, symbol, function,
                                                 device->vendor->numParameters(function));
    if (Result<void> done = allowSharedMemory(*kernel, function); !done)
      return done.error();
    kernels.push_back(std::move(kernel));
    return static_cast<Kernel *>(kernels.back().get());
  }

private:
  /// Once per kernel, so that a launch only states what it wants.
  Result<void> allowSharedMemory(NativeKernel &kernel, void *function) {
    Result<KernelResources> resources = kernel.resources();
    if (!resources)
      return resources.error();
    size_t limit = device->properties().maxSharedMemoryPerBlock;
    if (resources->staticSharedBytes >= limit)
      return {};
    int code = device->vendor->allowSharedMemory(function, limit - resources->staticSharedBytes);
    if (code == 0)
      return {};
    return device->fail("cuFuncSetAttribute", code,
                        "raising the shared memory limit of @" + kernel.name());
  }

  std::shared_ptr<NativeDevice> device;
  /// HIP reads it again when a kernel is first asked for.
  std::unique_ptr<std::string> image;
  void *handle;
  std::string name;
  uint64_t made;
  std::vector<std::unique_ptr<NativeKernel>> kernels;
};
} // namespace

Result<std::unique_ptr<Module>> NativeDevice::loadModule(std::string_view bytes,
                                                         const std::string &name) {
  if (std::string problem = vendor->checkImage(bytes); !problem.empty())
    return Error{"loading module " + name + " for " + facts.chip + ": " + problem};
  if (int code = vendor->makeCurrent(number))
    return fail("makeCurrent", code, "loading module " + name);
  // A copy that ends in a NUL: PTX is a string to the driver.
  auto image = std::make_unique<std::string>(bytes);
  std::string log;
  void *handle = nullptr;
  int code = vendor->loadModule(*image, &handle, log);
  if (code != 0) {
    Error error =
        fail("loading device code", code, "loading module " + name + " for " + facts.chip);
    while (!log.empty() && (log.back() == '\n' || log.back() == ' '))
      log.pop_back();
    for (char &c : log)
      c = c == '\n' ? ' ' : c;
    if (!log.empty())
      error.message += ": " + log;
    return error;
  }
  return std::unique_ptr<Module>(
      new NativeModule(shared_from_this(), std::move(image), handle, name));
}

void NativeKernel::preferSharedMemory(const Launch &launch) {
  if (!known) {
    Result<KernelResources> asked = resources();
    if (!asked)
      return;
    known = *asked;
  }
  const DeviceProperties &facts = device->properties();
  // CUDA programming guide, compute capability 9.0: threads of a multiprocessor, and what a block
  // takes of the shared memory besides its own.
  constexpr size_t kResidentThreads = 2048, kOfBlock = 1024;
  size_t blocks = 1, threads = 1;
  for (size_t dim = 0; dim < 3; ++dim) {
    blocks *= launch.grid[dim];
    threads *= launch.block[dim];
  }
  size_t bytes = known->staticSharedBytes + launch.dynamicSharedBytes,
         total = facts.sharedMemoryPerMultiprocessor;
  if (blocks == 0 || threads == 0 || total == 0)
    return;
  size_t registers = std::max<size_t>(known->registersPerThread, 1) * threads;
  size_t resident =
      std::min({(blocks + facts.multiprocessors - 1) / facts.multiprocessors,
                kResidentThreads / threads, facts.registersPerMultiprocessor / registers});
  size_t used = bytes == 0 ? 0 : std::max<size_t>(resident, 1) * (bytes + kOfBlock);
  int percent = static_cast<int>(std::min<size_t>((100 * used + total - 1) / total, 100));
  if (percent == preferred)
    return;
  preferred = percent;
  (void)device->vendor->preferSharedMemory(function, percent);
}

Result<KernelResources> NativeKernel::resources() const {
  if (Result<void> ok = device->alive(made, "the kernel"); !ok)
    return ok.error();
  auto what = [&] { return "asking for the resources of @" + symbol; };
  int values[4] = {};
  const int attributes[4] = {kFunctionRegisters, kFunctionSharedBytes, kFunctionLocalBytes,
                             kFunctionMaxThreads};
  for (int i = 0; i < 4; ++i)
    if (Result<void> done = device->call(device->vendor->api.functionGetAttribute, what, &values[i],
                                         attributes[i], function);
        !done)
      return done.error();
  KernelResources resources;
  resources.registersPerThread = static_cast<unsigned>(values[0]);
  resources.staticSharedBytes = static_cast<size_t>(values[1]);
  resources.localBytes = static_cast<size_t>(values[2]);
  resources.maxThreadsPerBlock = static_cast<unsigned>(values[3]);
  return resources;
}

//===----------------------------------------------------------------------===//
// The driver

namespace {
class NativeDriver final : public Driver {
public:
  explicit NativeDriver(std::shared_ptr<Vendor> vendor)
      : vendor(std::move(vendor)), opened(static_cast<size_t>(this->vendor->numDevices())) {}
  const std::string &name() const override { return vendor->name(); }
  std::string description() const override { return vendor->description(); }
  int numDevices() const override { return vendor->numDevices(); }
  Result<DeviceProperties> propertiesOf(int index) override {
    if (index < 0 || index >= numDevices())
      return Error{"expected a " + name() + " device number below " + std::to_string(numDevices()) +
                   ", but got " + std::to_string(index)};
    return vendor->propertiesOf(index);
  }
  Result<std::shared_ptr<Device>> open(int index) override {
    if (Result<DeviceProperties> known = propertiesOf(index); !known)
      return known.error();
    std::lock_guard<std::mutex> lock(mutex);
    std::weak_ptr<NativeDevice> &slot = opened[static_cast<size_t>(index)];
    if (std::shared_ptr<NativeDevice> device = slot.lock())
      return std::shared_ptr<Device>(device);
    Result<std::shared_ptr<NativeDevice>> device = NativeDevice::open(vendor, index);
    if (!device)
      return device.error();
    slot = *device;
    return std::shared_ptr<Device>(*device);
  }

private:
  std::shared_ptr<Vendor> vendor;
  std::mutex mutex;
  std::vector<std::weak_ptr<NativeDevice>> opened;
};
} // namespace

std::unique_ptr<Driver> forge::rt::createNativeDriver(std::shared_ptr<Vendor> vendor) {
  return std::make_unique<NativeDriver>(std::move(vendor));
}
