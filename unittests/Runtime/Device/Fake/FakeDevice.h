// A device in host memory behind the functions of a vendor's driver, so that the code of our cuda
// and hip drivers runs where there is no GPU. It is strict where hardware is lucky: work is done as
// late as the interface allows (when somebody waits), a copy reads host memory only then, and an
// error of work in flight stays until the device is reset. It knows the conformance kernels only.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKEDEVICE_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKEDEVICE_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fake {

/// Error codes that both vendors share.
enum Code : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidImage = 200,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
};
const char *nameOf(int code);

inline constexpr size_t kMemoryBytes = size_t(1) << 30;
inline constexpr int kSharedBytes = 49152, kSharedBytesOptIn = 65536;

int memAlloc(void **pointer, size_t bytes);
int memFree(void *pointer);
int memGetInfo(size_t *free, size_t *total);
int hostAlloc(void **pointer, size_t bytes);
int hostFree(void *pointer);

enum class Copy { ToDevice, ToHost, OnDevice };
int copy(Copy kind, void *target, const void *source, size_t bytes, void *stream);
int copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch, size_t bytes,
             size_t rows, void *stream);
int fill(void *target, uint32_t value, size_t elementBytes, size_t count, void *stream);

int streamCreate(void **stream);
int streamDestroy(void *stream);
int streamSynchronize(void *stream);
int streamWaitEvent(void *stream, void *event);
int synchronize();
int eventCreate(void **event, unsigned flags);
int eventDestroy(void *event);
int eventRecord(void *event, void *stream);
int eventSynchronize(void *event);
int eventQuery(void *event);
int eventElapsed(float *ms, void *start, void *end);

int moduleLoad(void **module);
int moduleUnload(void *module);
int moduleGetFunction(void **function, void *module, std::string_view name);
int functionGetAttribute(int *value, int attribute, void *function);
/// The bytes of parameter `index`, or InvalidValue.
int functionGetParameter(void *function, size_t index, size_t *bytes);
int launch(void *function, const uint32_t grid[3], const uint32_t block[3], unsigned shared,
           void *stream, void **arguments);

int beginCapture(void *stream);
int endCapture(void *stream, void **graph);
int graphGetNodes(void *graph, size_t *count);
int graphInstantiate(void **executable, void *graph);
int graphLaunch(void *executable, void *stream);
int graphExecDestroy(void *executable);
int graphDestroy(void *graph);

/// Does `run(data)` in the stream's order, as often as a graph asks, and `destroy(data)` at the
/// end.
int enqueueWork(void *stream, int (*run)(void *data), void (*destroy)(void *data), void *data);

/// Forgets everything: memory, streams, the error.
int reset();

} // namespace fake

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKEDEVICE_H
