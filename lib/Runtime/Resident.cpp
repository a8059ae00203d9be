#include "forge/Runtime/Resident.h"

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
  if (Result<void> ordered = pool->order().follow(context.device()->stream()); !ordered)
    return ordered.error();
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
  Result<void> copied = pool->order().follow(on.stream());
  if (copied)
    copied = on.stream().copyOnDevice(made->data, data, bytes);
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
  Stream &stream = context.device()->stream();
  Result<void> copied = pool->order().follow(stream);
  if (copied)
    copied = stream.copyToDevice(data, tensor.data(), tensor.numBytes());
  return copied ? context.device()->synchronize() : copied;
}
