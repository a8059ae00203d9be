// CUDA by its driver API, from libcuda.so.1.
#include "CUDAApi.h"
#include "CUDAFunctions.h"
#include "CublasLt.h"
#include "Drivers.h"
#include "Elf.h"
#include "Library.h"
#include "NativeDevice.h"

#include <mutex>

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cuda;

namespace {
class CUDAVendor final : public Vendor {
public:
  static Result<std::shared_ptr<Vendor>> create();

  const std::string &name() const override {
    static const std::string name = "cuda";
    return name;
  }
  std::string description() const override {
    return library.name() + ", CUDA " + std::to_string(version / 1000) + "." +
           std::to_string(version % 1000 / 10) + ", " + std::to_string(count) +
           (count == 1 ? " device" : " devices");
  }
  int numDevices() const override { return count; }
  Result<DeviceProperties> propertiesOf(int index) override;
  std::string errorText(int code) const override;
  bool isFatal(int code) const override;
  Result<void> acquire(int index) override;
  void abandon(int index) override;
  int makeCurrent(int index) const override {
    return cu.ctxSetCurrent(contexts[static_cast<size_t>(index)]);
  }
  Result<void> resetDevice(int index) override;
  int loadModule(const std::string &image, void **module, std::string &log) const override;
  std::string checkImage(std::string_view bytes) const override;
  int allowSharedMemory(void *function, size_t bytes) const override {
    return cu.functionSetAttribute(function, kFunctionMaxDynamicShared, static_cast<int>(bytes));
  }
  int preferSharedMemory(void *function, int percent) const override {
    return cu.functionSetAttribute(function, kFunctionCarveout, percent);
  }
  int numParameters(void *function) const override;
  const char *copyRowsName() const override { return cu.memcpy2D.name; }
  int copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
               size_t bytes, size_t rows, void *stream) const override;
  bool hasDependentLaunches(int index) const override;
  Result<void> launchWithAttributes(NativeDevice &device, void *function, const Launch &launch,
                                    void *stream) const override;
  Result<void> encodeTensorMap(NativeDevice &device, const TensorMapSpec &spec,
                               void *map) const override;
  Result<std::unique_ptr<VendorBlas>> createBlas(std::shared_ptr<Device> device) const override {
    return createCublasLt(std::move(device));
  }

private:
  explicit CUDAVendor(Library library) : library(std::move(library)) {}
  Result<void> check(const char *function, int code, const std::string &what) const {
    if (code == 0)
      return {};
    return Error{std::string(function) + ": " + errorText(code) + " while " + what};
  }

  Library library;
  int version = 0;
  int count = 0;
  /// By device: the primary context once acquired, and its handle.
  std::vector<void *> contexts;
  /// How often each primary context is held by this process through us.
  std::vector<int> retained;
  std::vector<int> handles;
  /// Compute capability: the number before the point.
  std::vector<int> majors;

  CUDAFunctions cu;
};
} // namespace

Result<std::shared_ptr<Vendor>> CUDAVendor::create() {
  Result<Library> library = Library::open("NVIDIA driver", {"libcuda.so.1"});
  if (!library)
    return Error{"cuda: " + library.error().message};
  std::shared_ptr<CUDAVendor> vendor(new CUDAVendor(std::move(*library)));
  std::string missing = vendor->cu.find(vendor->library, vendor->api);
  if (vendor->cu.driverGetVersion)
    vendor->cu.driverGetVersion(&vendor->version);
  if (!missing.empty())
    return Error{"cuda: this NVIDIA driver (CUDA " + std::to_string(vendor->version / 1000) + "." +
                 std::to_string(vendor->version % 1000 / 10) +
                 ") is too old, expected CUDA 11.4 or later: it has no " + missing};
  if (Result<void> done = vendor->check("cuInit", vendor->cu.init(0), "starting"); !done)
    return Error{"cuda: " + done.error().message};
  if (Result<void> done = vendor->check(
          "cuDeviceGetCount", vendor->cu.deviceGetCount(&vendor->count), "counting devices");
      !done)
    return Error{"cuda: " + done.error().message};
  if (vendor->count == 0)
    return Error{"cuda: the NVIDIA driver is there, but no device"};
  vendor->contexts.resize(static_cast<size_t>(vendor->count));
  vendor->retained.resize(static_cast<size_t>(vendor->count));
  vendor->handles.resize(static_cast<size_t>(vendor->count));
  for (int i = 0; i < vendor->count; ++i)
    if (Result<void> done = vendor->check(
            "cuDeviceGet", vendor->cu.deviceGet(&vendor->handles[static_cast<size_t>(i)], i),
            "opening device " + std::to_string(i));
        !done)
      return Error{"cuda: " + done.error().message};
  for (int handle : vendor->handles) {
    int major = 0;
    if (Result<void> done = vendor->check("cuDeviceGetAttribute",
                                          vendor->cu.deviceGetAttribute(&major, kMajor, handle),
                                          "asking for a compute capability");
        !done)
      return Error{"cuda: " + done.error().message};
    vendor->majors.push_back(major);
  }
  return std::shared_ptr<Vendor>(vendor);
}

std::string CUDAVendor::errorText(int code) const {
  const char *name = nullptr, *text = nullptr;
  cu.getErrorName(code, &name);
  cu.getErrorString(code, &text);
  return std::string(name ? name : "error " + std::to_string(code)) + " (" +
         (text ? text : "no text") + ")";
}

bool CUDAVendor::isFatal(int code) const {
  // CUresult: the errors said to leave "the process in an inconsistent state", and the context with
  // it: illegal address, launch timeout, assert, hardware stack error up to launch failure, ECC,
  // and unknown.
  return code == 700 || code == 702 || code == 710 || (code >= 714 && code <= 719) || code == 214 ||
         code == 999;
}

Result<DeviceProperties> CUDAVendor::propertiesOf(int index) {
  int device = handles[static_cast<size_t>(index)];
  std::string problem;
  auto ask = [&](int attribute) {
    int value = 0;
    int code = cu.deviceGetAttribute(&value, attribute, device);
    if (code && problem.empty())
      problem = "cuDeviceGetAttribute: " + errorText(code);
    return static_cast<unsigned>(value);
  };
  DeviceProperties facts;
  char text[256] = {};
  if (int code = cu.deviceGetName(text, sizeof text - 1, device))
    problem = "cuDeviceGetName: " + errorText(code);
  facts.name = text;
  unsigned major = ask(kMajor), minor = ask(kMinor);
  // From 9.0 on a chip has instructions of its own, in the code for sm_XYa.
  facts.chip = "sm_" + std::to_string(major) + std::to_string(minor) + (major >= 9 ? "a" : "");
  facts.warpSize = ask(kWarpSize);
  facts.multiprocessors = ask(kMultiprocessors);
  facts.maxThreadsPerBlock = ask(kMaxThreadsPerBlock);
  for (int dim = 0; dim < 3; ++dim) {
    facts.maxBlock[static_cast<size_t>(dim)] = ask(kMaxBlockX + dim);
    facts.maxGrid[static_cast<size_t>(dim)] = ask(kMaxGridX + dim);
  }
  facts.sharedMemoryPerBlock = ask(kSharedPerBlock);
  facts.maxSharedMemoryPerBlock = ask(kSharedPerBlockOptIn);
  facts.sharedMemoryPerMultiprocessor = ask(kSharedPerMultiprocessor);
  facts.registersPerMultiprocessor = ask(kRegistersPerMultiprocessor);
  facts.l2Bytes = ask(kL2Bytes);
  if (int code = cu.deviceTotalMem(&facts.memoryBytes, device))
    problem = "cuDeviceTotalMem: " + errorText(code);
  facts.driverVersion = version;
  if (!problem.empty())
    return Error{problem + " while asking for the properties of cuda device " +
                 std::to_string(index)};
  return facts;
}

Result<void> CUDAVendor::acquire(int index) {
  size_t slot = static_cast<size_t>(index);
  int code = cu.primaryRetain(&contexts[slot], handles[slot]);
  retained[slot] += code == 0;
  return check(cu.primaryRetain.name, code, "opening cuda device " + std::to_string(index));
}

void CUDAVendor::abandon(int index) {
  size_t slot = static_cast<size_t>(index);
  if (retained[slot] == 0)
    return;
  cu.primaryRelease(handles[slot]);
  if (--retained[slot] == 0)
    contexts[slot] = nullptr;
}

Result<void> CUDAVendor::resetDevice(int index) {
  size_t slot = static_cast<size_t>(index);
  // A lost context lives on while anybody holds it. Releasing it may repeat the error that lost it.
  for (; retained[slot] > 0; --retained[slot])
    cu.primaryRelease(handles[slot]);
  contexts[slot] = nullptr;
  // Other drivers of this process may hold it too; theirs is as lost.
  unsigned flags = 0;
  int isActive = 0;
  constexpr int kMostHolders = 64;
  for (int holder = 0; cu.primaryState && holder < kMostHolders; ++holder) {
    if (cu.primaryState(handles[slot], &flags, &isActive) != 0 || !isActive)
      break;
    cu.primaryRelease(handles[slot]);
  }
  return check(cu.primaryReset.name, cu.primaryReset(handles[slot]),
               "resetting cuda device " + std::to_string(index));
}

std::string CUDAVendor::checkImage(std::string_view bytes) const {
  constexpr std::string_view fatBinary("\x50\xed\x55\xba", 4);
  if (bytes.starts_with(fatBinary))
    return "";
  if (bytes.starts_with("\177ELF"))
    return checkElf(bytes, kElfCUDA, "CUDA");
  if (bytes.find(".version") != std::string_view::npos &&
      bytes.find(".target") != std::string_view::npos)
    return "";
  return "expected a cubin, a fat binary or PTX";
}

int CUDAVendor::loadModule(const std::string &image, void **module, std::string &log) const {
  std::vector<char> buffer(16384);
  // The values of the options are passed as pointers.
  int options[] = {kErrorLog, kErrorLogBytes};
  void *values[] = {buffer.data(), reinterpret_cast<void *>(buffer.size())};
  int code = cu.moduleLoadDataEx(module, image.c_str(), 2, options, values);
  buffer.back() = 0;
  log = buffer.data();
  return code;
}

int CUDAVendor::numParameters(void *function) const {
  if (!cu.functionGetParamInfo)
    return -1;
  size_t offset, bytes;
  int number = 0;
  while (cu.functionGetParamInfo(function, static_cast<size_t>(number), &offset, &bytes) == 0)
    ++number;
  return number;
}

int CUDAVendor::copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                         size_t bytes, size_t rows, void *stream) const {
  Memcpy2D copy{};
  copy.sourceType = copy.targetType = kMemoryDevice;
  copy.sourceDevice = const_cast<void *>(source);
  copy.sourcePitch = sourcePitch;
  copy.targetDevice = target;
  copy.targetPitch = targetPitch;
  copy.widthBytes = bytes;
  copy.height = rows;
  return cu.memcpy2D(&copy, stream);
}

/// From compute capability 9.0 on (PTX ISA, "griddepcontrol"). Graphs keep such dependencies since
/// CUDA 12.3 (CUDA C++ Programming Guide, "Programmatic Dependent Launch in CUDA Graphs").
bool CUDAVendor::hasDependentLaunches(int index) const {
  constexpr int kFirstMajor = 9;
  constexpr int kFirstVersion = 12030;
  return cu.launchEx && majors[static_cast<size_t>(index)] >= kFirstMajor &&
         version >= kFirstVersion;
}

Result<void> CUDAVendor::launchWithAttributes(NativeDevice &device, void *function,
                                              const Launch &launch, void *stream) const {
  if (!cu.launchEx)
    return Error{"this NVIDIA driver has no cuLaunchKernelEx"};
  LaunchConfig config{};
  LaunchAttribute attributes[2] = {};
  config.attributes = attributes;
  if (launch.cluster != std::array<uint32_t, 3>{1, 1, 1}) {
    LaunchAttribute &cluster = attributes[config.numAttributes++];
    cluster.id = kClusterDimension;
    for (size_t dim = 0; dim < 3; ++dim)
      cluster.value.cluster[dim] = launch.cluster[dim];
  }
  if (launch.dependent) {
    LaunchAttribute &dependent = attributes[config.numAttributes++];
    dependent.id = kProgrammaticStreamSerialization;
    dependent.value.isOn = 1;
  }
  for (size_t dim = 0; dim < 3; ++dim) {
    config.grid[dim] = launch.grid[dim];
    config.block[dim] = launch.block[dim];
  }
  config.dynamicSharedBytes = static_cast<unsigned>(launch.dynamicSharedBytes);
  config.stream = stream;
  if (int code = makeCurrent(device.index()))
    return device.fail(cu.ctxSetCurrent.name, code, "launching with attributes");
  int code = cu.launchEx(&config, function, const_cast<void **>(launch.arguments), nullptr);
  return code == 0 ? Result<void>()
                   : device.fail(cu.launchEx.name, code, "launching with attributes");
}

/// CUtensorMapDataType of a type; -1 for none.
static int tensorMapType(forge_rt_type type) {
  switch (type) {
  case FORGE_RT_F32:
    return kTensorMapF32;
  case FORGE_RT_F16:
    return kTensorMapF16;
  case FORGE_RT_BF16:
    return kTensorMapBF16;
  case FORGE_RT_F64:
    return kTensorMapF64;
  case FORGE_RT_F8E4M3FN:
  case FORGE_RT_F8E5M2:
    return kTensorMapU8;
  }
  return -1;
}

Result<void> CUDAVendor::encodeTensorMap(NativeDevice &device, const TensorMapSpec &spec,
                                         void *map) const {
  if (!cu.encodeTiled)
    return Error{"this NVIDIA driver has no cuTensorMapEncodeTiled"};
  int type = tensorMapType(spec.type);
  int swizzle = spec.swizzleBytes == 0     ? 0
                : spec.swizzleBytes == 32  ? 1
                : spec.swizzleBytes == 64  ? 2
                : spec.swizzleBytes == 128 ? 3
                                           : -1;
  if (type < 0 || swizzle < 0)
    return Error{"expected a tensor map of a known type, with a swizzle of 0, 32, 64 or 128 bytes"};
  const uint32_t ones[5] = {1, 1, 1, 1, 1};
  if (int code = makeCurrent(device.index()))
    return device.fail(cu.ctxSetCurrent.name, code, "encoding a tensor map");
  int code = cu.encodeTiled(map, type, spec.rank, spec.base, spec.sizes.data(), spec.strides.data(),
                            spec.box.data(), ones, /*interleave=*/0, swizzle,
                            kTensorMapPromoteL2To256, /*out of bounds: zeros*/ 0);
  if (code == 0)
    return {};
  std::string text = "encoding a tensor map of rank " + std::to_string(spec.rank) + ", box";
  for (unsigned dim = 0; dim < spec.rank; ++dim)
    text += (dim ? "x" : " ") + std::to_string(spec.box[dim]);
  return device.fail(cu.encodeTiled.name, code,
                     text + ", swizzle " + std::to_string(spec.swizzleBytes));
}

Result<std::unique_ptr<Driver>> forge::rt::createCUDADriver() {
  Result<std::shared_ptr<Vendor>> vendor = CUDAVendor::create();
  if (!vendor)
    return vendor.error();
  return createNativeDriver(std::move(*vendor));
}
