#include "Buffer.h"

#include "Strides.h"

#include <algorithm>
#include <cstring>

using namespace forge;
using namespace forge::pjrt;

Buffer::Buffer(Device &device, const ElementType &type, std::vector<int64_t> dims)
    : device(&device), type(&type), dims(std::move(dims)) {
  contents = std::make_shared<Contents>(device, static_cast<int64_t>(numBytes()));
}

size_t Buffer::numElements() const {
  size_t count = 1;
  for (int64_t size : dims)
    count *= static_cast<size_t>(size);
  return count;
}

std::shared_ptr<Contents> Buffer::get() {
  std::lock_guard<std::mutex> lock(mutex);
  return contents;
}

std::shared_ptr<Contents> Buffer::take() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::move(contents);
}

/// With strides of 0 an array may have more elements than any memory.
static Error *checkSize(const ElementType &type, const std::vector<int64_t> &dims) {
  auto bytes = static_cast<int64_t>(type.bytes);
  for (int64_t size : dims)
    if (size < 0)
      return fail(InvalidArgument, "a buffer with a size of " + std::to_string(size));
  bool isEmpty = std::find(dims.begin(), dims.end(), 0) != dims.end();
  for (int64_t size : dims)
    if (!isEmpty && __builtin_mul_overflow(bytes, size, &bytes))
      return fail(ResourceExhausted, "out of memory: a buffer of more than 2^63 bytes");
  return nullptr;
}

static Error *deleted() {
  return fail(InvalidArgument, "the buffer was deleted, or donated to a computation");
}

/// Copies dense elements to the device.
static Error *fill(Contents &contents, const ElementType &type, const std::vector<int64_t> &dims,
                   const void *data) {
  forge_tensor tensor = {type.name, static_cast<int64_t>(dims.size()), dims.data(),
                         const_cast<void *>(data)};
  forge_buffer *made = nullptr;
  if (forge_error *error = forge_buffer_create(contents.device.forge.get(), &tensor, &made))
    return fail(takeFailure(error));
  contents.tensor.reset(made);
  contents.ready->finish();
  return nullptr;
}

Error *pjrt::Client_BufferFromHostBuffer(Client_BufferFromHostBuffer_Args *args) {
  const ElementType *type = findElementType(args->type);
  if (!type)
    return fail(Unimplemented, "element type " + std::to_string(args->type) +
                                   " of the PJRT C API is not one that Forge has");
  Device *device = args->device   ? args->device
                   : args->memory ? args->memory->device
                                  : args->client->find(0);
  std::vector<int64_t> dims(args->dims, args->dims + args->num_dims);
  if (Error *error = checkSize(*type, dims))
    return error;
  auto buffer = std::make_unique<Buffer>(*device, *type, dims);
  std::vector<char> dense;
  const void *data = args->data;
  if (args->byte_strides && args->num_byte_strides == args->num_dims) {
    std::vector<int64_t> strides(args->byte_strides, args->byte_strides + args->num_dims);
    if (strides != rowMajorStrides(dims, type->bytes) && buffer->numBytes() > 0) {
      dense.resize(buffer->numBytes());
      copyStrided(dims, type->bytes, static_cast<const char *>(data), strides, dense.data(),
                  rowMajorStrides(dims, type->bytes));
      data = dense.data();
    }
  }
  if (Error *error = fill(*buffer->contents, *type, dims, data))
    return error;
  args->done_with_host_buffer = makeDoneEvent();
  args->buffer = buffer.release();
  return nullptr;
}

Error *pjrt::Buffer_Destroy(Buffer_Destroy_Args *args) {
  delete args->buffer;
  return nullptr;
}

Error *pjrt::Buffer_ElementType(Buffer_ElementType_Args *args) {
  args->type = args->buffer->type->type;
  return nullptr;
}

Error *pjrt::Buffer_Dimensions(Buffer_Dimensions_Args *args) {
  args->dims = args->buffer->dims.data();
  args->num_dims = args->buffer->dims.size();
  return nullptr;
}

Error *pjrt::Buffer_DynamicDimensionIndices(Buffer_DynamicDimensionIndices_Args *args) {
  args->indices = nullptr;
  args->num_dynamic_dims = 0;
  return nullptr;
}

Error *pjrt::Buffer_GetMemoryLayout(Buffer_GetMemoryLayout_Args *args) {
  // Row-major; more dimensions than any framework has.
  static constexpr int64_t kMaxRank = 64;
  static const std::vector<int64_t> order = [] {
    std::vector<int64_t> all;
    for (int64_t i = kMaxRank; i-- > 0;)
      all.push_back(i);
    return all;
  }();
  size_t rank = args->buffer->dims.size();
  if (rank > order.size())
    return fail(Unimplemented, "layouts of rank " + std::to_string(rank));
  args->layout.type = Tiled;
  args->layout.tiled = {};
  args->layout.tiled.struct_size = sizeof(MemoryLayoutTiled);
  args->layout.tiled.minor_to_major = order.data() + (order.size() - rank);
  args->layout.tiled.minor_to_major_size = rank;
  return nullptr;
}

Error *pjrt::Buffer_OnDeviceSizeInBytes(Buffer_OnDeviceSizeInBytes_Args *args) {
  args->on_device_size_in_bytes = args->buffer->numBytes();
  return nullptr;
}

Error *pjrt::Buffer_Device(Buffer_Device_Args *args) {
  args->device = args->buffer->device;
  return nullptr;
}

Error *pjrt::Buffer_Memory(Buffer_Memory_Args *args) {
  args->memory = &args->buffer->device->memory;
  return nullptr;
}

Error *pjrt::Buffer_Delete(Buffer_Delete_Args *args) {
  args->buffer->take();
  return nullptr;
}

Error *pjrt::Buffer_IsDeleted(Buffer_IsDeleted_Args *args) {
  args->is_deleted = !args->buffer->get();
  return nullptr;
}

/// A copy on `target`, made when the elements are there.
static Error *copyTo(Buffer &source, Device &target, Buffer *&copy) {
  std::shared_ptr<Contents> from = source.get();
  if (!from)
    return deleted();
  auto made = std::make_unique<Buffer>(target, *source.type, source.dims);
  std::shared_ptr<Contents> to = made->contents;
  size_t bytes = source.numBytes();
  from->ready->whenDone(
      [=, type = source.type, dims = source.dims](const std::optional<Failure> &failure) {
        if (failure)
          return to->ready->finish(failure);
        if (&from->device == &to->device) {
          forge_buffer *same = nullptr;
          if (forge_error *error = forge_buffer_copy(from->tensor.get(), &same))
            return to->ready->finish(takeFailure(error));
          to->tensor.reset(same);
          return to->ready->finish();
        }
        std::vector<char> host(bytes);
        if (forge_error *error = forge_buffer_read(from->tensor.get(), host.data(), bytes))
          return to->ready->finish(takeFailure(error));
        if (Error *error = fill(*to, *type, dims, host.data())) {
          to->ready->finish(error->failure);
          delete error;
        }
      });
  copy = made.release();
  return nullptr;
}

Error *pjrt::Buffer_CopyToDevice(Buffer_CopyToDevice_Args *args) {
  return copyTo(*args->buffer, *args->dst_device, args->dst_buffer);
}

Error *pjrt::Buffer_CopyToMemory(Buffer_CopyToMemory_Args *args) {
  return copyTo(*args->buffer, *args->dst_memory->device, args->dst_buffer);
}

/// Where the elements of the host's buffer are, in bytes; fails for layouts with tiles.
static Error *hostStrides(const Buffer &buffer, const MemoryLayout *layout,
                          std::vector<int64_t> &strides) {
  strides = rowMajorStrides(buffer.dims, buffer.type->bytes);
  if (!layout)
    return nullptr;
  size_t rank = buffer.dims.size();
  if (layout->type == Strides) {
    if (layout->strides.num_byte_strides != rank)
      return fail(InvalidArgument, "expected as many strides as dimensions");
    strides.assign(layout->strides.byte_strides, layout->strides.byte_strides + rank);
    return nullptr;
  }
  if (layout->tiled.num_tiles != 0)
    return fail(Unimplemented, "layouts with tiles");
  if (layout->tiled.minor_to_major_size != rank)
    return fail(InvalidArgument, "expected a layout of as many dimensions as the buffer has");
  int64_t stride = static_cast<int64_t>(buffer.type->bytes);
  for (size_t i = 0; i < rank; ++i) {
    auto dim = static_cast<size_t>(layout->tiled.minor_to_major[i]);
    if (dim >= rank)
      return fail(InvalidArgument, "expected a permutation of the dimensions in the layout");
    strides[dim] = stride;
    stride *= buffer.dims[dim];
  }
  return nullptr;
}

/// Copies the elements to `data`, whose strides are in bytes.
static std::optional<Failure> readTo(Contents &contents, const ElementType &type,
                                     const std::vector<int64_t> &dims, size_t bytes, void *data,
                                     const std::vector<int64_t> &strides) {
  bool dense = strides == rowMajorStrides(dims, type.bytes);
  std::vector<char> host(dense ? 0 : bytes);
  if (forge_error *error =
          forge_buffer_read(contents.tensor.get(), dense ? data : host.data(), bytes))
    return takeFailure(error);
  if (!dense && bytes > 0)
    copyStrided(dims, type.bytes, host.data(), rowMajorStrides(dims, type.bytes),
                static_cast<char *>(data), strides);
  return std::nullopt;
}

Error *pjrt::Buffer_ToHostBuffer(Buffer_ToHostBuffer_Args *args) {
  Buffer &buffer = *args->src;
  size_t bytes = buffer.numBytes();
  if (!args->dst) {
    args->dst_size = bytes;
    return nullptr;
  }
  if (args->dst_size < bytes)
    return fail(InvalidArgument, "expected room for " + std::to_string(bytes) + " bytes, but got " +
                                     std::to_string(args->dst_size));
  std::vector<int64_t> strides;
  if (Error *error = hostStrides(buffer, args->host_layout, strides))
    return error;
  std::shared_ptr<Contents> contents = buffer.get();
  if (!contents)
    return deleted();
  auto copied = std::make_shared<Completion>();
  contents->ready->whenDone([=, type = buffer.type, dims = buffer.dims,
                             data = args->dst](const std::optional<Failure> &failure) {
    copied->finish(failure ? failure : readTo(*contents, *type, dims, bytes, data, strides));
  });
  args->event = new Event{std::move(copied)};
  return nullptr;
}

Error *pjrt::Buffer_IsOnCpu(Buffer_IsOnCpu_Args *args) {
  // Frameworks read such memory as it is; that of i2 and i4 is not as they expect
  // (rt::Resident::address).
  BufferType type = args->buffer->type->type;
  args->is_on_cpu = args->buffer->device->isCpu && type != S4 && type != S2;
  return nullptr;
}

Error *pjrt::Buffer_ReadyEvent(Buffer_ReadyEvent_Args *args) {
  std::shared_ptr<Contents> contents = args->buffer->get();
  if (!contents)
    return deleted();
  args->event = new Event{contents->ready};
  return nullptr;
}

/// Where the elements are; waits for them.
static Error *addressOf(Buffer &buffer, void *&address) {
  std::shared_ptr<Contents> contents = buffer.get();
  if (!contents)
    return deleted();
  if (std::optional<Failure> failure = contents->ready->wait())
    return fail(failure);
  address = forge_buffer_tensor(contents->tensor.get()).data;
  return nullptr;
}

Error *pjrt::Buffer_UnsafePointer(Buffer_UnsafePointer_Args *args) {
  void *address = nullptr;
  Error *error = addressOf(*args->buffer, address);
  args->buffer_pointer = reinterpret_cast<uintptr_t>(address);
  return error;
}

Error *pjrt::Buffer_OpaqueDeviceMemoryDataPointer(Buffer_OpaqueDeviceMemoryDataPointer_Args *args) {
  return addressOf(*args->buffer, args->device_memory_ptr);
}

Error *
pjrt::Buffer_IncreaseExternalReferenceCount(Buffer_IncreaseExternalReferenceCount_Args *args) {
  std::lock_guard<std::mutex> lock(args->buffer->mutex);
  if (!args->buffer->contents)
    return deleted();
  ++args->buffer->contents->externalReferences;
  args->buffer->shared.push_back(args->buffer->contents);
  return nullptr;
}

Error *
pjrt::Buffer_DecreaseExternalReferenceCount(Buffer_IncreaseExternalReferenceCount_Args *args) {
  std::lock_guard<std::mutex> lock(args->buffer->mutex);
  if (args->buffer->shared.empty())
    return fail(InvalidArgument, "there is no reference to give back");
  --args->buffer->shared.back()->externalReferences;
  args->buffer->shared.pop_back();
  return nullptr;
}
