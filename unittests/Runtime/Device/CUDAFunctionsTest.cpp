// What a driver must have: the functions of each vendor, by the names it has them under.
#include "../../../lib/Runtime/Device/CUDAFunctions.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace forge;
using namespace forge::rt;

namespace {

/// A library without any of them.
const Library &libraryOfNone() {
  static const Library library = *Library::open("C library", {"libc.so.6"});
  return library;
}

std::string missingOf(NativeApi::Names names) {
  FunctionFinder finder(libraryOfNone());
  NativeApi api;
  api.find(finder, names);
  return finder.missing();
}

TEST(NativeApi, EachVendorHasItsNames) {
  std::string cuda = missingOf(NativeApi::Names::CUDA), hip = missingOf(NativeApi::Names::HIP);
  EXPECT_EQ(cuda.rfind("cuMemAlloc_v2, cuMemFree_v2, ", 0), 0u) << cuda;
  EXPECT_EQ(hip.rfind("hipMalloc, hipFree, ", 0), 0u) << hip;
  EXPECT_EQ(cuda.find("hip"), std::string::npos);
  EXPECT_EQ(hip.find("cu"), std::string::npos);
  auto count = [](const std::string &names) { return std::count(names.begin(), names.end(), ','); };
  EXPECT_EQ(count(cuda), count(hip));
  EXPECT_EQ(sizeof(NativeApi) / sizeof(Call<>), static_cast<size_t>(count(cuda) + 1))
      << "every one is looked for";
}

// Calls of messages have a name even where there is no function.
TEST(CUDAFunctions, RequiredOnesAreMissing) {
  cuda::CUDAFunctions functions;
  NativeApi api;
  std::string missing = functions.find(libraryOfNone(), api);
  EXPECT_EQ(missing.rfind("cuInit, cuDriverGetVersion, ", 0), 0u) << missing;
  EXPECT_NE(missing.find(missingOf(NativeApi::Names::CUDA)), std::string::npos);
  EXPECT_FALSE(functions.init);
  EXPECT_STREQ(functions.init.name, "cuInit");
  EXPECT_STREQ(api.launch.name, "cuLaunchKernel");
}

// Drivers before CUDA 12 lack them; what needs them says so when it is used.
TEST(CUDAFunctions, NewOnesAreNotRequired) {
  cuda::CUDAFunctions functions;
  NativeApi api;
  std::string missing = functions.find(libraryOfNone(), api);
  for (const char *name : {"cuFuncGetParamInfo", "cuLaunchKernelEx", "cuDevicePrimaryCtxGetState",
                           "cuTensorMapEncodeTiled"})
    EXPECT_EQ(missing.find(std::string(name) + ","), std::string::npos) << name;
  EXPECT_FALSE(functions.launchEx);
  EXPECT_STREQ(functions.launchEx.name, "cuLaunchKernelEx");
}

} // namespace
