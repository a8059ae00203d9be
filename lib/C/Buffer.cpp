#include "Objects.h"

#include <cstring>

using namespace forge;
using namespace forge::capi;

forge_error *forge_buffer_create(forge_device *device, const forge_tensor *tensor,
                                 forge_buffer **buffer) {
  *buffer = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&]() -> Result<void> {
    Result<HostTensor> host = toHost(*tensor, "tensor");
    if (!host)
      return host.error();
    OpenDevice &open = *device->open;
    std::lock_guard<std::mutex> lock(open.copying);
    Result<rt::Resident> made = rt::Resident::create(open.context, std::move(*host));
    if (!made)
      return made.error();
    *buffer = new forge_buffer{device->open, std::move(*made)};
    return {};
  });
}

forge_error *forge_buffer_copy(forge_buffer *buffer, forge_buffer **copy) {
  *copy = nullptr;
  return guarded(FORGE_ERROR_FAILED, [&]() -> Result<void> {
    std::lock_guard<std::mutex> lock(buffer->device->copying);
    Result<rt::Resident> made = buffer->tensor.copy(buffer->device->context);
    if (!made)
      return made.error();
    *copy = new forge_buffer{buffer->device, std::move(*made)};
    return {};
  });
}

void forge_buffer_destroy(forge_buffer *buffer) { delete buffer; }

forge_tensor forge_buffer_tensor(const forge_buffer *buffer) {
  const TensorSpec &spec = buffer->tensor.spec();
  return describe(spec.type, spec.dims, buffer->tensor.address());
}

forge_error *forge_buffer_read(forge_buffer *buffer, void *data, size_t size) {
  forge_error_kind kind = FORGE_ERROR_INPUT;
  return guarded(kind, [&]() -> Result<void> {
    const TensorSpec &spec = buffer->tensor.spec();
    size_t bytes = byteWidth(spec.type);
    for (int64_t dim : spec.dims)
      bytes *= static_cast<size_t>(dim);
    if (size != bytes)
      return Error{"expected room for " + std::to_string(bytes) + " bytes of " + typeString(spec) +
                   ", but got " + std::to_string(size)};
    kind = FORGE_ERROR_FAILED;
    std::lock_guard<std::mutex> lock(buffer->device->copying);
    Result<HostTensor> host = buffer->tensor.read(buffer->device->context);
    if (!host)
      return host.error();
    if (size > 0)
      std::memcpy(data, host->data(), size);
    return {};
  });
}

static Result<void> run(forge_executable &executable, std::span<forge_buffer *const> arguments,
                        std::span<forge_buffer *> results, forge_error_kind &kind) {
  const FunctionSignature &signature = executable.code->get().signature();
  if (arguments.size() != signature.arguments.size())
    return Error{"expected " + std::to_string(signature.arguments.size()) + " arguments of @" +
                 signature.name + ", but got " + std::to_string(arguments.size())};
  size_t wanted = signature.results.size();
  if (results.size() != wanted)
    return Error{"expected room for " + std::to_string(wanted) + " results, but got " +
                 std::to_string(results.size())};
  std::vector<rt::Resident *> tensors;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string what = "argument " + std::to_string(i);
    if (arguments[i]->device->machine.device != executable.device->machine.device)
      return Error{what + ": expected a buffer on " + executable.device->name +
                   ", but got one on " + arguments[i]->device->name};
    if (Result<void> fits = check(signature.arguments[i], forge_buffer_tensor(arguments[i]), what);
        !fits)
      return fits;
    tensors.push_back(&arguments[i]->tensor);
  }
  kind = FORGE_ERROR_FAILED;
  Result<std::vector<rt::Resident>> done =
      executable.code->run([&](Executable &code) { return code.runKept(tensors); });
  if (!done)
    return done.error();
  std::vector<std::unique_ptr<forge_buffer>> made;
  for (rt::Resident &tensor : *done)
    made.emplace_back(new forge_buffer{executable.device, std::move(tensor)});
  for (size_t i = 0; i < made.size(); ++i)
    results[i] = made[i].release();
  return {};
}

forge_error *forge_executable_run_buffers(forge_executable *executable,
                                          forge_buffer *const *arguments, int64_t numArguments,
                                          forge_buffer **results, int64_t numResults) {
  for (int64_t i = 0; i < numResults; ++i)
    results[i] = nullptr;
  forge_error_kind kind = FORGE_ERROR_INPUT;
  return guarded(kind, [&]() -> Result<void> {
    if (numArguments < 0 || (numArguments > 0 && !arguments))
      return Error{"expected an array of arguments, but got " + std::to_string(numArguments) +
                   (arguments ? "" : " at a null pointer")};
    return run(*executable, {arguments, static_cast<size_t>(numArguments)},
               {results, static_cast<size_t>(std::max<int64_t>(numResults, 0))}, kind);
  });
}
