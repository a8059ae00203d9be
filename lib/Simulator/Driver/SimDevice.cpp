#include "SimDevice.h"

#include "forge/Runtime/ImmediateStream.h"

#include "forge/Runtime/Arena.h"
#include "forge/Runtime/DeviceRegistry.h"
#include "forge/Simulator/Driver.h"
#include "forge/Simulator/TensorMap.h"

#include <cstdlib>
#include <cstring>

using namespace forge;
using namespace forge::sim;

Result<rt::KernelResources> SimKernel::resources() const {
  rt::KernelResources resources;
  resources.staticSharedBytes = code.staticShared;
  resources.localBytes = code.privateBytes;
  resources.maxThreadsPerBlock = code.blockSize ? code.blockSize->count() : 1024;
  return resources;
}

SimDevice::SimDevice(int index, Chip chip, rt::DeviceProperties properties)
    : machine(std::move(chip)), number(index), facts(std::move(properties)) {
  if (const char *seed = std::getenv("FORGE_SIM_SEED"))
    machine.options().seed = std::strtoull(seed, nullptr, 10);
  if (const char *steps = std::getenv("FORGE_SIM_STEPS"))
    machine.options().stepLimit = std::strtoull(steps, nullptr, 10);
}

const std::string &SimDevice::driverName() const {
  static const std::string name = "sim";
  return name;
}

Result<rt::MemoryInfo> SimDevice::memoryInfo() {
  std::lock_guard<std::mutex> lock(mutex);
  return rt::MemoryInfo{facts.memoryBytes -
                            std::min<size_t>(facts.memoryBytes, machine.bytesInUse()),
                        facts.memoryBytes};
}

uint64_t SimDevice::threadsSimulated() {
  std::lock_guard<std::mutex> lock(mutex);
  return machine.statistics().threads;
}

Result<void *> SimDevice::takeMemory(size_t bytes) {
  if (bytes == 0)
    return static_cast<void *>(nullptr);
  std::lock_guard<std::mutex> lock(mutex);
  size_t used = machine.bytesInUse();
  if (bytes > facts.memoryBytes || used > facts.memoryBytes - bytes)
    return Error{"out of memory: " + std::to_string(bytes) + " bytes asked for, " +
                 std::to_string(used) + " of " + std::to_string(facts.memoryBytes) + " in use on " +
                 facts.name};
  return machine.allocate(bytes);
}

Result<void> SimDevice::release(void *pointer) {
  if (!pointer)
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  return machine.free(pointer);
}

void SimDevice::forget(void *pointer, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  // A range that is no device memory has nothing to forget.
  (void)machine.forget(pointer, bytes);
}

Result<void *> SimDevice::allocateHost(size_t bytes) { return rt::allocateImmediateHost(bytes); }

Result<void> SimDevice::releaseHost(void *pointer) {
  std::free(pointer);
  return {};
}

Result<std::unique_ptr<rt::Stream>> SimDevice::createStream() {
  return sim::createStream(shared_from_this());
}

Result<std::unique_ptr<rt::Event>> SimDevice::createEvent(bool timed) {
  return rt::createImmediateEvent(timed);
}

//===--- modules
//--------------------------------------------------------------------------------===//

Result<void> SimDevice::encodeTensorMap(const rt::TensorMapSpec &spec, void *map) {
  if (facts.chip != "sm_90a")
    return rt::Device::encodeTensorMap(spec, map);
  if (Result<void> ok = rt::checkTensorMap(spec); !ok)
    return Error{"encodeTensorMap: " + ok.error().message};
  TensorMap tensor;
  tensor.rank = spec.rank;
  tensor.elementBytes = static_cast<uint16_t>(rt::bytesOf(spec.type));
  tensor.base = reinterpret_cast<uint64_t>(spec.base);
  tensor.swizzleBytes = spec.swizzleBytes;
  for (unsigned d = 0; d < spec.rank; ++d) {
    tensor.sizes[d] = spec.sizes[d];
    tensor.box[d] = spec.box[d];
    if (d)
      tensor.strides[d - 1] = spec.strides[d - 1];
  }
  std::memset(map, 0, rt::kTensorMapBytes);
  std::memcpy(map, &tensor, sizeof(tensor));
  return {};
}

namespace {
class SimModule final : public rt::Module {
public:
  SimModule(std::shared_ptr<SimDevice> device, std::shared_ptr<sim::Module> module,
            std::string name)
      : device(std::move(device)), module(std::move(module)), name(std::move(name)) {}

  Result<rt::Kernel *> kernel(const std::string &symbol) override {
    for (const auto &known : kernels)
      if (known->name() == symbol)
        return static_cast<rt::Kernel *>(known.get());
    const sim::Kernel *found = module->find(symbol);
    if (!found)
      return Error{"no kernel @" + symbol + " in module " + name};
    kernels.push_back(std::make_unique<SimKernel>(*found));
    return static_cast<rt::Kernel *>(kernels.back().get());
  }

private:
  std::shared_ptr<SimDevice> device;
  std::shared_ptr<sim::Module> module;
  std::string name;
  std::vector<std::unique_ptr<SimKernel>> kernels;
};
} // namespace

Result<std::unique_ptr<rt::Module>> SimDevice::loadModule(std::string_view bytes,
                                                          const std::string &name) {
  Result<std::shared_ptr<Module>> module = compileImage(bytes, machine.chip().warpSize);
  if (!module)
    return Error{"loading module " + name + ": " + module.error().message};
  return std::unique_ptr<rt::Module>(new SimModule(shared_from_this(), *module, name));
}

//===--- the driver
//-----------------------------------------------------------------------------===//

/// One device of each chip, the usual one of each vendor first.
static constexpr const char *kChips[] = {"sm_90a", "sm_80", "sm_75", "gfx942", "gfx90a", "gfx1100"};

namespace {
class SimDriver final : public rt::Driver {
public:
  const std::string &name() const override {
    static const std::string name = "sim";
    return name;
  }
  std::string description() const override {
    return "kernels of the gpu phase on the CPU, checked";
  }
  int numDevices() const override { return std::size(kChips); }

  Result<rt::DeviceProperties> propertiesOf(int index) override {
    if (index < 0 || index >= numDevices())
      return Error{"expected a sim device below " + std::to_string(numDevices()) + ", but got " +
                   std::to_string(index)};
    Chip chip = *chipOf(kChips[index]);
    rt::DeviceProperties properties;
    properties.name = "simulated " + chip.name;
    properties.chip = chip.name;
    properties.warpSize = chip.warpSize;
    properties.multiprocessors = 4;
    properties.maxThreadsPerBlock = chip.maxBlockThreads;
    properties.maxBlock = {1024, 1024, 64};
    properties.maxGrid = {0x7fffffff, 65535, 65535};
    properties.sharedMemoryPerBlock = std::min<size_t>(48 << 10, chip.sharedBytes);
    properties.maxSharedMemoryPerBlock = chip.sharedBytes;
    properties.sharedMemoryPerMultiprocessor = chip.sharedBytes;
    properties.registersPerMultiprocessor = 64 << 10;
    properties.memoryBytes = rt::defaultMemoryLimit();
    return properties;
  }

  Result<std::shared_ptr<rt::Device>> open(int index) override {
    Result<rt::DeviceProperties> properties = propertiesOf(index);
    if (!properties)
      return properties.error();
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<SimDevice> device = opened[index].lock();
    if (!device) {
      device = std::make_shared<SimDevice>(index, *chipOf(kChips[index]), *properties);
      opened[index] = device;
    }
    return std::shared_ptr<rt::Device>(device);
  }

private:
  std::mutex mutex;
  std::weak_ptr<SimDevice> opened[std::size(kChips)];
};
} // namespace

Result<std::unique_ptr<rt::Driver>> sim::createDriver() {
  return std::unique_ptr<rt::Driver>(new SimDriver);
}

void sim::registerDriver() { rt::registerDriver("sim", createDriver); }
