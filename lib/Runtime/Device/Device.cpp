#include "forge/Runtime/Device.h"

#include "forge/Runtime/VendorBlas.h"

using namespace forge;
using namespace forge::rt;

/// Not called with the lock held: a holder that gives back may add or drop others.
std::vector<std::shared_ptr<MemoryHolder>> Device::livingHolders() {
  std::lock_guard<std::mutex> lock(holdersMutex);
  std::vector<std::shared_ptr<MemoryHolder>> living;
  for (const std::weak_ptr<MemoryHolder> &holder : holders)
    if (std::shared_ptr<MemoryHolder> there = holder.lock())
      living.push_back(std::move(there));
  return living;
}

Result<void *> Device::allocate(size_t bytes) {
  Result<void *> memory = takeMemory(bytes);
  if (memory || isLost())
    return memory;
  for (const std::shared_ptr<MemoryHolder> &holder : livingHolders()) {
    if (!holder->giveBack())
      continue;
    memory = takeMemory(bytes);
    if (memory || isLost())
      break;
  }
  return memory;
}

void Device::trim() {
  for (const std::shared_ptr<MemoryHolder> &holder : livingHolders())
    holder->giveBack();
}

void Device::addHolder(std::weak_ptr<MemoryHolder> holder) {
  std::lock_guard<std::mutex> lock(holdersMutex);
  std::erase_if(holders, [](const std::weak_ptr<MemoryHolder> &old) { return old.expired(); });
  holders.push_back(std::move(holder));
}

static std::string times(const std::array<uint32_t, 3> &sizes) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
}

std::string forge::rt::describeShape(const Launch &launch) {
  std::string text = times(launch.grid) + " blocks of " + times(launch.block) + " threads";
  if (launch.cluster != std::array<uint32_t, 3>{1, 1, 1})
    text += ", clusters of " + times(launch.cluster);
  if (launch.dynamicSharedBytes)
    text += ", " + std::to_string(launch.dynamicSharedBytes) + " bytes of dynamic shared memory";
  return text;
}

std::string forge::rt::describeLaunch(const Kernel &kernel, const Launch &launch) {
  std::string text = "launching @" + kernel.name() + ", " + describeShape(launch);
  if (launch.description && *launch.description)
    text += std::string(" (") + launch.description + ")";
  return text;
}

/// What is wrong with one extent, or nothing.
static std::string beyond(const char *what, const std::array<uint32_t, 3> &sizes,
                          const std::array<uint32_t, 3> &limits) {
  for (int dim = 0; dim < 3; ++dim) {
    std::string name = std::string(what) + "." + "xyz"[dim];
    if (sizes[dim] == 0)
      return "expected " + name + " of at least 1, but got 0";
    if (sizes[dim] > limits[dim])
      return "expected " + name + " of at most " + std::to_string(limits[dim]) + ", but got " +
             std::to_string(sizes[dim]);
  }
  return "";
}

Result<void> forge::rt::checkLaunch(const DeviceProperties &device, const Kernel &kernel,
                                    const Launch &launch) {
  std::string problem = beyond("grid", launch.grid, device.maxGrid);
  if (problem.empty())
    problem = beyond("block", launch.block, device.maxBlock);
  uint64_t threads = uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  if (problem.empty() && threads > device.maxThreadsPerBlock)
    problem = "expected at most " + std::to_string(device.maxThreadsPerBlock) +
              " threads per block, but got " + std::to_string(threads);
  if (problem.empty() && launch.dynamicSharedBytes > device.maxSharedMemoryPerBlock)
    problem = "expected at most " + std::to_string(device.maxSharedMemoryPerBlock) +
              " bytes of shared memory, but got " + std::to_string(launch.dynamicSharedBytes);
  if (problem.empty())
    return {};
  return Error{problem + " while " + describeLaunch(kernel, launch)};
}

uint64_t forge::rt::bytesOf(forge_rt_type type) {
  switch (type) {
  case FORGE_RT_F64:
    return 8;
  case FORGE_RT_F32:
    return 4;
  case FORGE_RT_F16:
  case FORGE_RT_BF16:
    return 2;
  case FORGE_RT_F8E4M3FN:
  case FORGE_RT_F8E5M2:
    return 1;
  }
  return 0;
}

Result<void> forge::rt::checkTensorMap(const TensorMapSpec &spec) {
  auto failed = [](const std::string &expected, uint64_t got) {
    return Error{"expected a tensor map with " + expected + ", but got " + std::to_string(got)};
  };
  uint64_t elementBytes = bytesOf(spec.type);
  if (elementBytes == 0)
    return failed("an element type from 0 to 5", spec.type);
  if (spec.rank < 1 || spec.rank > 5)
    return failed("1 to 5 dimensions", spec.rank);
  if (reinterpret_cast<uintptr_t>(spec.base) % 16)
    return failed("a base at a multiple of 16 bytes", reinterpret_cast<uintptr_t>(spec.base));
  if (spec.swizzleBytes != 0 && spec.swizzleBytes != 32 && spec.swizzleBytes != 64 &&
      spec.swizzleBytes != 128)
    return failed("a swizzle of 0, 32, 64 or 128 bytes", spec.swizzleBytes);
  for (unsigned dim = 0; dim < spec.rank; ++dim) {
    if (spec.sizes[dim] < 1 || spec.sizes[dim] > uint64_t(1) << 32)
      return failed("dimensions of 1 to 2^32 elements", spec.sizes[dim]);
    if (spec.box[dim] < 1 || spec.box[dim] > 256)
      return failed("a box of 1 to 256 elements", spec.box[dim]);
    if (dim && (spec.strides[dim - 1] % 16 || spec.strides[dim - 1] >= uint64_t(1) << 40))
      return failed("strides of multiples of 16 bytes below 2^40", spec.strides[dim - 1]);
  }
  uint64_t rowBytes = spec.box[0] * elementBytes;
  if (rowBytes % 16)
    return failed("rows of the box of multiples of 16 bytes", rowBytes);
  if (spec.swizzleBytes && rowBytes > spec.swizzleBytes)
    return failed("rows of the box of at most the swizzle's " + std::to_string(spec.swizzleBytes) +
                      " bytes",
                  rowBytes);
  return {};
}

Result<void> Device::encodeTensorMap(const TensorMapSpec &, void *) {
  return Error{driverName() + ":" + properties().chip + " has no tensor memory accelerator"};
}

Result<std::unique_ptr<VendorBlas>> Device::createBlas() {
  return Error{driverName() + " has no vendor library for products"};
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): what overrides it keeps the function
Result<void> Stream::enqueueHost(std::function<void()>) {
  return Error{"the memory of " + device().driverName() + " is not the host's"};
}
