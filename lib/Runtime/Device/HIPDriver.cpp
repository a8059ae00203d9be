// HIP, from whichever libamdhip64 the loader finds. Only functions that every HIP since 5.0 has
// under one name and one signature are used, and no struct but the properties, whose layout differs
// between HIP 5 and 6: of these the chip's name is looked for by its shape.
#include "Drivers.h"
#include "Elf.h"
#include "HIPApi.h"
#include "HipblasLt.h"
#include "Library.h"
#include "NativeDevice.h"

#include <cstring>

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::hip;

namespace {
class HIPVendor final : public Vendor {
public:
  static Result<std::shared_ptr<Vendor>> create();

  const std::string &name() const override {
    static const std::string name = "hip";
    return name;
  }
  std::string description() const override {
    return library.name() + ", HIP " + std::to_string(version / 10000000) + "." +
           std::to_string(version / 100000 % 100) + ", " + std::to_string(count) +
           (count == 1 ? " device" : " devices");
  }
  int numDevices() const override { return count; }
  Result<DeviceProperties> propertiesOf(int index) override;
  std::string errorText(int code) const override {
    return std::string(getErrorName(code)) + " (" + getErrorString(code) + ")";
  }
  bool isFatal(int code) const override {
    // hipErrorIllegalAddress, LaunchTimeOut, Assert, LaunchFailure, ECCNotCorrectable, Unknown.
    return code == 700 || code == 702 || code == 710 || code == 719 || code == 214 || code == 999;
  }
  /// HIP's primary context is made by the first call that needs it.
  Result<void> acquire(int index) override {
    int code = setDevice(index);
    if (code == 0)
      return {};
    return Error{"hipSetDevice: " + errorText(code) + " while opening hip device " +
                 std::to_string(index)};
  }
  void abandon(int) override {}
  int makeCurrent(int index) const override { return setDevice(index); }
  Result<void> resetDevice(int index) override {
    int code = setDevice(index);
    if (code == 0)
      code = deviceReset();
    if (code == 0)
      return {};
    return Error{"hipDeviceReset: " + errorText(code) + " while resetting hip device " +
                 std::to_string(index)};
  }
  int loadModule(const std::string &image, void **module, std::string &) const override {
    return moduleLoadData(module, image.data());
  }
  std::string checkImage(std::string_view bytes) const override {
    if (bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__"))
      return "";
    return checkElf(bytes, kElfAMDGPU, "AMDGPU");
  }
  /// All of a work-group's memory is there without asking.
  int allowSharedMemory(void *, size_t) const override { return 0; }
  int preferSharedMemory(void *, int) const override { return 0; }
  int numParameters(void *) const override { return -1; }
  const char *copyRowsName() const override { return memcpy2D.name; }
  int copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
               size_t bytes, size_t rows, void *stream) const override {
    return memcpy2D(target, targetPitch, source, sourcePitch, bytes, rows, kCopyDeviceToDevice,
                    stream);
  }
  bool hasDependentLaunches(int) const override { return false; }
  Result<void> launchWithAttributes(NativeDevice &device, void *, const Launch &,
                                    void *) const override {
    return Error{"hip:" + device.properties().chip + " has no clusters of blocks"};
  }
  Result<void> encodeTensorMap(NativeDevice &device, const TensorMapSpec &, void *) const override {
    return Error{"hip:" + device.properties().chip + " has no tensor memory accelerator"};
  }
  Result<std::unique_ptr<VendorBlas>> createBlas(std::shared_ptr<Device> device) const override {
    return createHipblasLt(std::move(device));
  }

private:
  explicit HIPVendor(Library library) : library(std::move(library)) {}
  std::string findFunctions();

  Library library;
  int version = 0;
  int count = 0;
  Call<unsigned> init;
  Call<int *> runtimeGetVersion;
  Call<int *> getDeviceCount;
  Call<int> setDevice;
  Call<> deviceReset;
  Call<void *, int> getProperties;
  Call<int *, int, int> deviceGetAttribute;
  Call<size_t *, int> deviceTotalMem;
  Call<void **, const void *> moduleLoadData;
  Call<void *, size_t, const void *, size_t, size_t, size_t, int, void *> memcpy2D;
  const char *(*getErrorName)(int) = nullptr;
  const char *(*getErrorString)(int) = nullptr;
};
} // namespace

std::string HIPVendor::findFunctions() {
  FunctionFinder finder(library);
  finder.require("hipInit", init);
  finder.require("hipRuntimeGetVersion", runtimeGetVersion);
  finder.require("hipGetDeviceCount", getDeviceCount);
  finder.require("hipSetDevice", setDevice);
  finder.require("hipDeviceReset", deviceReset);
  finder.require("hipDeviceGetAttribute", deviceGetAttribute);
  finder.require("hipDeviceTotalMem", deviceTotalMem);
  finder.require("hipModuleLoadData", moduleLoadData);
  finder.require("hipMemcpy2DAsync", memcpy2D);
  finder.require("hipGetErrorName", getErrorName);
  finder.require("hipGetErrorString", getErrorString);
  // Since HIP 6 the old name gives the old layout; either serves.
  if (!finder.find("hipGetDevicePropertiesR0600", getProperties))
    finder.require("hipGetDeviceProperties", getProperties);
  api.find(finder, NativeApi::Names::HIP);
  return finder.missing();
}

Result<std::shared_ptr<Vendor>> HIPVendor::create() {
  Result<Library> library =
      Library::open("AMD HIP runtime",
                    {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"});
  if (!library)
    return Error{"hip: " + library.error().message};
  std::shared_ptr<HIPVendor> vendor(new HIPVendor(std::move(*library)));
  if (std::string missing = vendor->findFunctions(); !missing.empty())
    return Error{"hip: " + vendor->library.name() +
                 " is too old, expected HIP 5.0 or later: it has no " + missing};
  int code = vendor->init(0);
  const char *call = vendor->init.name;
  if (code == 0) {
    code = vendor->getDeviceCount(&vendor->count);
    call = vendor->getDeviceCount.name;
  }
  if (code == kErrorNoDevice || (code == 0 && vendor->count == 0))
    return Error{"hip: " + vendor->library.name() + " is there, but no device"};
  if (code != 0)
    return Error{"hip: " + std::string(call) + ": " + vendor->errorText(code) +
                 " while starting (expected an AMD GPU, and /dev/kfd open to this user)"};
  vendor->runtimeGetVersion(&vendor->version);
  return std::shared_ptr<Vendor>(vendor);
}

/// The architecture's name in the properties: hipDeviceProp_t begins with the device's name (256
/// bytes), and holds gcnArchName ("gfx942:sramecc+:xnack-") later.
static std::string findChip(const char *properties, size_t size) {
  for (size_t at = 256; at + 8 < size; at += 4) {
    if (std::memcmp(properties + at, "gfx", 3) != 0)
      continue;
    std::string_view text(properties + at);
    return std::string(text.substr(0, text.find(':')));
  }
  return "";
}

Result<DeviceProperties> HIPVendor::propertiesOf(int index) {
  std::string problem;
  auto note = [&](const char *call, int code) {
    if (code && problem.empty())
      problem = std::string(call) + ": " + errorText(code);
  };
  auto ask = [&](int attribute) {
    int value = 0;
    note(deviceGetAttribute.name, deviceGetAttribute(&value, attribute, index));
    return static_cast<unsigned>(value);
  };
  // Larger than any layout (792 bytes in HIP 5, 1472 in HIP 6).
  alignas(16) char buffer[8192] = {};
  note(getProperties.name, getProperties(buffer, index));
  DeviceProperties facts;
  facts.name = std::string(buffer, strnlen(buffer, 256));
  facts.chip = findChip(buffer, sizeof buffer);
  if (facts.chip.empty() && problem.empty())
    problem = std::string(getProperties.name) + " names no gfx architecture";
  facts.warpSize = ask(kWarpSize);
  facts.multiprocessors = ask(kMultiprocessors);
  facts.maxThreadsPerBlock = ask(kMaxThreadsPerBlock);
  for (int dim = 0; dim < 3; ++dim) {
    facts.maxBlock[static_cast<size_t>(dim)] = ask(kMaxBlockX + dim);
    facts.maxGrid[static_cast<size_t>(dim)] = ask(kMaxGridX + dim);
  }
  facts.sharedMemoryPerBlock = facts.maxSharedMemoryPerBlock = ask(kSharedPerBlock);
  facts.sharedMemoryPerMultiprocessor = ask(kSharedPerMultiprocessor);
  facts.registersPerMultiprocessor = ask(kRegistersPerBlock);
  facts.l2Bytes = ask(kL2Bytes);
  note(deviceTotalMem.name, deviceTotalMem(&facts.memoryBytes, index));
  facts.driverVersion = version;
  if (!problem.empty())
    return Error{problem + " while asking for the properties of hip device " +
                 std::to_string(index)};
  return facts;
}

Result<std::unique_ptr<Driver>> forge::rt::createHIPDriver() {
  Result<std::shared_ptr<Vendor>> vendor = HIPVendor::create();
  if (!vendor)
    return vendor.error();
  return createNativeDriver(std::move(*vendor));
}
