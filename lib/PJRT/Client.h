// The client, its devices and their memories.
#ifndef FORGE_LIB_PJRT_CLIENT_H
#define FORGE_LIB_PJRT_CLIENT_H

#include "DeviceQueue.h"
#include "Error.h"

#include "forge/C/Forge.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace forge::pjrt {

struct ForgeDelete {
  void operator()(forge_device *device) const { forge_device_destroy(device); }
  void operator()(forge_buffer *buffer) const { forge_buffer_destroy(buffer); }
  void operator()(forge_module *module) const { forge_module_destroy(module); }
  void operator()(forge_executable *code) const { forge_executable_destroy(code); }
};

struct DeviceDescription {
  int id = 0;
  /// "NVIDIA H200", "cpu"; "forge:0".
  std::string kind, text;
};

/// The only one of its device.
struct Memory {
  Device *device = nullptr;
};

struct Device {
  Client *client = nullptr;
  DeviceDescription description;
  Memory memory;
  Memory *memories[1] = {&memory};
  std::unique_ptr<forge_device, ForgeDelete> forge;
  bool isCpu = false;
  /// Of the buffers that are alive.
  std::atomic<int64_t> bytesInUse = 0, peakBytesInUse = 0;
  /// Of all buffers so far.
  std::atomic<int64_t> numAllocations = 0, largestAllocation = 0;
  /// Goes first: its tasks use the rest.
  DeviceQueue queue;

  /// A buffer of so many bytes comes, and goes.
  void addBuffer(int64_t bytes);
  void dropBuffer(int64_t bytes) { bytesInUse -= bytes; }
};

struct Client {
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<Device *> devicePointers;
  std::vector<Memory *> memoryPointers;
  std::string version;

  /// Null if there is none.
  Device *find(int id) const;
};

constexpr std::string_view kPlatform = "forge";
constexpr std::string_view kMemoryKind = "device";

Error *Plugin_Initialize(Plugin_Initialize_Args *args);
Error *Plugin_Attributes(Plugin_Attributes_Args *args);
Error *Client_Create(Client_Create_Args *args);
Error *Client_Destroy(Client_Destroy_Args *args);
Error *Client_PlatformName(Client_PlatformName_Args *args);
Error *Client_PlatformVersion(Client_PlatformVersion_Args *args);
Error *Client_ProcessIndex(Client_ProcessIndex_Args *args);
Error *Client_Devices(Client_Devices_Args *args);
Error *Client_LookupDevice(Client_LookupDevice_Args *args);
Error *Client_AddressableMemories(Client_AddressableMemories_Args *args);
Error *Client_DefaultDeviceAssignment(Client_DefaultDeviceAssignment_Args *args);
Error *DeviceDescription_Id(DeviceDescription_Id_Args *args);
Error *DeviceDescription_ProcessIndex(DeviceDescription_ProcessIndex_Args *args);
Error *DeviceDescription_Attributes(DeviceDescription_Attributes_Args *args);
Error *DeviceDescription_Kind(DeviceDescription_Kind_Args *args);
Error *DeviceDescription_ToString(DeviceDescription_Kind_Args *args);
Error *Device_GetDescription(Device_GetDescription_Args *args);
Error *Device_IsAddressable(Device_IsAddressable_Args *args);
Error *Device_LocalHardwareId(Device_LocalHardwareId_Args *args);
Error *Device_AddressableMemories(Device_AddressableMemories_Args *args);
Error *Device_DefaultMemory(Device_DefaultMemory_Args *args);
Error *Device_MemoryStats(Device_MemoryStats_Args *args);
Error *Memory_Id(Memory_Id_Args *args);
Error *Memory_Kind(Memory_Kind_Args *args);
Error *Memory_Kind_Id(Memory_Kind_Id_Args *args);
Error *Memory_ToString(Memory_Kind_Args *args);
Error *Memory_AddressableByDevices(Memory_AddressableByDevices_Args *args);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_CLIENT_H
