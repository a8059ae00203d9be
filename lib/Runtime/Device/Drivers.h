// The drivers of this library. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_DRIVERS_H
#define FORGE_LIB_RUNTIME_DEVICE_DRIVERS_H

#include "forge/Runtime/Device.h"

namespace forge::rt {

Result<std::unique_ptr<Driver>> createCPUDriver();
Result<std::unique_ptr<Driver>> createCUDADriver();
Result<std::unique_ptr<Driver>> createHIPDriver();

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_DRIVERS_H
