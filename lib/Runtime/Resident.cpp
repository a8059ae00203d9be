#include "forge/Runtime/Resident.h"

#include "Descriptors.h"

using namespace forge;
using namespace forge::rt;

Result<Resident> Resident::create(Context &context, HostTensor tensor) {
  Resident made;
  made.type = {tensor.type(), tensor.dims()};
  if (!context.device()) {
    foldFourBits(tensor, /*toCode=*/true);
    made.host = std::move(tensor);
    made.data = made.host.data();
    return made;
  }
  std::shared_ptr<Device> device = context.device()->sharedDevice();
  if (Result<void> ready = context.device()->beginRun(); !ready)
    return ready.error();
  // Not from the arena, which each run takes back.
  Result<void *> memory = device->allocate(tensor.numBytes());
  if (!memory)
    return memory.error();
  made.data = *memory;
  made.generation = device->generation();
  made.device = std::move(device);
  if (Result<void> written = made.write(context, std::move(tensor)); !written)
    return written.error();
  return made;
}

Resident::Resident(Resident &&other) noexcept
    : type(std::move(other.type)), data(std::exchange(other.data, nullptr)),
      host(std::move(other.host)), device(std::move(other.device)), generation(other.generation) {}

Resident &Resident::operator=(Resident &&other) noexcept {
  std::swap(type, other.type);
  std::swap(data, other.data);
  std::swap(host, other.host);
  std::swap(device, other.device);
  std::swap(generation, other.generation);
  return *this;
}

Resident::~Resident() {
  if (!device || device->isLost() || device->generation() != generation)
    return;
  (void)device->synchronize();
  (void)device->release(data);
}

Result<void> Resident::write(Context &context, HostTensor tensor) {
  if (tensor.type() != type.type || tensor.dims() != type.dims)
    return Error{"expected " + typeString(type) + ", but got " + typeString(tensor)};
  if (tensor.numBytes() == 0)
    return {};
  foldFourBits(tensor, /*toCode=*/true);
  if (!device) {
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
  static bool isLost(const Resident &tensor) {
    return tensor.device &&
           (tensor.device->isLost() || tensor.device->generation() != tensor.generation);
  }
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

Result<Invocation> forge::rt::invoke(Context &context, Context::Entry entry,
                                     const FunctionSignature &signature,
                                     std::span<Resident *const> arguments,
                                     std::span<const std::optional<size_t>> kept) {
  if (Result<void> fit = checkArguments(signature, arguments); !fit)
    return fit.error();
  DeviceContext *device = context.device();
  if (device)
    if (Result<void> ready = device->beginRun(); !ready)
      return ready.error();
  std::vector<int64_t> results(resultWords(signature));
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> args{results.data()};
  for (const Resident *tensor : arguments) {
    descriptors.push_back(ResidentCall::describe(*tensor));
    args.push_back(descriptors.back().data());
  }
  Result<double> ms = runTimed(context, entry, args.data());
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
