// Functions are asked for by the name that fixes their signature (cuMemAlloc_v2), as cuda.h does by
// macro; drivers keep these names.
#include "CUDAFunctions.h"

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cuda;

std::string CUDAFunctions::find(const Library &library, NativeApi &api) {
  FunctionFinder finder(library);
  finder.require("cuInit", init);
  finder.require("cuDriverGetVersion", driverGetVersion);
  finder.require("cuDeviceGetCount", deviceGetCount);
  finder.require("cuDeviceGet", deviceGet);
  finder.require("cuDeviceGetName", deviceGetName);
  finder.require("cuDeviceTotalMem_v2", deviceTotalMem);
  finder.require("cuDeviceGetAttribute", deviceGetAttribute);
  finder.require("cuGetErrorName", getErrorName);
  finder.require("cuGetErrorString", getErrorString);
  finder.require("cuDevicePrimaryCtxRetain", primaryRetain);
  finder.require("cuDevicePrimaryCtxRelease_v2", primaryRelease);
  finder.require("cuDevicePrimaryCtxReset_v2", primaryReset);
  finder.require("cuCtxSetCurrent", ctxSetCurrent);
  finder.require("cuModuleLoadDataEx", moduleLoadDataEx);
  finder.require("cuFuncSetAttribute", functionSetAttribute);
  finder.require("cuMemcpy2DAsync_v2", memcpy2D);
  finder.find("cuFuncGetParamInfo", functionGetParamInfo);
  finder.find("cuLaunchKernelEx", launchEx);
  finder.find("cuDevicePrimaryCtxGetState", primaryState);
  finder.find("cuTensorMapEncodeTiled", encodeTiled);
  api.find(finder, NativeApi::Names::CUDA);
  return finder.missing();
}
