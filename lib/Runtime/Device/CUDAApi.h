// The part of CUDA's driver API that only CUDA has, declared here after its documentation (CUDA
// Driver API reference, 13.0); a test compares it with cuda.h where that is installed. Private to
// ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_CUDAAPI_H
#define FORGE_LIB_RUNTIME_DEVICE_CUDAAPI_H

#include <cstddef>
#include <cstdint>

namespace forge::rt::cuda {

enum DeviceAttribute {
  kMaxThreadsPerBlock = 1,
  kMaxBlockX = 2,
  kMaxGridX = 5,
  kSharedPerBlock = 8,
  kWarpSize = 10,
  kMultiprocessors = 16,
  kL2Bytes = 38,
  kMajor = 75,
  kMinor = 76,
  kSharedPerMultiprocessor = 81,
  kRegistersPerMultiprocessor = 82,
  kSharedPerBlockOptIn = 97,
};

inline constexpr int kFunctionMaxDynamicShared = 8, kFunctionCarveout = 9;

enum JitOption {
  kInfoLog = 3,
  kInfoLogBytes = 4,
  kErrorLog = 5,
  kErrorLogBytes = 6,
};

/// CUDA_MEMCPY2D_v2.
struct Memcpy2D {
  size_t sourceX, sourceY;
  unsigned sourceType;
  const void *sourceHost;
  void *sourceDevice;
  void *sourceArray;
  size_t sourcePitch;
  size_t targetX, targetY;
  unsigned targetType;
  void *targetHost;
  void *targetDevice;
  void *targetArray;
  size_t targetPitch;
  size_t widthBytes, height;
};
inline constexpr unsigned kMemoryDevice = 2;

/// CUlaunchAttribute with the value that is used here.
struct LaunchAttribute {
  unsigned id;
  unsigned pad;
  union {
    unsigned cluster[3];
    int isOn;
    char bytes[64];
  } value;
};
inline constexpr unsigned kClusterDimension = 4;
inline constexpr unsigned kProgrammaticStreamSerialization = 6;

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned dynamicSharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// CUtensorMapDataType.
enum TensorMapType {
  kTensorMapU8 = 0,
  kTensorMapF16 = 6,
  kTensorMapF32 = 7,
  kTensorMapF64 = 8,
  kTensorMapBF16 = 9,
};
inline constexpr int kTensorMapPromoteL2To256 = 3;

} // namespace forge::rt::cuda

#endif // FORGE_LIB_RUNTIME_DEVICE_CUDAAPI_H
