// The functions that both vendors have, by their two names. CUDA's are those that fix a signature
// (cuMemAlloc_v2), as cuda.h has them by macro; drivers keep these names.
#include "NativeApi.h"

using namespace forge;
using namespace forge::rt;

void NativeApi::find(FunctionFinder &finder, Names names) {
  auto require = [&](auto &function, const char *cuda, const char *hip) {
    finder.require(names == Names::CUDA ? cuda : hip, function);
  };
  require(memAlloc, "cuMemAlloc_v2", "hipMalloc");
  require(memFree, "cuMemFree_v2", "hipFree");
  require(memGetInfo, "cuMemGetInfo_v2", "hipMemGetInfo");
  require(hostAlloc, "cuMemHostAlloc", "hipHostMalloc");
  require(hostFree, "cuMemFreeHost", "hipHostFree");
  require(copyToDevice, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync");
  require(copyToHost, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync");
  require(copyOnDevice, "cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync");
  require(fill8, "cuMemsetD8Async", "hipMemsetD8Async");
  require(fill16, "cuMemsetD16Async", "hipMemsetD16Async");
  require(fill32, "cuMemsetD32Async", "hipMemsetD32Async");
  require(streamCreate, "cuStreamCreate", "hipStreamCreateWithFlags");
  require(streamDestroy, "cuStreamDestroy_v2", "hipStreamDestroy");
  require(streamSynchronize, "cuStreamSynchronize", "hipStreamSynchronize");
  require(streamWaitEvent, "cuStreamWaitEvent", "hipStreamWaitEvent");
  require(eventCreate, "cuEventCreate", "hipEventCreateWithFlags");
  require(eventDestroy, "cuEventDestroy_v2", "hipEventDestroy");
  require(eventRecord, "cuEventRecord", "hipEventRecord");
  require(eventSynchronize, "cuEventSynchronize", "hipEventSynchronize");
  require(eventQuery, "cuEventQuery", "hipEventQuery");
  require(eventElapsed, "cuEventElapsedTime", "hipEventElapsedTime");
  require(synchronize, "cuCtxSynchronize", "hipDeviceSynchronize");
  require(moduleUnload, "cuModuleUnload", "hipModuleUnload");
  require(moduleGetFunction, "cuModuleGetFunction", "hipModuleGetFunction");
  require(functionGetAttribute, "cuFuncGetAttribute", "hipFuncGetAttribute");
  require(launch, "cuLaunchKernel", "hipModuleLaunchKernel");
  require(beginCapture, "cuStreamBeginCapture_v2", "hipStreamBeginCapture");
  require(endCapture, "cuStreamEndCapture", "hipStreamEndCapture");
  require(graphGetNodes, "cuGraphGetNodes", "hipGraphGetNodes");
  require(graphInstantiate, "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags");
  require(graphLaunch, "cuGraphLaunch", "hipGraphLaunch");
  require(graphExecDestroy, "cuGraphExecDestroy", "hipGraphExecDestroy");
  require(graphDestroy, "cuGraphDestroy", "hipGraphDestroy");
}
