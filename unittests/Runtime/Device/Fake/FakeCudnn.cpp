// cuDNN's backend API over the fake devices: attention in double, for graphs of the one form that
// the real library knows as such. What that refuses is refused: parts that are not finalized, a
// tensor without sizes, operations out of order, a plan without a handle.
#include "forge/Support/SmallFloat.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace forge;

#define API extern "C" __attribute__((visibility("default")))

namespace {
constexpr int kBadParam = 2000, kNotSupported = 3000;
std::string lastError;
void *currentStream = nullptr;
int fail(int status, const char *why) {
  lastError = why;
  return status;
}

/// Of any kind: attributes as the bytes that were set.
struct Descriptor {
  int type = 0;
  bool isFinal = false;
  std::map<int, std::vector<char>> attributes;

  template <typename Value> std::vector<Value> list(int attribute) const {
    auto found = attributes.find(attribute);
    if (found == attributes.end())
      return {};
    std::vector<Value> values(found->second.size() / sizeof(Value));
    std::memcpy(values.data(), found->second.data(), found->second.size());
    return values;
  }
  template <typename Value> Value one(int attribute) const {
    Value value{};
    if (auto found = attributes.find(attribute); found != attributes.end())
      std::memcpy(&value, found->second.data(), sizeof value);
    return value;
  }
  const Descriptor *part(int attribute) const { return one<Descriptor *>(attribute); }
};

/// Bytes of a value of each attribute type that is used here.
size_t bytesOf(int type) {
  static const std::map<int, size_t> sizes = {{0, 8}, {1, 4},  {2, 1},  {3, 8}, {6, 8},
                                              {8, 4}, {14, 4}, {15, 8}, {18, 4}};
  auto found = sizes.find(type);
  return found == sizes.end() ? 0 : found->second;
}

enum : int { kPointwiseOp = 13, kGraph = 15, kPack = 16, kTensor = 17, kMatmulOp = 19 };

/// A tensor that has memory: sizes and strides of four dimensions.
struct View {
  int type = 0;
  std::vector<int64_t> sizes, strides;
  char *data = nullptr;

  char *at(int64_t b, int64_t h, int64_t r, int64_t c) const {
    return data + 2 * (b * strides[0] + h * strides[1] + r * strides[2] + c * strides[3]);
  }
  double load(int64_t b, int64_t h, int64_t r, int64_t c) const {
    uint16_t bits;
    std::memcpy(&bits, at(b, h, r, c), 2);
    return decodeFloat(type == 2 ? DType::F16 : DType::BF16, bits);
  }
  void store(int64_t b, int64_t h, int64_t r, int64_t c, double value) const {
    auto bits = static_cast<uint16_t>(encodeFloat(type == 2 ? DType::F16 : DType::BF16, value));
    std::memcpy(at(b, h, r, c), &bits, 2);
  }
};

struct Attention {
  View query, key, value, out;
  double scale = 1;
  bool causal = false;

  int run() const {
    int64_t group = query.sizes[1] / key.sizes[1], keys = key.sizes[3];
    for (int64_t b = 0; b < query.sizes[0]; ++b)
      for (int64_t h = 0; h < query.sizes[1]; ++h)
        for (int64_t r = 0; r < query.sizes[2]; ++r)
          runRow(b, h, h / group, r, causal ? std::min(keys, r + 1) : keys);
    return 0;
  }

private:
  void runRow(int64_t b, int64_t h, int64_t keyHead, int64_t r, int64_t seen) const {
    std::vector<double> weights;
    double largest = -INFINITY, sum = 0;
    for (int64_t t = 0; t < seen; ++t) {
      double score = 0;
      for (int64_t d = 0; d < query.sizes[3]; ++d)
        score += query.load(b, h, r, d) * key.load(b, keyHead, d, t);
      weights.push_back(scale * score);
      largest = std::max(largest, weights.back());
    }
    for (double &weight : weights)
      sum += weight = std::exp(weight - largest);
    for (int64_t c = 0; c < value.sizes[3]; ++c) {
      double total = 0;
      for (int64_t t = 0; t < seen; ++t)
        total += weights[static_cast<size_t>(t)] * value.load(b, keyHead, t, c);
      out.store(b, h, r, c, total / sum);
    }
  }
};

/// The operations' kinds in order; of elementwise ones their modes.
std::string formOf(const Descriptor &graph) {
  std::string form;
  for (const Descriptor *op : graph.list<Descriptor *>(801)) {
    const Descriptor *how = op->type == kPointwiseOp ? op->part(750) : nullptr;
    form += op->type == kMatmulOp ? "product "
            : how                 ? std::to_string(how->one<int>(0)) + " "
                                  : "reduce" + std::to_string(op->part(1612)->one<int>(1600)) + " ";
  }
  return form;
}
constexpr const char *kPlain = "product 1 reduce3 9 13 reduce0 15 0 6 product ";
constexpr const char *kCausal = "product 1 501 501 303 601 reduce3 9 13 reduce0 15 0 6 product ";

/// By the numbers that tensors with memory have; the fourth is a result.
std::map<int64_t, View> tensorsOf(const Descriptor &graph) {
  std::map<int64_t, View> views;
  for (const Descriptor *op : graph.list<Descriptor *>(801))
    for (int attribute : {751, 752, 1520, 1521, 1522})
      if (const Descriptor *tensor = op->part(attribute); tensor && !tensor->one<bool>(907))
        views[tensor->one<int64_t>(906)] = {tensor->one<int>(901), tensor->list<int64_t>(902),
                                            tensor->list<int64_t>(903)};
  return views;
}

int finalizeTensor(const Descriptor &tensor) {
  auto sizes = tensor.list<int64_t>(902), strides = tensor.list<int64_t>(903);
  for (int64_t size : sizes)
    if (size < 1)
      return fail(kBadParam, "size < 1");
  for (int64_t stride : strides)
    if (stride < 0)
      return fail(kBadParam, "stride < 0");
  bool isWhole = sizes.size() == 4 && strides.size() == 4 && tensor.attributes.count(901) &&
                 tensor.attributes.count(906);
  return isWhole ? 0 : fail(kBadParam, "a tensor without sizes, strides, type or number");
}

/// What the stand-in does not take: depths that are no multiples of 8. (cuDNN takes 512 on an
/// H100.)
int finalizeConfig(const Descriptor &graph) {
  std::map<int64_t, View> views = tensorsOf(graph);
  std::string form = formOf(graph);
  if (form != kPlain && form != kCausal)
    return fail(kNotSupported, "no attention");
  return views[1].sizes[3] % 8 != 0 ? fail(kNotSupported, "head_dim % 8") : 0;
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
    status = what.part(201) && what.part(201)->one<void *>(800) && what.one<int>(200) == 3
                 ? 0
                 : fail(kBadParam, "a heuristic without a graph of a handle, or of another mode");
  else if (what.type == 5)
    status = what.one<void *>(400) && what.part(401)
                 ? finalizeConfig(*what.part(401)->part(1300))
                 : fail(kBadParam, "a plan without a handle or an engine");
  what.isFinal = status == 0;
  return status;
}
API int cudnnBackendGetAttribute(void *descriptor, int attribute, int, int64_t wanted,
                                 int64_t *count, void *values) {
  auto &from = *static_cast<Descriptor *>(descriptor);
  if (!from.isFinal || wanted < 1)
    return fail(kBadParam, "an attribute of what is not finalized");
  *count = 1;
  if (attribute == 402) {
    *static_cast<int64_t *>(values) = 64;
    return 0;
  }
  if (attribute != 202)
    return fail(kBadParam, "an attribute that cannot be read");
  // The engine knows its graph.
  Descriptor *config = *static_cast<Descriptor **>(values);
  config->attributes[1300] = from.attributes[201];
  config->isFinal = true;
  return 0;
}
API int cudnnBackendExecute(void *handle, void *plan, void *pack) {
  const auto &how = *static_cast<Descriptor *>(plan), &what = *static_cast<Descriptor *>(pack);
  auto ids = what.list<int64_t>(1000);
  auto pointers = what.list<char *>(1001);
  if (!handle || !how.isFinal || !what.isFinal || ids.size() != pointers.size() ||
      !what.one<char *>(1003))
    return fail(kBadParam, "a pack without pointers or workspace");
  const Descriptor &graph = *how.part(401)->part(1300);
  std::map<int64_t, View> views = tensorsOf(graph);
  auto work = std::make_unique<Attention>();
  work->causal = formOf(graph) == kCausal;
  std::set<int64_t> missing;
  for (const auto &[id, view] : views)
    missing.insert(id);
  for (size_t i = 0; i < ids.size(); ++i) {
    missing.erase(ids[i]);
    views[ids[i]].data = pointers[i];
  }
  if (!missing.empty())
    return fail(kBadParam, "a tensor without a pointer");
  work->query = views[1];
  work->key = views[2];
  work->value = views[3];
  work->out = views[4];
  float scale;
  std::memcpy(&scale, views[5].data, sizeof scale);
  work->scale = static_cast<double>(scale);
  using Enqueue = int(void *, int (*)(void *), void (*)(void *), void *);
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto *enqueue = reinterpret_cast<Enqueue *>(dlsym(driver, "fake_enqueue"));
  return enqueue(
      currentStream, [](void *data) { return static_cast<Attention *>(data)->run(); },
      [](void *data) { delete static_cast<Attention *>(data); }, work.release());
}
