// The functions of CUDA's driver API that HIP has under another shape, or not at all. Private to
// ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_CUDAFUNCTIONS_H
#define FORGE_LIB_RUNTIME_DEVICE_CUDAFUNCTIONS_H

#include "CUDAApi.h"
#include "Library.h"
#include "NativeApi.h"

namespace forge::rt::cuda {

struct CUDAFunctions {
  /// Finds these functions and those of `api`; the names of required ones that are missing.
  std::string find(const Library &library, NativeApi &api);

  Call<unsigned> init;
  Call<int *> driverGetVersion;
  Call<int *> deviceGetCount;
  Call<int *, int> deviceGet;
  Call<char *, int, int> deviceGetName;
  Call<size_t *, int> deviceTotalMem;
  Call<int *, int, int> deviceGetAttribute;
  Call<int, const char **> getErrorName, getErrorString;
  Call<void **, int> primaryRetain;
  Call<int> primaryRelease, primaryReset;
  Call<void *> ctxSetCurrent;
  Call<void **, const void *, unsigned, int *, void **> moduleLoadDataEx;
  Call<void *, int, int> functionSetAttribute;
  Call<const Memcpy2D *, void *> memcpy2D;

  // Not in every driver.
  Call<void *, size_t, size_t *, size_t *> functionGetParamInfo;
  Call<const LaunchConfig *, void *, void **, void **> launchEx;
  Call<int, unsigned *, int *> primaryState;
  Call<void *, int, unsigned, void *, const uint64_t *, const uint64_t *, const uint32_t *,
       const uint32_t *, int, int, int, int>
      encodeTiled;
};

} // namespace forge::rt::cuda

#endif // FORGE_LIB_RUNTIME_DEVICE_CUDAFUNCTIONS_H
