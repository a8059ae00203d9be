// Our declarations against HIP's headers (5.2 and later), where they are installed.
#include "SameAs.h"

#include "../../../lib/Runtime/Device/HIPApi.h"

#define __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_HCC__ // the name in HIP 5
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

using namespace forge::rt;
using namespace forge::rt::hip;

SAME(kL2Bytes, hipDeviceAttributeL2CacheSize);
SAME(kMaxBlockX, hipDeviceAttributeMaxBlockDimX);
SAME(kMaxBlockX + 2, hipDeviceAttributeMaxBlockDimZ);
SAME(kMaxGridX, hipDeviceAttributeMaxGridDimX);
SAME(kMaxGridX + 2, hipDeviceAttributeMaxGridDimZ);
SAME(kMaxThreadsPerBlock, hipDeviceAttributeMaxThreadsPerBlock);
SAME(kMultiprocessors, hipDeviceAttributeMultiprocessorCount);
SAME(kRegistersPerBlock, hipDeviceAttributeMaxRegistersPerBlock);
SAME(kSharedPerBlock, hipDeviceAttributeMaxSharedMemoryPerBlock);
SAME(kWarpSize, hipDeviceAttributeWarpSize);
SAME(kSharedPerMultiprocessor, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor);
SAME(kCopyDeviceToDevice, hipMemcpyDeviceToDevice);
SAME(kErrorNoDevice, hipErrorNoDevice);

SAME(kFunctionMaxThreads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(kFunctionSharedBytes, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(kFunctionLocalBytes, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(kFunctionRegisters, HIP_FUNC_ATTRIBUTE_NUM_REGS);
SAME(kNotReady, hipErrorNotReady);
SAME(kStreamNonBlocking, hipStreamNonBlocking);
SAME(kEventDisableTiming, hipEventDisableTiming);
SAME(kCaptureRelaxed, hipStreamCaptureModeRelaxed);

static_assert(sizeof(void *) == sizeof(hipDeviceptr_t));

// hipMalloc and hipHostMalloc are overloaded in C++.
SAME_SHAPE(memFree, hipFree);
SAME_SHAPE(memGetInfo, hipMemGetInfo);
SAME_SHAPE(hostFree, hipHostFree);
SAME_SHAPE(copyToDevice, hipMemcpyHtoDAsync);
SAME_SHAPE(copyToHost, hipMemcpyDtoHAsync);
SAME_SHAPE(copyOnDevice, hipMemcpyDtoDAsync);
SAME_SHAPE(fill8, hipMemsetD8Async);
SAME_SHAPE(fill16, hipMemsetD16Async);
SAME_SHAPE(fill32, hipMemsetD32Async);
SAME_SHAPE(streamCreate, hipStreamCreateWithFlags);
SAME_SHAPE(streamDestroy, hipStreamDestroy);
SAME_SHAPE(streamSynchronize, hipStreamSynchronize);
SAME_SHAPE(streamWaitEvent, hipStreamWaitEvent);
SAME_SHAPE(eventCreate, hipEventCreateWithFlags);
SAME_SHAPE(eventDestroy, hipEventDestroy);
SAME_SHAPE(eventRecord, hipEventRecord);
SAME_SHAPE(eventSynchronize, hipEventSynchronize);
SAME_SHAPE(eventQuery, hipEventQuery);
SAME_SHAPE(eventElapsed, hipEventElapsedTime);
SAME_SHAPE(synchronize, hipDeviceSynchronize);
SAME_SHAPE(moduleUnload, hipModuleUnload);
SAME_SHAPE(moduleGetFunction, hipModuleGetFunction);
SAME_SHAPE(functionGetAttribute, hipFuncGetAttribute);
SAME_SHAPE(launch, hipModuleLaunchKernel);
SAME_SHAPE(beginCapture, hipStreamBeginCapture);
SAME_SHAPE(endCapture, hipStreamEndCapture);
SAME_SHAPE(graphGetNodes, hipGraphGetNodes);
SAME_SHAPE(graphInstantiate, hipGraphInstantiateWithFlags);
SAME_SHAPE(graphLaunch, hipGraphLaunch);
SAME_SHAPE(graphExecDestroy, hipGraphExecDestroy);
SAME_SHAPE(graphDestroy, hipGraphDestroy);

TEST(HIPHeaders, AgreeWithHIP) { EXPECT_GE(HIP_VERSION_MAJOR, 5); }
