// Our declarations against the vendor's headers, where they are installed.
#include "SameAs.h"

#include "../../../lib/Runtime/Device/CUDAApi.h"

#include <cublasLt.h>
#include <cuda.h>
#include <gtest/gtest.h>

using namespace forge::rt;
using namespace forge::rt::cuda;

SAME(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(kMaxBlockX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME(kMaxBlockX + 2, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME(kMaxGridX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME(kMaxGridX + 2, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME(kSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(kWarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(kMultiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(kL2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(kMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(kMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(kSharedPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(kRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME(kSharedPerBlockOptIn, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);

SAME(kFunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(kFunctionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(kFunctionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(kFunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(kFunctionMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(kFunctionCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
SAME(kErrorLog, CU_JIT_ERROR_LOG_BUFFER);
SAME(kErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(kNotReady, CUDA_ERROR_NOT_READY);
SAME(kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME(kEventDisableTiming, CU_EVENT_DISABLE_TIMING);
SAME(kCaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED);

static_assert(sizeof(void *) == sizeof(CUdeviceptr));
static_assert(sizeof(Memcpy2D) == sizeof(CUDA_MEMCPY2D));
static_assert(offsetof(Memcpy2D, sourceType) == offsetof(CUDA_MEMCPY2D, srcMemoryType));
static_assert(offsetof(Memcpy2D, sourceDevice) == offsetof(CUDA_MEMCPY2D, srcDevice));
static_assert(offsetof(Memcpy2D, sourcePitch) == offsetof(CUDA_MEMCPY2D, srcPitch));
static_assert(offsetof(Memcpy2D, targetType) == offsetof(CUDA_MEMCPY2D, dstMemoryType));
static_assert(offsetof(Memcpy2D, targetDevice) == offsetof(CUDA_MEMCPY2D, dstDevice));
static_assert(offsetof(Memcpy2D, targetPitch) == offsetof(CUDA_MEMCPY2D, dstPitch));
static_assert(offsetof(Memcpy2D, widthBytes) == offsetof(CUDA_MEMCPY2D, WidthInBytes));
static_assert(offsetof(Memcpy2D, height) == offsetof(CUDA_MEMCPY2D, Height));
SAME(kMemoryDevice, CU_MEMORYTYPE_DEVICE);

static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(LaunchConfig, block) == offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(LaunchConfig, dynamicSharedBytes) ==
              offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchConfig, numAttributes) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
SAME(kClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME(kProgrammaticStreamSerialization, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);

static_assert(kTensorMapBytes == sizeof(CUtensorMap));
SAME(kTensorMapU8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
SAME(kTensorMapF16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
SAME(kTensorMapF32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
SAME(kTensorMapF64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
SAME(kTensorMapBF16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
SAME(kTensorMapPromoteL2To256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);

// The same call through both declarations.
SAME_SHAPE(memAlloc, cuMemAlloc_v2);
SAME_SHAPE(memFree, cuMemFree_v2);
SAME_SHAPE(memGetInfo, cuMemGetInfo_v2);
SAME_SHAPE(hostAlloc, cuMemHostAlloc);
SAME_SHAPE(hostFree, cuMemFreeHost);
SAME_SHAPE(copyToDevice, cuMemcpyHtoDAsync_v2);
SAME_SHAPE(copyToHost, cuMemcpyDtoHAsync_v2);
SAME_SHAPE(copyOnDevice, cuMemcpyDtoDAsync_v2);
SAME_SHAPE(fill8, cuMemsetD8Async);
SAME_SHAPE(fill16, cuMemsetD16Async);
SAME_SHAPE(fill32, cuMemsetD32Async);
SAME_SHAPE(streamCreate, cuStreamCreate);
SAME_SHAPE(streamDestroy, cuStreamDestroy_v2);
SAME_SHAPE(streamSynchronize, cuStreamSynchronize);
SAME_SHAPE(streamWaitEvent, cuStreamWaitEvent);
SAME_SHAPE(eventCreate, cuEventCreate);
SAME_SHAPE(eventDestroy, cuEventDestroy_v2);
SAME_SHAPE(eventRecord, cuEventRecord);
SAME_SHAPE(eventSynchronize, cuEventSynchronize);
SAME_SHAPE(eventQuery, cuEventQuery);
SAME_SHAPE(eventElapsed, cuEventElapsedTime);
SAME_SHAPE(synchronize, cuCtxSynchronize);
SAME_SHAPE(moduleUnload, cuModuleUnload);
SAME_SHAPE(moduleGetFunction, cuModuleGetFunction);
SAME_SHAPE(functionGetAttribute, cuFuncGetAttribute);
SAME_SHAPE(launch, cuLaunchKernel);
SAME_SHAPE(beginCapture, cuStreamBeginCapture_v2);
SAME_SHAPE(endCapture, cuStreamEndCapture);
SAME_SHAPE(graphGetNodes, cuGraphGetNodes);
SAME_SHAPE(graphInstantiate, cuGraphInstantiateWithFlags);
SAME_SHAPE(graphLaunch, cuGraphLaunch);
SAME_SHAPE(graphExecDestroy, cuGraphExecDestroy);
SAME_SHAPE(graphDestroy, cuGraphDestroy);

// CublasLt.cpp.
static_assert(CUBLASLT_MATMUL_DESC_TRANSA == 3 && CUBLASLT_MATMUL_DESC_TRANSB == 4);
static_assert(CUBLASLT_MATMUL_DESC_EPILOGUE == 7 && CUBLASLT_MATMUL_DESC_BIAS_POINTER == 8);
static_assert(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE == 26);
static_assert(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT == 5);
static_assert(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET == 6);
static_assert(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES == 1);
static_assert(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK == 3);
static_assert(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES == 5);
static_assert(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES == 6);
static_assert(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES == 7);
static_assert(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES == 8);
static_assert(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE == 2);
static_assert(CUBLAS_OP_N == 0 && CUBLAS_OP_T == 1);
static_assert(CUBLAS_COMPUTE_32F == 68 && CUBLAS_COMPUTE_64F == 70);
static_assert(CUBLASLT_EPILOGUE_RELU == 2 && CUBLASLT_EPILOGUE_BIAS == 4);
static_assert(CUBLASLT_EPILOGUE_GELU == 32 && CUBLASLT_EPILOGUE_DEFAULT == 1);
static_assert(CUDA_R_32F == 0 && CUDA_R_64F == 1 && CUDA_R_16F == 2 && CUDA_R_16BF == 14);
static_assert(CUDA_R_8F_E4M3 == 28 && CUDA_R_8F_E5M2 == 29);
static_assert(sizeof(cublasLtMatmulHeuristicResult_t) <= 1024);
static_assert(offsetof(cublasLtMatmulHeuristicResult_t, algo) == 0);

TEST(VendorHeaders, AgreeWithCUDA) { EXPECT_GE(CUDA_VERSION, 11040); }
