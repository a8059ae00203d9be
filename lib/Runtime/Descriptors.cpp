#include "Descriptors.h"

#include "forge/Support/TensorBytes.h"
#include "forge/Support/Trace.h"

#include <chrono>

using namespace forge;
using namespace forge::rt;

bool rt::isFolded(DType type) { return bitWidth(type) < 8 && type != DType::I1; }

void rt::foldSmall(HostTensor &tensor, bool toCode) {
  if (!isFolded(tensor.type()))
    return;
  bool extends = !toCode && isSignedInteger(tensor.type());
  unsigned unused = 8 - bitWidth(tensor.type());
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    auto high = static_cast<uint8_t>(tensor.dataAs<uint8_t>()[i] << unused);
    int value = extends ? static_cast<int8_t>(high) >> unused : high >> unused;
    tensor.dataAs<uint8_t>()[i] = static_cast<uint8_t>(value);
  }
}

std::vector<int64_t> rt::describe(const std::vector<int64_t> &dims, const void *data) {
  size_t rank = dims.size();
  std::vector<int64_t> words(MemRef::descriptorWords(static_cast<int64_t>(rank)));
  words[0] = words[1] = reinterpret_cast<int64_t>(data);
  int64_t stride = 1;
  for (size_t dim = rank; dim-- > 0;) {
    words[3 + dim] = dims[dim];
    words[3 + rank + dim] = stride;
    stride *= dims[dim];
  }
  return words;
}

/// Copies the elements of a memref on the device into a dense tensor.
static Result<void> fetch(DeviceContext &device, MemRef source, HostTensor &tensor) {
  size_t width = byteWidth(tensor.type());
  if (tensor.numElements() == 0)
    return {};
  Stream &stream = device.stream();
  if (source.isContiguous()) {
    Result<void> done = stream.copyToHost(tensor.data(), source.base(width), tensor.numBytes());
    return done ? device.synchronize() : done;
  }
  // 1. All between the first and the last byte the memref reaches.
  int64_t low = 0, high = 0;
  for (int64_t dim = 0; dim < source.rank(); ++dim) {
    int64_t reach = (source.size(dim) - 1) * source.stride(dim);
    (reach < 0 ? low : high) += reach;
  }
  std::vector<char> span(static_cast<size_t>(high - low + 1) * width);
  char *first = source.base(width) + low * static_cast<int64_t>(width);
  if (Result<void> done = stream.copyToHost(span.data(), first, span.size()); !done)
    return done;
  if (Result<void> done = device.synchronize(); !done)
    return done;
  // 2. The same memref over the host's copy.
  std::vector<int64_t> from = describe(tensor.dims(), span.data()),
                       to = describe(tensor.dims(), tensor.data());
  from[2] = -low;
  for (int64_t dim = 0; dim < source.rank(); ++dim)
    from[static_cast<size_t>(3 + source.rank() + dim)] = source.stride(dim);
  copyElements(width, MemRef(source.rank(), from.data()), MemRef(source.rank(), to.data()));
  return {};
}

size_t rt::resultWords(const FunctionSignature &signature) {
  size_t words = 0;
  for (const TensorSpec &spec : signature.results)
    words += MemRef::descriptorWords(static_cast<int64_t>(spec.dims.size()));
  return words;
}

Result<HostTensor> rt::takeResult(DeviceContext *device, const TensorSpec &spec, MemRef source) {
  Result<HostTensor> tensor = HostTensor::createUnset(spec.type, source.sizes());
  if (!tensor)
    return tensor;
  if (device) {
    if (Result<void> done = fetch(*device, source, *tensor); !done)
      return done.error();
  } else {
    std::vector<int64_t> target = describe(tensor->dims(), tensor->data());
    copyElements(byteWidth(spec.type), source, MemRef(source.rank(), target.data()));
  }
  foldSmall(*tensor, /*toCode=*/false);
  return tensor;
}

Result<double> rt::runTimed(Context &context, Context::Entry entry, void **args) {
  DeviceContext *device = context.device();
  if (device)
    if (Result<void> done = device->synchronize(); !done)
      return done.error();
  TraceScope scope("run", "compiled code");
  auto start = std::chrono::steady_clock::now();
  Result<void> done = context.run(entry, args);
  if (device) {
    Result<void> ended = device->endRun();
    // What failed first is told first; both, since the second may be its cause.
    if (!done && !ended)
      return Error{done.error().message + "; " + ended.error().message};
    if (done)
      done = ended;
  }
  std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  if (!done)
    return done.error();
  return taken.count();
}
