// libcuda.so.1 over FakeDevice.
#include "FakeDevice.h"

#include "../../../../lib/Runtime/Device/CUDAApi.h"

#include <cstring>
#include <string>

using namespace forge::rt::cuda;

#define API extern "C" __attribute__((visibility("default"))) int

static int context;
static int retained = 0;

API cuInit(unsigned) { return 0; }
API cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
API cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}
API cuDeviceGet(int *device, int index) {
  *device = 17;
  return index == 0 ? 0 : fake::InvalidValue;
}
API cuDeviceGetName(char *name, int bytes, int device) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(bytes));
  return device == 17 ? 0 : fake::InvalidValue;
}
API cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = fake::kMemoryBytes;
  return 0;
}
API cuDeviceGetAttribute(int *value, int attribute, int device) {
  struct Fact {
    int attribute, value;
  };
  static const Fact facts[] = {{kMaxThreadsPerBlock, 1024},
                               {kMaxBlockX, 1024},
                               {kMaxBlockX + 1, 1024},
                               {kMaxBlockX + 2, 64},
                               {kMaxGridX, 0x7fffffff},
                               {kMaxGridX + 1, 65535},
                               {kMaxGridX + 2, 65535},
                               {kSharedPerBlock, fake::kSharedBytes},
                               {kSharedPerBlockOptIn, fake::kSharedBytesOptIn},
                               {kWarpSize, 32},
                               {kMultiprocessors, 4},
                               {kL2Bytes, 1 << 20},
                               {kMajor, 9},
                               {kMinor, 0},
                               {kSharedPerMultiprocessor, 233472},
                               {kRegistersPerMultiprocessor, 65536}};
  for (const Fact &fact : facts)
    if (fact.attribute == attribute) {
      *value = fact.value;
      return device == 17 ? 0 : fake::InvalidValue;
    }
  return fake::InvalidValue;
}
API cuGetErrorName(int code, const char **name) {
  static thread_local std::string text;
  text = std::string("CUDA_ERROR_") + fake::nameOf(code);
  *name = text.c_str();
  return 0;
}
API cuGetErrorString(int, const char **text) {
  *text = "a fake error";
  return 0;
}
API cuDevicePrimaryCtxRetain(void **made, int device) {
  *made = &context;
  ++retained;
  return device == 17 ? 0 : fake::InvalidValue;
}
API cuDevicePrimaryCtxRelease_v2(int) {
  --retained;
  return 0;
}
API cuDevicePrimaryCtxReset_v2(int device) {
  return device == 17 ? fake::reset() : fake::InvalidValue;
}
API cuCtxSetCurrent(void *current) {
  return current == &context && retained > 0 ? 0 : 201 /* INVALID_CONTEXT */;
}
API cuCtxSynchronize() { return fake::synchronize(); }

API cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values) {
  // Whole, or not at all: the last kernel is there.
  if (std::strstr(static_cast<const char *>(image), ".entry forge_test_store"))
    return fake::moduleLoad(module);
  char *log = nullptr;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == kErrorLog)
      log = static_cast<char *>(values[i]);
    if (options[i] == kErrorLogBytes)
      bytes = reinterpret_cast<size_t>(values[i]);
  }
  if (log)
    std::strncpy(log, "ptxas fatal: unexpected end of file\n", bytes);
  return fake::InvalidImage;
}
API cuModuleUnload(void *module) { return fake::moduleUnload(module); }
API cuModuleGetFunction(void **function, void *module, const char *name) {
  return fake::moduleGetFunction(function, module, name);
}
API cuFuncGetAttribute(int *value, int attribute, void *function) {
  return fake::functionGetAttribute(value, attribute, function);
}
/// Of a multiprocessor's memory, the percentage that a function asked for last as shared memory,
/// for the tests.
extern "C" __attribute__((visibility("default"))) int forge_fake_carveout = -1;

API cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute == kFunctionCarveout) {
    forge_fake_carveout = value;
    return value >= -1 && value <= 100 ? 0 : fake::InvalidValue;
  }
  bool known = attribute == kFunctionMaxDynamicShared;
  return known && value <= fake::kSharedBytesOptIn ? 0 : fake::InvalidValue;
}
API cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes) {
  *offset = 0;
  return fake::functionGetParameter(function, index, bytes);
}
API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra) {
  const uint32_t grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
  return extra ? fake::InvalidValue
               : fake::launch(function, grid, block, shared, stream, arguments);
}

/// Launches that asked for programmatic stream serialization, for the tests.
extern "C" __attribute__((visibility("default"))) unsigned forge_fake_dependent_launches = 0;

API cuLaunchKernelEx(const LaunchConfig *config, void *function, void **arguments, void **extra) {
  if (extra || config->numAttributes == 0)
    return fake::InvalidValue;
  for (unsigned i = 0; i < config->numAttributes; ++i) {
    const LaunchAttribute &attribute = config->attributes[i];
    if (attribute.id != kProgrammaticStreamSerialization || attribute.value.isOn != 1)
      return fake::InvalidValue;
    ++forge_fake_dependent_launches;
  }
  return fake::launch(function, config->grid, config->block, config->dynamicSharedBytes,
                      config->stream, arguments);
}

API cuMemAlloc_v2(void **pointer, size_t bytes) { return fake::memAlloc(pointer, bytes); }
API cuMemFree_v2(void *pointer) { return fake::memFree(pointer); }
API cuMemGetInfo_v2(size_t *free, size_t *total) { return fake::memGetInfo(free, total); }
API cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  return fake::hostAlloc(pointer, bytes);
}
API cuMemFreeHost(void *pointer) { return fake::hostFree(pointer); }
API cuMemcpyHtoDAsync_v2(void *target, const void *source, size_t bytes, void *stream) {
  return fake::copy(fake::Copy::ToDevice, target, source, bytes, stream);
}
API cuMemcpyDtoHAsync_v2(void *target, const void *source, size_t bytes, void *stream) {
  return fake::copy(fake::Copy::ToHost, target, source, bytes, stream);
}
API cuMemcpyDtoDAsync_v2(void *target, const void *source, size_t bytes, void *stream) {
  return fake::copy(fake::Copy::OnDevice, target, source, bytes, stream);
}
API cuMemcpy2DAsync_v2(const Memcpy2D *copy, void *stream) {
  if (copy->sourceType != kMemoryDevice || copy->targetType != kMemoryDevice)
    return fake::InvalidValue;
  return fake::copyRows(copy->targetDevice, copy->targetPitch, copy->sourceDevice,
                        copy->sourcePitch, copy->widthBytes, copy->height, stream);
}
API cuMemsetD8Async(void *target, unsigned char value, size_t count, void *stream) {
  return fake::fill(target, value, 1, count, stream);
}
API cuMemsetD16Async(void *target, unsigned short value, size_t count, void *stream) {
  return fake::fill(target, value, 2, count, stream);
}
API cuMemsetD32Async(void *target, unsigned value, size_t count, void *stream) {
  return fake::fill(target, value, 4, count, stream);
}

API cuStreamCreate(void **stream, unsigned) { return fake::streamCreate(stream); }
API cuStreamDestroy_v2(void *stream) { return fake::streamDestroy(stream); }
API cuStreamSynchronize(void *stream) { return fake::streamSynchronize(stream); }
API cuStreamWaitEvent(void *stream, void *event, unsigned) {
  return fake::streamWaitEvent(stream, event);
}
API cuEventCreate(void **event, unsigned flags) { return fake::eventCreate(event, flags); }
API cuEventDestroy_v2(void *event) { return fake::eventDestroy(event); }
API cuEventRecord(void *event, void *stream) { return fake::eventRecord(event, stream); }
API cuEventSynchronize(void *event) { return fake::eventSynchronize(event); }
API cuEventQuery(void *event) { return fake::eventQuery(event); }
API cuEventElapsedTime(float *ms, void *start, void *end) {
  return fake::eventElapsed(ms, start, end);
}

API cuStreamBeginCapture_v2(void *stream, int) { return fake::beginCapture(stream); }
API cuStreamEndCapture(void *stream, void **graph) { return fake::endCapture(stream, graph); }
API cuGraphGetNodes(void *graph, void **, size_t *count) {
  return fake::graphGetNodes(graph, count);
}
API cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  return fake::graphInstantiate(executable, graph);
}
API cuGraphLaunch(void *executable, void *stream) { return fake::graphLaunch(executable, stream); }
API cuGraphExecDestroy(void *executable) { return fake::graphExecDestroy(executable); }
API cuGraphDestroy(void *graph) { return fake::graphDestroy(graph); }
