// libamdhip64.so.6 over FakeDevice: a gfx942 by HIP 6's layout of properties. It is as strict as
// the strictest HIP: attributes are those that HIP 5.2 answers, and what was given to
// hipModuleLoadData is read again when a function is asked for.
#include "FakeDevice.h"

#include <cstring>
#include <elf.h>
#include <map>
#include <string>

#define API extern "C" __attribute__((visibility("default"))) int

/// The code objects of modules: where they are, and what they were when they were loaded.
struct Image {
  const char *where;
  std::string content;
};
static std::map<void *, Image> images;

/// The bytes of an ELF file, whose table of sections comes last.
static size_t sizeOf(const char *elf) {
  Elf64_Ehdr header;
  std::memcpy(&header, elf, sizeof header);
  return header.e_shoff + size_t(header.e_shentsize) * header.e_shnum;
}

API hipInit(unsigned) { return 0; }
API hipRuntimeGetVersion(int *version) {
  *version = 60443482;
  return 0;
}
API hipGetDeviceCount(int *count) {
  *count = 1;
  return 0;
}
API hipSetDevice(int device) { return device == 0 ? 0 : 101; }
API hipDeviceReset() {
  images.clear();
  return fake::reset();
}
API hipDeviceSynchronize() { return fake::synchronize(); }
API hipGetDevicePropertiesR0600(void *properties, int) {
  // sizeof(hipDeviceProp_tR0600) is 1472; gcnArchName is at 1160.
  std::memset(properties, 0, 1472);
  std::strcpy(static_cast<char *>(properties), "Fake gfx GPU");
  std::strcpy(static_cast<char *>(properties) + 1160, "gfx942:sramecc+:xnack-");
  return 0;
}
API hipDeviceGetAttribute(int *value, int attribute, int) {
  struct Fact {
    int attribute, value;
  };
  // hipDeviceAttribute_t of HIP 5.2 to 7.0.
  static const Fact facts[] = {{19, 1 << 20},
                               {26, 1024},
                               {27, 1024},
                               {28, 1024},
                               {29, INT32_MAX},
                               {30, 65536},
                               {31, 65536},
                               {56, 1024},
                               {63, 4},
                               {71, 65536},
                               {74, fake::kSharedBytesOptIn},
                               {87, 64},
                               {10002, fake::kSharedBytesOptIn}};
  for (const Fact &fact : facts)
    if (fact.attribute == attribute) {
      *value = fact.value;
      return 0;
    }
  return fake::InvalidValue;
}
API hipDeviceTotalMem(size_t *bytes, int) {
  *bytes = fake::kMemoryBytes;
  return 0;
}
extern "C" __attribute__((visibility("default"))) const char *hipGetErrorName(int code) {
  static thread_local std::string text;
  text = std::string("hipError") + fake::nameOf(code);
  return text.c_str();
}
extern "C" __attribute__((visibility("default"))) const char *hipGetErrorString(int) {
  return "a fake error";
}

API hipModuleLoadData(void **module, const void *image) {
  if (std::memcmp(image, "\177ELF", 4) != 0)
    return fake::InvalidImage;
  int code = fake::moduleLoad(module);
  const char *bytes = static_cast<const char *>(image);
  if (code == 0)
    images[*module] = {bytes, std::string(bytes, sizeOf(bytes))};
  return code;
}
API hipModuleUnload(void *module) {
  images.erase(module);
  return fake::moduleUnload(module);
}
API hipModuleGetFunction(void **function, void *module, const char *name) {
  auto image = images.find(module);
  if (image != images.end() && std::memcmp(image->second.where, image->second.content.data(),
                                           image->second.content.size()) != 0)
    return fake::InvalidImage;
  return fake::moduleGetFunction(function, module, name);
}
API hipFuncGetAttribute(int *value, int attribute, void *function) {
  return fake::functionGetAttribute(value, attribute, function);
}
API hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void *stream, void **arguments,
                          void **extra) {
  const uint32_t grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
  return extra ? fake::InvalidValue
               : fake::launch(function, grid, block, shared, stream, arguments);
}

API hipMalloc(void **pointer, size_t bytes) { return fake::memAlloc(pointer, bytes); }
API hipFree(void *pointer) { return fake::memFree(pointer); }
API hipMemGetInfo(size_t *free, size_t *total) { return fake::memGetInfo(free, total); }
API hipHostMalloc(void **pointer, size_t bytes, unsigned) {
  return fake::hostAlloc(pointer, bytes);
}
API hipHostFree(void *pointer) { return fake::hostFree(pointer); }
API hipMemcpyHtoDAsync(void *target, void *source, size_t bytes, void *stream) {
  return fake::copy(fake::Copy::ToDevice, target, source, bytes, stream);
}
API hipMemcpyDtoHAsync(void *target, void *source, size_t bytes, void *stream) {
  return fake::copy(fake::Copy::ToHost, target, source, bytes, stream);
}
API hipMemcpyDtoDAsync(void *target, void *source, size_t bytes, void *stream) {
  return fake::copy(fake::Copy::OnDevice, target, source, bytes, stream);
}
API hipMemcpy2DAsync(void *target, size_t targetPitch, const void *source, size_t sourcePitch,
                     size_t width, size_t height, int kind, void *stream) {
  if (kind != 3)
    return fake::InvalidValue;
  return fake::copyRows(target, targetPitch, source, sourcePitch, width, height, stream);
}
API hipMemsetD8Async(void *target, unsigned char value, size_t count, void *stream) {
  return fake::fill(target, value, 1, count, stream);
}
API hipMemsetD16Async(void *target, unsigned short value, size_t count, void *stream) {
  return fake::fill(target, value, 2, count, stream);
}
API hipMemsetD32Async(void *target, int value, size_t count, void *stream) {
  return fake::fill(target, static_cast<uint32_t>(value), 4, count, stream);
}

API hipStreamCreateWithFlags(void **stream, unsigned) { return fake::streamCreate(stream); }
API hipStreamDestroy(void *stream) { return fake::streamDestroy(stream); }
API hipStreamSynchronize(void *stream) { return fake::streamSynchronize(stream); }
API hipStreamWaitEvent(void *stream, void *event, unsigned) {
  return fake::streamWaitEvent(stream, event);
}
API hipEventCreateWithFlags(void **event, unsigned flags) {
  return fake::eventCreate(event, flags);
}
API hipEventDestroy(void *event) { return fake::eventDestroy(event); }
API hipEventRecord(void *event, void *stream) { return fake::eventRecord(event, stream); }
API hipEventSynchronize(void *event) { return fake::eventSynchronize(event); }
API hipEventQuery(void *event) { return fake::eventQuery(event); }
API hipEventElapsedTime(float *ms, void *start, void *end) {
  return fake::eventElapsed(ms, start, end);
}

API hipStreamBeginCapture(void *stream, int) { return fake::beginCapture(stream); }
API hipStreamEndCapture(void *stream, void **graph) { return fake::endCapture(stream, graph); }
API hipGraphGetNodes(void *graph, void **, size_t *count) {
  return fake::graphGetNodes(graph, count);
}
API hipGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  return fake::graphInstantiate(executable, graph);
}
API hipGraphLaunch(void *executable, void *stream) { return fake::graphLaunch(executable, stream); }
API hipGraphExecDestroy(void *executable) { return fake::graphExecDestroy(executable); }
API hipGraphDestroy(void *graph) { return fake::graphDestroy(graph); }
