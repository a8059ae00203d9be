#include "forge/Runtime/PendingRun.h"
#include "forge/Support/KeptResults.h"

#include "Descriptors.h"

#include <cstring>
#include <functional>

using namespace forge;
using namespace forge::rt;

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

namespace {
/// A call as a packed entry takes it.
struct Frame {
  /// Descriptors of the results, one behind the other, and of the arguments.
  std::vector<int64_t> results;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> args;
};
} // namespace

/// A run behind those of other contexts on the same tensors.
static Result<void> beginInOrder(DeviceContext &device) {
  Result<void> ready = device.beginRun();
  return ready ? device.pool()->order().follow(device.stream()) : ready;
}

/// Checks the arguments and describes them.
static Result<Frame> prepare(Context &context, const FunctionSignature &signature,
                             std::span<Resident *const> arguments) {
  if (Result<void> fit = checkArguments(signature, arguments); !fit)
    return fit.error();
  if (DeviceContext *device = context.device())
    if (Result<void> ready = beginInOrder(*device); !ready)
      return ready.error();
  Frame frame;
  frame.results.resize(resultWords(signature));
  frame.args.push_back(frame.results.data());
  for (const Resident *tensor : arguments) {
    frame.descriptors.push_back(ResidentCall::describe(*tensor));
    frame.args.push_back(frame.descriptors.back().data());
  }
  return frame;
}

namespace {
/// What becomes of a result.
struct ResultUse {
  const TensorSpec *spec;
  MemRef result;
  /// The tensor that it becomes, whose memory it is not in yet.
  Resident *target = nullptr;
  bool isGiven = false;

  /// Of a contiguous one.
  void *address() const { return result.base(byteWidth(spec->type)); }
  size_t numBytes() const {
    return byteWidth(spec->type) * static_cast<size_t>(result.numElements());
  }
};
} // namespace

/// Of results that are wanted and not where they belong.
static std::vector<ResultUse> usesOf(const FunctionSignature &signature,
                                     std::span<Resident *const> arguments,
                                     std::span<const std::optional<size_t>> kept, int64_t *words) {
  std::vector<ResultUse> uses;
  for (size_t i = 0; i < signature.results.size(); ++i) {
    const TensorSpec &spec = signature.results[i];
    MemRef result(static_cast<int64_t>(spec.dims.size()), words);
    words += MemRef::descriptorWords(result.rank());
    std::optional<size_t> number = i < kept.size() ? kept[i] : std::nullopt;
    // Its memory is free again when the next run begins.
    if (number == kDroppedResult)
      continue;
    ResultUse use{&spec, result, nullptr, !number || (*number & kAlsoGiven) != 0};
    if (number)
      use.target = arguments[*number & ~kAlsoGiven];
    if (use.target && ResidentCall::isIn(*use.target, result))
      use.target = nullptr;
    if (use.target || use.isGiven)
      uses.push_back(use);
  }
  return uses;
}

/// Takes the results of a run that has ended.
static Result<std::vector<HostTensor>> take(Context &context, std::span<const ResultUse> uses) {
  // All are taken before one is written: a result may be in the memory of another's argument.
  std::vector<HostTensor> given;
  std::vector<std::pair<Resident *, HostTensor>> moved;
  for (const ResultUse &use : uses) {
    Result<HostTensor> tensor = takeResult(context.device(), *use.spec, use.result);
    if (!tensor)
      return tensor.error();
    if (use.isGiven)
      given.push_back(use.target ? *tensor : std::move(*tensor));
    if (use.target)
      moved.emplace_back(use.target, std::move(*tensor));
  }
  for (auto &[target, tensor] : moved)
    if (Result<void> written = target->write(context, std::move(tensor)); !written)
      return written.error();
  return given;
}

Result<Invocation> forge::rt::invoke(Context &context, Context::Entry entry,
                                     const FunctionSignature &signature,
                                     std::span<Resident *const> arguments,
                                     std::span<const std::optional<size_t>> kept) {
  Result<Frame> frame = prepare(context, signature, arguments);
  Result<double> ms = frame ? runTimed(context, entry, frame->args.data()) : frame.error();
  if (!ms)
    return ms.error();
  std::vector<ResultUse> uses = usesOf(signature, arguments, kept, frame->results.data());
  Result<std::vector<HostTensor>> given = take(context, uses);
  if (!given)
    return given.error();
  return Invocation{std::move(*given), *ms};
}

//===----------------------------------------------------------------------===//
// Runs that are under way

PendingRun::PendingRun(std::vector<HostTensor> results) : results(std::move(results)) {}
PendingRun::PendingRun(PendingRun &&) noexcept = default;

PendingRun::~PendingRun() {
  if (landing)
    (void)landing->reached().synchronize();
}

Result<std::vector<HostTensor>> PendingRun::finish() {
  if (!landing)
    return std::move(results);
  Landing &at = *landing;
  if (Result<void> done = at.reached().synchronize(); !done) {
    // The stream knows what was launched.
    Result<void> told = device->synchronize();
    landing.reset();
    return told ? done.error() : told.error();
  }
  size_t offset = 0;
  for (HostTensor &tensor : results) {
    if (tensor.numBytes() > 0)
      std::memcpy(tensor.data(), at.memory() + offset, tensor.numBytes());
    offset += tensor.numBytes();
  }
  device->landings().giveBack(std::move(landing));
  return std::move(results);
}

static bool overlap(const void *a, size_t aBytes, const void *b, size_t bBytes) {
  std::less<const char *> isBefore;
  const char *x = static_cast<const char *>(a), *y = static_cast<const char *>(b);
  return isBefore(x, y + bBytes) && isBefore(y, x + aBytes);
}

/// Whether results can be copied to where they belong one by one: none is in the memory of an
/// argument that another becomes.
static bool canBeCopiedBehind(std::span<const ResultUse> uses) {
  for (const ResultUse &use : uses) {
    if (!use.result.isContiguous() || isFolded(use.spec->type))
      return false;
    for (const ResultUse &other : uses)
      if (&other != &use && other.target &&
          overlap(use.address(), use.numBytes(), other.target->address(), other.numBytes()))
        return false;
  }
  return true;
}

Result<PendingRun> forge::rt::begin(Context &context, Context::Entry entry,
                                    const FunctionSignature &signature,
                                    std::span<Resident *const> arguments,
                                    std::span<const std::optional<size_t>> kept) {
  DeviceContext *device = context.device();
  if (!device || device->isTimed()) {
    Result<Invocation> done = invoke(context, entry, signature, arguments, kept);
    return done ? Result<PendingRun>(PendingRun(std::move(done->results))) : done.error();
  }
  Result<Frame> frame = prepare(context, signature, arguments);
  if (!frame)
    return frame.error();
  if (Result<void> issued = context.run(entry, frame->args.data()); !issued) {
    Result<void> ended = device->endRun();
    return ended ? issued.error() : Error{issued.error().message + "; " + ended.error().message};
  }
  std::vector<ResultUse> uses = usesOf(signature, arguments, kept, frame->results.data());
  if (!canBeCopiedBehind(uses)) {
    Result<void> ended = device->endRun();
    Result<std::vector<HostTensor>> given =
        ended ? take(context, uses) : Result<std::vector<HostTensor>>(ended.error());
    return given ? Result<PendingRun>(PendingRun(std::move(*given))) : given.error();
  }
  std::vector<HostTensor> given;
  size_t bytes = 0;
  for (const ResultUse &use : uses) {
    if (!use.isGiven)
      continue;
    Result<HostTensor> tensor = HostTensor::createUnset(use.spec->type, use.result.sizes());
    if (!tensor)
      return tensor.error();
    bytes += tensor->numBytes();
    given.push_back(std::move(*tensor));
  }
  Result<std::unique_ptr<Landing>> landing = device->landings().take(device->device(), bytes);
  if (!landing)
    return landing.error();
  Stream &stream = device->stream();
  size_t offset = 0;
  Result<void> copied;
  for (const ResultUse &use : uses) {
    size_t size = use.numBytes();
    if (copied && use.isGiven && size > 0) {
      copied = stream.copyToHost((*landing)->memory() + offset, use.address(), size);
      offset += size;
    }
    if (copied && use.target && size > 0)
      copied = stream.copyOnDevice(use.target->address(), use.address(), size);
  }
  if (copied)
    copied = stream.record((*landing)->reached());
  if (!copied)
    return copied.error();
  device->pool()->order().begun(stream, (*landing)->sharedEvent());
  return PendingRun(*device, std::move(*landing), std::move(given));
}

Result<std::vector<Resident>> forge::rt::invokeKept(Context &context, Context::Entry entry,
                                                    const FunctionSignature &signature,
                                                    std::span<Resident *const> arguments) {
  Result<Frame> frame = prepare(context, signature, arguments);
  Result<double> ms = frame ? runTimed(context, entry, frame->args.data()) : frame.error();
  if (!ms)
    return ms.error();
  std::vector<Resident> results;
  int64_t *words = frame->results.data();
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
