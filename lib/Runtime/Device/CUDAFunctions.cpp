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

  finder.require("cuMemAlloc_v2", api.memAlloc);
  finder.require("cuMemFree_v2", api.memFree);
  finder.require("cuMemGetInfo_v2", api.memGetInfo);
  finder.require("cuMemHostAlloc", api.hostAlloc);
  finder.require("cuMemFreeHost", api.hostFree);
  finder.require("cuMemcpyHtoDAsync_v2", api.copyToDevice);
  finder.require("cuMemcpyDtoHAsync_v2", api.copyToHost);
  finder.require("cuMemcpyDtoDAsync_v2", api.copyOnDevice);
  finder.require("cuMemsetD8Async", api.fill8);
  finder.require("cuMemsetD16Async", api.fill16);
  finder.require("cuMemsetD32Async", api.fill32);
  finder.require("cuStreamCreate", api.streamCreate);
  finder.require("cuStreamDestroy_v2", api.streamDestroy);
  finder.require("cuStreamSynchronize", api.streamSynchronize);
  finder.require("cuStreamWaitEvent", api.streamWaitEvent);
  finder.require("cuEventCreate", api.eventCreate);
  finder.require("cuEventDestroy_v2", api.eventDestroy);
  finder.require("cuEventRecord", api.eventRecord);
  finder.require("cuEventSynchronize", api.eventSynchronize);
  finder.require("cuEventQuery", api.eventQuery);
  finder.require("cuEventElapsedTime", api.eventElapsed);
  finder.require("cuCtxSynchronize", api.synchronize);
  finder.require("cuModuleUnload", api.moduleUnload);
  finder.require("cuModuleGetFunction", api.moduleGetFunction);
  finder.require("cuFuncGetAttribute", api.functionGetAttribute);
  finder.require("cuLaunchKernel", api.launch);
  finder.require("cuStreamBeginCapture_v2", api.beginCapture);
  finder.require("cuStreamEndCapture", api.endCapture);
  finder.require("cuGraphGetNodes", api.graphGetNodes);
  finder.require("cuGraphInstantiateWithFlags", api.graphInstantiate);
  finder.require("cuGraphLaunch", api.graphLaunch);
  finder.require("cuGraphExecDestroy", api.graphExecDestroy);
  finder.require("cuGraphDestroy", api.graphDestroy);
  return finder.missing();
}
