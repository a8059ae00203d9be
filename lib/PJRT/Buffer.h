// Buffers: tensors on a device, there now or when what computes them has run.
#ifndef FORGE_LIB_PJRT_BUFFER_H
#define FORGE_LIB_PJRT_BUFFER_H

#include "Client.h"
#include "ElementType.h"
#include "Event.h"

#include <vector>

namespace forge::pjrt {

/// Elements of one buffer, shared with the runs that read them.
struct Contents {
  Contents(Device &device, int64_t bytes) : device(device), bytes(bytes) {
    device.addBuffer(bytes);
  }
  ~Contents() { device.dropBuffer(bytes); }
  Contents(const Contents &) = delete;

  Device &device;
  int64_t bytes;
  std::shared_ptr<Completion> ready = std::make_shared<Completion>();
  /// Once `ready`, unless that failed.
  std::unique_ptr<forge_buffer, ForgeDelete> tensor;
  /// How often other code reads the memory: compiled code must not overwrite it then.
  std::atomic<int> externalReferences = 0;
};

struct Buffer {
  Device *device = nullptr;
  const ElementType *type = nullptr;
  std::vector<int64_t> dims;
  /// Null once the buffer was deleted or donated.
  std::shared_ptr<Contents> contents;
  /// What other code reads, one for each reference.
  std::vector<std::shared_ptr<Contents>> shared;
  std::mutex mutex;

  Buffer(Device &device, const ElementType &type, std::vector<int64_t> dims);
  size_t numElements() const;
  size_t numBytes() const { return numElements() * type->bytes; }
  std::shared_ptr<Contents> get();
  /// Takes the contents: the buffer counts as deleted from then on.
  std::shared_ptr<Contents> take();
};

Error *Client_BufferFromHostBuffer(Client_BufferFromHostBuffer_Args *args);
Error *Buffer_Destroy(Buffer_Destroy_Args *args);
Error *Buffer_ElementType(Buffer_ElementType_Args *args);
Error *Buffer_Dimensions(Buffer_Dimensions_Args *args);
Error *Buffer_DynamicDimensionIndices(Buffer_DynamicDimensionIndices_Args *args);
Error *Buffer_GetMemoryLayout(Buffer_GetMemoryLayout_Args *args);
Error *Buffer_OnDeviceSizeInBytes(Buffer_OnDeviceSizeInBytes_Args *args);
Error *Buffer_Device(Buffer_Device_Args *args);
Error *Buffer_Memory(Buffer_Memory_Args *args);
Error *Buffer_Delete(Buffer_Delete_Args *args);
Error *Buffer_IsDeleted(Buffer_IsDeleted_Args *args);
Error *Buffer_CopyToDevice(Buffer_CopyToDevice_Args *args);
Error *Buffer_CopyToMemory(Buffer_CopyToMemory_Args *args);
Error *Buffer_ToHostBuffer(Buffer_ToHostBuffer_Args *args);
Error *Buffer_IsOnCpu(Buffer_IsOnCpu_Args *args);
Error *Buffer_ReadyEvent(Buffer_ReadyEvent_Args *args);
Error *Buffer_UnsafePointer(Buffer_UnsafePointer_Args *args);
Error *Buffer_IncreaseExternalReferenceCount(Buffer_IncreaseExternalReferenceCount_Args *args);
Error *Buffer_DecreaseExternalReferenceCount(Buffer_IncreaseExternalReferenceCount_Args *args);
Error *Buffer_OpaqueDeviceMemoryDataPointer(Buffer_OpaqueDeviceMemoryDataPointer_Args *args);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_BUFFER_H
