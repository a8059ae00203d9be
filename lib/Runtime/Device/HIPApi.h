// The numbers of HIP's API that only HIP has, the same in HIP 5.2 and later; a test compares them with
// hip_runtime_api.h where that is installed. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_HIPAPI_H
#define FORGE_LIB_RUNTIME_DEVICE_HIPAPI_H

namespace forge::rt::hip {

/// hipDeviceAttribute_t. HIP 5.2 answers with an error to two attributes that it declares,
/// MaxRegistersPerMultiprocessor (72) and SharedMemPerMultiprocessor (76); later ones answer to the
/// second with the sum over all multiprocessors.
enum DeviceAttribute {
  kL2Bytes = 19,
  kMaxBlockX = 26,
  kMaxGridX = 29,
  kMaxThreadsPerBlock = 56,
  kMultiprocessors = 63,
  /// All registers of a multiprocessor: one block may have them.
  kRegistersPerBlock = 71,
  kSharedPerBlock = 74,
  kWarpSize = 87,
  kSharedPerMultiprocessor = 10002,
};

inline constexpr int kCopyDeviceToDevice = 3;
inline constexpr int kErrorNoDevice = 100;

} // namespace forge::rt::hip

#endif // FORGE_LIB_RUNTIME_DEVICE_HIPAPI_H
