#include "forge/Runtime/Resident.h"
#include "forge/Support/KeptResults.h"

#include "Descriptors.h"

using namespace forge;
using namespace forge::rt;

Result<Resident> Resident::create(Context &context, HostTensor tensor) {
  Resident made;
  made.type = {tensor.type(), tensor.dims()};
  if (!context.device()) {
    foldSmall(tensor, /*toCode=*/true);
    made.host = std::move(tensor);
    made.data = made.host.data();
    return made;
  }
  if (Result<void> ready = context.device()->beginRun(); !ready)
    return ready.error();
  Result<Resident> memory = allocate(context, tensor.type(), tensor.dims());
  if (!memory)
    return memory;
  if (Result<void> written = memory->write(context, std::move(tensor)); !written)
    return written.error();
  return memory;
}

Result<Resident> Resident::create(Context &context, const TensorSource &source) {
  DType type = source.spec.type;
  if (!context.device() || isFolded(type)) {
    Result<HostTensor> tensor = source.tensor();
    return tensor ? create(context, std::move(*tensor)) : tensor.error();
  }
  if (Result<void> ready = context.device()->beginRun(); !ready)
    return ready.error();
  Result<Resident> made = allocate(context, type, source.spec.dims);
  if (!made || !made->data)
    return made;
  Result<void> copied = context.device()->upload(made->data, source);
  return copied ? std::move(made) : Result<Resident>(copied.error());
}

Result<Resident> Resident::allocate(Context &context, DType type, std::vector<int64_t> dims) {
  Resident made;
  size_t bytes = byteWidth(type);
  for (int64_t size : dims)
    bytes *= static_cast<size_t>(size);
  made.type = {type, std::move(dims)};
  const std::shared_ptr<DevicePool> &pool = context.device()->pool();
  // Not from the arena, which each run takes back.
  Result<void *> memory = pool->allocate(bytes);
  if (!memory)
    return memory.error();
  made.data = *memory;
  made.pool = pool;
  made.generation = pool->device().generation();
  return made;
}

Result<HostTensor> Resident::read(Context &context) const {
  if (!pool) {
    HostTensor tensor = host;
    foldSmall(tensor, /*toCode=*/false);
    return tensor;
  }
  if (isLost())
    return Error{"the device was lost, and the tensor with it"};
  std::vector<int64_t> words = rt::describe(type.dims, data);
  return takeResult(context.device(), type,
                    MemRef(static_cast<int64_t>(type.dims.size()), words.data()));
}

Result<Resident> Resident::copy(Context &context) const {
  if (!pool) {
    Resident made;
    made.type = type;
    made.host = host;
    made.data = made.host.data();
    return made;
  }
  if (isLost())
    return Error{"the device was lost, and the tensor with it"};
  Result<Resident> made = allocate(context, type.type, type.dims);
  if (!made || !data)
    return made;
  size_t bytes = byteWidth(type.type);
  for (int64_t size : type.dims)
    bytes *= static_cast<size_t>(size);
  DeviceContext &on = *context.device();
  Result<void> copied = on.stream().copyOnDevice(made->data, data, bytes);
  if (copied)
    copied = on.synchronize();
  if (!copied)
    return copied.error();
  return made;
}

Resident::Resident(Resident &&other) noexcept
    : type(std::move(other.type)), data(std::exchange(other.data, nullptr)),
      host(std::move(other.host)), pool(std::move(other.pool)), generation(other.generation) {}

Resident &Resident::operator=(Resident &&other) noexcept {
  std::swap(type, other.type);
  std::swap(data, other.data);
  std::swap(host, other.host);
  std::swap(pool, other.pool);
  std::swap(generation, other.generation);
  return *this;
}

Resident::~Resident() {
  // Nothing of it is in flight: what uses it has waited.
  if (pool && !isLost())
    pool->release(data);
}

bool Resident::isLost() const {
  return pool && (pool->device().isLost() || pool->device().generation() != generation);
}

Result<void> Resident::write(Context &context, HostTensor tensor) {
  if (tensor.type() != type.type || tensor.dims() != type.dims)
    return Error{"expected " + typeString(type) + ", but got " + typeString(tensor)};
  if (tensor.numBytes() == 0)
    return {};
  if (isLost())
    return Error{"the device was lost, and the tensor with it"};
  foldSmall(tensor, /*toCode=*/true);
  if (!pool) {
    host = std::move(tensor);
    data = host.data();
    return {};
  }
  Result<void> copied =
      context.device()->stream().copyToDevice(data, tensor.data(), tensor.numBytes());
  return copied ? context.device()->synchronize() : copied;
}

namespace forge::rt {
/// What a call needs of its tensors.
struct ResidentCall {
  static std::vector<int64_t> describe(const Resident &tensor) {
    return rt::describe(tensor.type.dims, tensor.data);
  }
  /// Whether the elements of a result are already the tensor's.
  static bool isIn(const Resident &tensor, MemRef result) {
    return result.isContiguous() && result.base(byteWidth(tensor.type.type)) == tensor.data &&
           result.sizes() == tensor.type.dims;
  }
  /// A result of a run, copied to memory of its own on the device; the copy may be in flight.
  static Result<Resident> take(Context &context, const TensorSpec &spec, MemRef result) {
    DeviceContext *device = context.device();
    size_t width = byteWidth(spec.type);
    if (!device) {
      Result<HostTensor> tensor = takeResult(device, spec, result);
      return tensor ? Resident::create(context, std::move(*tensor)) : tensor.error();
    }
    Result<Resident> made = Resident::allocate(context, spec.type, result.sizes());
    if (!made || !made->data)
      return made;
    if (!result.isContiguous()) {
      Result<HostTensor> tensor = takeResult(device, spec, result);
      Result<void> written =
          tensor ? made->write(context, std::move(*tensor)) : Result<void>(tensor.error());
      return written ? std::move(made) : Result<Resident>(written.error());
    }
    size_t bytes = width * static_cast<size_t>(result.numElements());
    Result<void> copied = device->stream().copyOnDevice(made->data, result.base(width), bytes);
    return copied ? std::move(made) : Result<Resident>(copied.error());
  }
  static bool isLost(const Resident &tensor) { return tensor.isLost(); }
};
} // namespace forge::rt

static Result<void> checkArguments(const FunctionSignature &signature,
                                   std::span<Resident *const> arguments) {
  if (arguments.size() != signature.arguments.size())
    return Error{"expected " + std::to_string(signature.arguments.size()) + " inputs, but got " +
                 std::to_string(arguments.size())};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TensorSpec &wanted = signature.arguments[i], &given = arguments[i]->spec();
    bool fits = wanted.type == given.type && wanted.dims.size() == given.dims.size();
    for (size_t dim = 0; fits && dim < wanted.dims.size(); ++dim)
      fits = wanted.dims[dim] == TensorSpec::dynamic || wanted.dims[dim] == given.dims[dim];
    if (!fits)
      return Error{"argument " + std::to_string(i) + ": expected " + typeString(wanted) +
                   ", but got " + typeString(given)};
    if (ResidentCall::isLost(*arguments[i]))
      return Error{"the device was lost, and the inputs with it"};
  }
  return {};
}

/// Runs on checked arguments; the results are described in `results`. Milliseconds.
static Result<double> call(Context &context, Context::Entry entry,
                           const FunctionSignature &signature, std::span<Resident *const> arguments,
                           std::vector<int64_t> &results) {
  if (Result<void> fit = checkArguments(signature, arguments); !fit)
    return fit.error();
  if (DeviceContext *device = context.device())
    if (Result<void> ready = device->beginRun(); !ready)
      return ready.error();
  results.resize(resultWords(signature));
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> args{results.data()};
  for (const Resident *tensor : arguments) {
    descriptors.push_back(ResidentCall::describe(*tensor));
    args.push_back(descriptors.back().data());
  }
  return runTimed(context, entry, args.data());
}

Result<Invocation> forge::rt::invoke(Context &context, Context::Entry entry,
                                     const FunctionSignature &signature,
                                     std::span<Resident *const> arguments,
                                     std::span<const std::optional<size_t>> kept) {
  DeviceContext *device = context.device();
  std::vector<int64_t> results;
  Result<double> ms = call(context, entry, signature, arguments, results);
  if (!ms)
    return ms.error();
  // All are taken before one is written: a result may be in the memory of another's argument.
  Invocation done{{}, *ms};
  std::vector<std::pair<Resident *, HostTensor>> moved;
  int64_t *words = results.data();
  for (size_t i = 0; i < signature.results.size(); ++i) {
    const TensorSpec &spec = signature.results[i];
    MemRef result(static_cast<int64_t>(spec.dims.size()), words);
    words += MemRef::descriptorWords(result.rank());
    // Its memory is free again when the next run begins.
    if (i < kept.size() && kept[i] == kDroppedResult)
      continue;
    Resident *target = i < kept.size() && kept[i] ? arguments[*kept[i]] : nullptr;
    if (target && ResidentCall::isIn(*target, result))
      continue;
    Result<HostTensor> tensor = takeResult(device, spec, result);
    if (!tensor)
      return tensor.error();
    if (target)
      moved.emplace_back(target, std::move(*tensor));
    else
      done.results.push_back(std::move(*tensor));
  }
  for (auto &[target, tensor] : moved)
    if (Result<void> written = target->write(context, std::move(tensor)); !written)
      return written.error();
  return done;
}

Result<std::vector<Resident>> forge::rt::invokeKept(Context &context, Context::Entry entry,
                                                    const FunctionSignature &signature,
                                                    std::span<Resident *const> arguments) {
  std::vector<int64_t> described;
  if (Result<double> ms = call(context, entry, signature, arguments, described); !ms)
    return ms.error();
  std::vector<Resident> results;
  int64_t *words = described.data();
  for (const TensorSpec &spec : signature.results) {
    MemRef result(static_cast<int64_t>(spec.dims.size()), words);
    words += MemRef::descriptorWords(result.rank());
    Result<Resident> tensor = ResidentCall::take(context, spec, result);
    if (!tensor) {
      if (DeviceContext *device = context.device())
        (void)device->synchronize(); // copies to the results before it may be in flight
      return tensor.error();
    }
    results.push_back(std::move(*tensor));
  }
  // The next run gives the results' own memory back.
  if (DeviceContext *device = context.device())
    if (Result<void> done = device->synchronize(); !done)
      return done.error();
  return results;
}
