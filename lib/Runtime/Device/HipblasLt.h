// hipBLASLt. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_HIPBLASLT_H
#define FORGE_LIB_RUNTIME_DEVICE_HIPBLASLT_H

#include "LtBlas.h"

namespace forge::rt {

Result<std::unique_ptr<VendorBlas>> createHipblasLt(std::shared_ptr<Device> device);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_HIPBLASLT_H
