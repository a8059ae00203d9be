// The drivers this process can use, by name. No MLIR.
#ifndef FORGE_RUNTIME_DEVICEREGISTRY_H
#define FORGE_RUNTIME_DEVICEREGISTRY_H

#include "forge/Runtime/Device.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace forge::rt {

/// Makes a driver, or says what is missing ("cuda: no libcuda.so.1 (the NVIDIA driver): ...").
using DriverFactory = std::function<Result<std::unique_ptr<Driver>>()>;

/// Adds a driver, or replaces the one of that name if it has not been used yet. cpu, cuda and hip
/// are there from the start. libForgeExecution adds "sim".
void registerDriver(const std::string &name, DriverFactory factory);

/// Names, in the order of registration.
std::vector<std::string> driverNames();

/// The driver, made at first use and kept to the end of the process; why there is none is also
/// kept, and told each time. Unknown names fail with the known ones.
Result<Driver *> getDriver(const std::string &name);

/// The device a target means: "cpu", "cuda" (the device FORGE_DEVICE names by number, otherwise 0),
/// "cuda:1" (by number), "cuda:sm_90a" or "sim:gfx942" (the first device of that chip). `index`
/// (>= 0) picks a number and must agree with the chip. Fails with the devices there are.
Result<std::shared_ptr<Device>> openDevice(const std::string &target, int index = -1);

/// True if code made for `chip` runs on `device`: equal names, where sm_90 code also runs on a
/// device that calls itself sm_90a, and sm_XY code on devices of the same major version and a minor
/// one not below (code of sm_XYa only on its own chip).
bool runsOn(const std::string &chip, const DeviceProperties &device);

} // namespace forge::rt

#endif // FORGE_RUNTIME_DEVICEREGISTRY_H
