#include "forge/Runtime/Device.h"

#include "forge/Runtime/VendorBlas.h"

using namespace forge;
using namespace forge::rt;

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
