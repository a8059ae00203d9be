#include "CPUDevice.h"

#include "forge/Runtime/ImmediateStream.h"

#include "Drivers.h"
#include "Elf.h"

#include "forge/Runtime/Arena.h"
#include "forge/Runtime/ThreadPool.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace forge;
using namespace forge::rt;

CPUDevice::CPUDevice(DeviceProperties properties, size_t memoryLimit)
    : memory(memoryLimit), facts(std::move(properties)) {}

const std::string &CPUDevice::driverName() const {
  static const std::string name = "cpu";
  return name;
}

Result<MemoryInfo> CPUDevice::memoryInfo() {
  size_t used = memory.usedBytes();
  return MemoryInfo{memory.limitBytes() - used, memory.limitBytes()};
}

Result<void *> CPUDevice::allocateHost(size_t bytes) { return allocateImmediateHost(bytes); }

Result<void> CPUDevice::releaseHost(void *pointer) {
  std::free(pointer);
  return {};
}

Result<std::unique_ptr<Stream>> CPUDevice::createStream() {
  return createCPUStream(shared_from_this());
}

Result<std::unique_ptr<Event>> CPUDevice::createEvent(bool timed) {
  return createImmediateEvent(timed);
}

Result<std::unique_ptr<VendorBlas>> CPUDevice::createBlas() { return createHostBlas(); }

//===----------------------------------------------------------------------===//
// Modules

namespace {
/// A shared object, loaded from a file in memory.
class CPUModule final : public Module {
public:
  CPUModule(std::shared_ptr<CPUDevice> device, void *handle, std::string name)
      : device(std::move(device)), handle(handle), name(std::move(name)) {}
  ~CPUModule() override { dlclose(handle); }

  Result<Kernel *> kernel(const std::string &symbol) override {
    for (const auto &known : kernels)
      if (known->name() == symbol)
        return static_cast<Kernel *>(known.get());
    void *function = dlsym(handle, symbol.c_str());
    auto *sizes = static_cast<const uint32_t *>(dlsym(handle, (symbol + "_arguments").c_str()));
    if (!function || !sizes)
      return Error{"no kernel @" + symbol + " in module " + name +
                   (function ? ": it has no " + symbol + "_arguments" : "")};
    kernels.push_back(
        std::make_unique<CPUKernel>(symbol, reinterpret_cast<forge_cpu_kernel>(function),
                                    std::vector<uint32_t>(sizes + 1, sizes + 1 + sizes[0])));
    return static_cast<Kernel *>(kernels.back().get());
  }

private:
  std::shared_ptr<CPUDevice> device;
  void *handle;
  std::string name;
  std::vector<std::unique_ptr<CPUKernel>> kernels;
};
} // namespace

Result<std::unique_ptr<Module>> CPUDevice::loadModule(std::string_view bytes,
                                                      const std::string &name) {
  auto failed = [&](const std::string &what) {
    return Error{"loading module " + name + ": " + what};
  };
  if (std::string wrong = checkElf(bytes, kElfHost, "this host"); !wrong.empty())
    return failed(wrong);
  int file = memfd_create(name.c_str(), MFD_CLOEXEC);
  if (file < 0)
    return failed(std::string("memfd_create: ") + std::strerror(errno));
  size_t written = 0;
  while (written < bytes.size()) {
    ssize_t count = write(file, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    written += static_cast<size_t>(count);
  }
  std::string problem = written == bytes.size() ? "" : std::string("write: ") + strerror(errno);
  void *handle = nullptr;
  if (problem.empty()) {
    handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      problem = std::string("dlopen: ") + dlerror();
  }
  close(file);
  if (!handle)
    return failed(problem);
  return std::unique_ptr<Module>(new CPUModule(shared_from_this(), handle, name));
}

Result<KernelResources> CPUKernel::resources() const {
  KernelResources resources;
  resources.maxThreadsPerBlock = 1024;
  return resources;
}

void CPUKernel::run(const Launch &launch) const {
  uint64_t gridX = launch.grid[0], gridY = launch.grid[1];
  int64_t blocks = static_cast<int64_t>(gridX * gridY * launch.grid[2]);
  auto runBlocks = [&](int64_t from, int64_t to) {
    std::vector<char> shared(launch.dynamicSharedBytes + 128);
    auto base = reinterpret_cast<uintptr_t>(shared.data());
    forge_cpu_block block{{launch.grid[0], launch.grid[1], launch.grid[2]},
                          {launch.block[0], launch.block[1], launch.block[2]},
                          {},
                          static_cast<uint32_t>(launch.dynamicSharedBytes),
                          reinterpret_cast<void *>((base + 127) / 128 * 128)};
    for (int64_t i = from; i < to; ++i) {
      uint64_t rest = static_cast<uint64_t>(i);
      block.blockIndex[0] = static_cast<uint32_t>(rest % gridX);
      block.blockIndex[1] = static_cast<uint32_t>(rest / gridX % gridY);
      block.blockIndex[2] = static_cast<uint32_t>(rest / gridX / gridY);
      function(&block, launch.arguments);
    }
  };
  ThreadPool::global().parallelFor(0, blocks, 1, runBlocks);
}

//===----------------------------------------------------------------------===//
// The driver

namespace {
class CPUDriver final : public Driver {
public:
  const std::string &name() const override {
    static const std::string name = "cpu";
    return name;
  }
  std::string description() const override { return "host memory, kernels of shared objects"; }
  int numDevices() const override { return 1; }
  Result<DeviceProperties> propertiesOf(int index) override {
    if (index != 0)
      return Error{"expected cpu device 0, but got " + std::to_string(index)};
    DeviceProperties properties;
    properties.name = "CPU";
    properties.chip = "host";
    properties.multiprocessors = defaultNumThreads();
    properties.maxThreadsPerBlock = 1024;
    properties.maxBlock = {1024, 1024, 1024};
    properties.maxGrid = {0x7fffffff, 65535, 65535};
    properties.sharedMemoryPerBlock = properties.maxSharedMemoryPerBlock = size_t(1) << 20;
    properties.sharedMemoryPerMultiprocessor = size_t(1) << 20;
    properties.memoryBytes = defaultMemoryLimit();
    return properties;
  }
  Result<std::shared_ptr<Device>> open(int index) override {
    Result<DeviceProperties> properties = propertiesOf(index);
    if (!properties)
      return properties.error();
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<CPUDevice> device = opened.lock();
    if (!device) {
      device = std::make_shared<CPUDevice>(*properties, properties->memoryBytes);
      opened = device;
    }
    return std::shared_ptr<Device>(device);
  }

private:
  std::mutex mutex;
  std::weak_ptr<CPUDevice> opened;
};
} // namespace

Result<std::unique_ptr<Driver>> forge::rt::createCPUDriver() {
  return std::unique_ptr<Driver>(new CPUDriver);
}
