#include "forge/Runtime/Invoke.h"

#include "Descriptors.h"

#include "forge/Runtime/RandomInputs.h"
#include "forge/Support/TensorBytes.h"

#include <algorithm>
#include <numeric>

using namespace forge;
using namespace forge::rt;

/// Where the elements of a tensor lie for compiled code: the tensor itself, or a copy on the
/// device.
static Result<void *> place(DeviceContext *device, HostTensor &tensor) {
  if (!device)
    return tensor.data();
  Result<void *> memory = device->allocate(tensor.numBytes());
  if (!memory || tensor.numBytes() == 0)
    return memory;
  Result<void> copied = device->stream().copyToDevice(*memory, tensor.data(), tensor.numBytes());
  return copied ? memory : Result<void *>(copied.error());
}

/// Copies the results, described one after the other in `words`, into tensors of their own.
static Result<std::vector<HostTensor>>
takeResults(DeviceContext *device, const FunctionSignature &signature, int64_t *words) {
  std::vector<HostTensor> results;
  for (const TensorSpec &spec : signature.results) {
    int64_t rank = static_cast<int64_t>(spec.dims.size());
    Result<HostTensor> tensor = takeResult(device, spec, MemRef(rank, words));
    if (!tensor)
      return tensor.error();
    results.push_back(std::move(*tensor));
    words += MemRef::descriptorWords(rank);
  }
  return results;
}

namespace {
/// Descriptors as a packed entry takes them: one block for all results, then one per argument.
struct CallFrame {
  std::vector<int64_t> resultBlock;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> args;
};
} // namespace

/// Checks the inputs and describes them where compiled code finds them.
static Result<CallFrame> prepareCall(DeviceContext *device, const FunctionSignature &signature,
                                     std::vector<HostTensor> &inputs) {
  if (Result<void> fit = checkInputs(signature, inputs); !fit)
    return fit.error();
  if (device)
    if (Result<void> ready = device->beginRun(); !ready)
      return ready.error();
  CallFrame frame;
  frame.resultBlock.resize(resultWords(signature));
  frame.args.push_back(frame.resultBlock.data());
  for (HostTensor &input : inputs) {
    foldSmall(input, /*toCode=*/true);
    Result<void *> data = place(device, input);
    if (!data)
      return data.error();
    frame.descriptors.push_back(describe(input.dims(), *data));
    frame.args.push_back(frame.descriptors.back().data());
  }
  return frame;
}

Result<Invocation> forge::rt::invoke(Context &context, Context::Entry entry,
                                     const FunctionSignature &signature,
                                     std::vector<HostTensor> inputs) {
  DeviceContext *device = context.device();
  Result<CallFrame> frame = prepareCall(device, signature, inputs);
  if (!frame)
    return frame.error();
  Result<double> ms = runTimed(context, entry, frame->args.data());
  if (!ms)
    return ms.error();
  // The results lie in the arena, or on the device.
  Result<std::vector<HostTensor>> results =
      takeResults(device, signature, frame->resultBlock.data());
  if (!results)
    return results.error();
  return Invocation{std::move(*results), *ms};
}

Result<double> forge::rt::timeCall(Context &context, Context::Entry entry,
                                   const FunctionSignature &signature,
                                   std::vector<HostTensor> &inputs) {
  Result<CallFrame> frame = prepareCall(context.device(), signature, inputs);
  if (!frame)
    return frame.error();
  Result<double> ms = runTimed(context, entry, frame->args.data());
  for (HostTensor &input : inputs)
    foldSmall(input, /*toCode=*/false);
  return ms;
}

Result<std::unique_ptr<LoadedCall>> LoadedCall::begin(Context &context,
                                                      const FunctionSignature &signature) {
  DeviceContext *device = context.device();
  if (device)
    if (Result<void> ready = device->beginRun(); !ready)
      return ready.error();
  std::unique_ptr<LoadedCall> call(new LoadedCall(context));
  call->resultBlock.resize(resultWords(signature));
  if (device)
    call->generation = device->device().generation();
  return call;
}

Result<void *> LoadedCall::allocate(size_t bytes) {
  // Not from the arena, which each run takes back.
  Result<void *> made = context.device()->device().allocate(bytes);
  if (made)
    memory.push_back(*made);
  return made;
}

/// Takes an input along, on the device if there is one.
Result<void> LoadedCall::add(HostTensor tensor) {
  foldSmall(tensor, /*toCode=*/true);
  tensors.push_back(std::move(tensor));
  const HostTensor &kept = tensors.back();
  void *data = tensors.back().data();
  DeviceContext *device = context.device();
  if (device && kept.numBytes() > 0) {
    Result<void *> made = allocate(kept.numBytes());
    if (!made)
      return made.error();
    data = *made;
    if (Result<void> done = device->stream().copyToDevice(data, kept.data(), kept.numBytes());
        !done)
      return done;
  }
  descriptors.push_back(describe(kept.dims(), data));
  return {};
}

Result<std::unique_ptr<LoadedCall>> LoadedCall::create(Context &context,
                                                       const FunctionSignature &signature,
                                                       std::vector<HostTensor> inputs) {
  if (Result<void> fit = checkInputs(signature, inputs); !fit)
    return fit.error();
  Result<std::unique_ptr<LoadedCall>> call = begin(context, signature);
  if (!call)
    return call;
  for (HostTensor &tensor : inputs)
    if (Result<void> done = (*call)->add(std::move(tensor)); !done)
      return done.error();
  return call;
}

static bool isOf(const TensorSpec &spec, const HostTensor &tensor) {
  return tensor.type() == spec.type &&
         std::equal(spec.dims.begin(), spec.dims.end(), tensor.dims().begin(), tensor.dims().end(),
                    [](int64_t wanted, int64_t size) {
                      return wanted == TensorSpec::dynamic || wanted == size;
                    });
}

/// Fails unless what is given fits, and all else has known sizes.
static Result<void> checkRandom(const FunctionSignature &signature,
                                const std::vector<std::optional<HostTensor>> &given) {
  if (given.size() != signature.arguments.size())
    return Error{"expected " + std::to_string(signature.arguments.size()) + " inputs, but got " +
                 std::to_string(given.size())};
  for (size_t i = 0; i < given.size(); ++i) {
    const TensorSpec &spec = signature.arguments[i];
    std::string what = "argument " + std::to_string(i) + ": ";
    if (!given[i] && !spec.hasStaticShape())
      return Error{what + "random inputs need known sizes, but @" + signature.name + " takes " +
                   typeString(spec)};
    if (!hasCountableBytes(spec.dims))
      return Error{what + "the size of " + typeString(spec) + " does not fit in 63 bits"};
    if (given[i] && !isOf(spec, *given[i]))
      return Error{what + "expected " + typeString(spec) + ", but got " + typeString(*given[i])};
  }
  return {};
}

Result<std::unique_ptr<LoadedCall>>
LoadedCall::createRandom(Context &context, const FunctionSignature &signature,
                         std::vector<std::optional<HostTensor>> given, uint64_t seed) {
  if (Result<void> fit = checkRandom(signature, given); !fit)
    return fit.error();
  Result<std::unique_ptr<LoadedCall>> begun = begin(context, signature);
  if (!begun)
    return begun;
  LoadedCall &call = **begun;
  DeviceContext *device = context.device();
  RandomInputs random(seed);
  for (size_t i = 0; i < given.size(); ++i) {
    const TensorSpec &spec = signature.arguments[i];
    if (given[i] || !device) {
      Result<HostTensor> tensor = given[i] ? std::move(*given[i]) : random.draw(spec, i);
      if (!tensor)
        return tensor.error();
      if (Result<void> done = call.add(std::move(*tensor)); !done)
        return done.error();
      continue;
    }
    int64_t count =
        std::accumulate(spec.dims.begin(), spec.dims.end(), int64_t(1), std::multiplies<int64_t>());
    void *data = nullptr;
    if (count > 0) {
      Result<void *> made = call.allocate(static_cast<size_t>(count) * byteWidth(spec.type));
      if (!made)
        return made.error();
      data = *made;
      if (Result<void> done = random.draw(*device, data, spec.type, count, i); !done)
        return done.error();
    }
    call.descriptors.push_back(describe(spec.dims, data));
  }
  // The patterns are released when the copies are done.
  if (device)
    if (Result<void> done = device->synchronize(); !done)
      return done.error();
  return begun;
}

LoadedCall::~LoadedCall() {
  DeviceContext *device = context.device();
  if (!device || device->device().isLost() || device->device().generation() != generation)
    return;
  (void)device->synchronize();
  for (void *pointer : memory)
    (void)device->device().release(pointer);
}

Result<double> LoadedCall::run(Context::Entry entry) {
  DeviceContext *device = context.device();
  if (device && (device->device().isLost() || device->device().generation() != generation))
    return Error{"the device was lost, and the inputs with it"};
  if (device)
    if (Result<void> ready = device->beginRun(); !ready)
      return ready.error();
  std::vector<void *> args{resultBlock.data()};
  for (std::vector<int64_t> &descriptor : descriptors)
    args.push_back(descriptor.data());
  return runTimed(context, entry, args.data());
}

Result<Invocation> LoadedCall::invoke(Context::Entry entry, const FunctionSignature &signature) {
  Result<double> ms = run(entry);
  if (!ms)
    return ms.error();
  Result<std::vector<HostTensor>> results =
      takeResults(context.device(), signature, resultBlock.data());
  if (!results)
    return results.error();
  return Invocation{std::move(*results), *ms};
}
