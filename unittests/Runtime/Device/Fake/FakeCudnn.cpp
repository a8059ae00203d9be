// cuDNN's backend API over the fake devices, for graphs of the forms that the real library knows.
// What that refuses is refused: parts that are not finalized, a tensor without sizes, operations
// out of order, a plan without a handle.
#include "FakeCudnnGraph.h"

#include <algorithm>
#include <dlfcn.h>

#define API extern "C" __attribute__((visibility("default")))

namespace {
constexpr int kBadParam = 2000, kNotSupported = 3000;
/// Of configurations and engines, of ours alone.
constexpr int kIsRounding = -1;
std::string lastError;
void *currentStream = nullptr;
int fail(int status, const char *why) {
  lastError = why;
  return status;
}

/// Bytes of a value of each attribute type that is used here.
size_t bytesOf(int type) {
  static const std::map<int, size_t> sizes = {{0, 8}, {1, 4}, {2, 1}, {3, 8},  {4, 4},  {5, 8},
                                              {6, 8}, {7, 4}, {8, 4}, {14, 4}, {15, 8}, {18, 4}};
  auto found = sizes.find(type);
  return found == sizes.end() ? 0 : found->second;
}

int finalizeTensor(const Descriptor &tensor) {
  auto sizes = tensor.list<int64_t>(902), strides = tensor.list<int64_t>(903);
  for (int64_t size : sizes)
    if (size < 1)
      return fail(kBadParam, "size < 1");
  for (int64_t stride : strides)
    if (stride < 0)
      return fail(kBadParam, "stride < 0");
  bool isWhole = sizes.size() >= 4 && strides.size() == sizes.size() &&
                 tensor.attributes.count(901) && tensor.attributes.count(906);
  return isWhole ? 0 : fail(kBadParam, "a tensor without sizes, strides, type or number");
}

int finalizeConfig(const Descriptor &config) {
  const char *why = whyNotOffered(*config.part(1300));
  return why ? fail(kNotSupported, why) : 0;
}
} // namespace

API int cudnnCreate(void **handle) {
  static int made;
  *handle = &made;
  return 0;
}
API int cudnnDestroy(void *) { return 0; }
API int cudnnSetStream(void *handle, void *stream) {
  currentStream = stream;
  return handle ? 0 : kBadParam;
}
API size_t cudnnGetVersion() { return 91900; }
API const char *cudnnGetErrorString(int status) {
  return status == kNotSupported ? "CUDNN_STATUS_NOT_SUPPORTED" : "CUDNN_STATUS_BAD_PARAM";
}
API void cudnnGetLastErrorString(char *message, size_t bytes) {
  std::strncpy(message, lastError.c_str(), bytes - 1);
}
API int cudnnBackendCreateDescriptor(int type, void **descriptor) {
  auto *made = new Descriptor;
  made->type = type;
  *descriptor = made;
  return 0;
}
API int cudnnBackendDestroyDescriptor(void *descriptor) {
  delete static_cast<Descriptor *>(descriptor);
  return 0;
}
API int cudnnBackendSetAttribute(void *descriptor, int attribute, int type, int64_t count,
                                 const void *values) {
  auto &to = *static_cast<Descriptor *>(descriptor);
  if (to.isFinal || bytesOf(type) == 0 || count < 1)
    return fail(kBadParam, "an attribute that cannot be set");
  // Parts come before what they are parts of.
  if (type == 15)
    for (int64_t i = 0; i < count; ++i)
      if (const Descriptor *part = static_cast<Descriptor *const *>(values)[i];
          !part || !part->isFinal)
        return fail(kBadParam, "a part that is not finalized");
  const char *bytes = static_cast<const char *>(values);
  to.attributes[attribute].assign(bytes, bytes + static_cast<size_t>(count) * bytesOf(type));
  return 0;
}
API int cudnnBackendFinalize(void *descriptor) {
  auto &what = *static_cast<Descriptor *>(descriptor);
  int status = 0;
  if (what.type == kTensor)
    status = finalizeTensor(what);
  else if (what.type == 4)
    status = what.part(201) && what.part(201)->one<void *>(800) &&
                     (what.one<int>(200) == 3 || what.one<int>(200) == 2)
                 ? 0
                 : fail(kBadParam, "a heuristic without a graph of a handle, or of another mode");
  else if (what.type == 5)
    status = what.one<void *>(400) && what.part(401)
                 ? finalizeConfig(*what.part(401))
                 : fail(kBadParam, "a plan without a handle or an engine");
  what.isFinal = status == 0;
  return status;
}
/// Two engines, of which the first multiplies what it rounds to 16 bits: of f32 it is no choice.
static int offer(const Descriptor &heuristic, int64_t wanted, int64_t *count, void *values) {
  *count = std::min<int64_t>(wanted, 2);
  for (int64_t i = 0; i < *count; ++i) {
    // The engine knows its graph.
    Descriptor *config = static_cast<Descriptor **>(values)[i];
    config->attributes[1300] = heuristic.attributes.at(201);
    config->attributes[kIsRounding] = {static_cast<char>(i == 0)};
    config->isFinal = true;
  }
  return 0;
}

API int cudnnBackendGetAttribute(void *descriptor, int attribute, int, int64_t wanted,
                                 int64_t *count, void *values) {
  auto &from = *static_cast<Descriptor *>(descriptor);
  if (!from.isFinal || wanted < 1)
    return fail(kBadParam, "an attribute of what is not finalized");
  *count = 1;
  switch (attribute) {
  case 202:
    return offer(from, wanted, count, values);
  case 300: {
    Descriptor *engine = *static_cast<Descriptor **>(values);
    engine->attributes[kIsRounding] = from.attributes[kIsRounding];
    engine->isFinal = true;
    return 0;
  }
  case 402:
    *static_cast<int64_t *>(values) = 64;
    return 0;
  case 1303: // A tensor core's, or none.
    *count = from.one<char>(kIsRounding);
    *static_cast<int *>(values) = 0;
    return 0;
  default:
    return fail(kBadParam, "an attribute that cannot be read");
  }
}
API int cudnnBackendExecute(void *handle, void *plan, void *pack) {
  const auto &how = *static_cast<Descriptor *>(plan), &what = *static_cast<Descriptor *>(pack);
  auto ids = what.list<int64_t>(1000);
  auto pointers = what.list<char *>(1001);
  if (!handle || !how.isFinal || !what.isFinal || ids.size() != pointers.size() ||
      !what.one<char *>(1003))
    return fail(kBadParam, "a pack without pointers or workspace");
  std::map<int64_t, char *> given;
  for (size_t i = 0; i < ids.size(); ++i)
    given[ids[i]] = pointers[i];
  const Descriptor *config = how.part(401);
  std::unique_ptr<FakeWork> work =
      FakeWork::create(*config->part(1300), given, config->one<char>(kIsRounding) != 0, lastError);
  if (!work)
    return kBadParam;
  using Enqueue = int(void *, int (*)(void *), void (*)(void *), void *);
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto *enqueue = reinterpret_cast<Enqueue *>(dlsym(driver, "fake_enqueue"));
  return enqueue(
      currentStream, [](void *data) { return static_cast<FakeWork *>(data)->run(); },
      [](void *data) { delete static_cast<FakeWork *>(data); }, work.release());
}
