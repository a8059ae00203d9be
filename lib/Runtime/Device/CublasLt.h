// cuBLASLt. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_CUBLASLT_H
#define FORGE_LIB_RUNTIME_DEVICE_CUBLASLT_H

#include "LtBlas.h"

namespace forge::rt {

Result<std::unique_ptr<VendorBlas>> createCublasLt(std::shared_ptr<Device> device);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_CUBLASLT_H
