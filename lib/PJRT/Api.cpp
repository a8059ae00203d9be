// The table of functions, which is all that the plugin exports. No exception leaves it.
#include "Executable.h"

#include <exception>

using namespace forge::pjrt;

static constexpr const char *kNames[] = {
#define FUNCTION(NAME) #NAME,
#include "Functions.def"
#undef FUNCTION
};

/// What the table has where Forge has nothing.
template <size_t index> static Error *missing(void *) { return unimplemented(kNames[index]); }

template <size_t... indices> static void fillMissing(Api &api, std::index_sequence<indices...>) {
  ((api.functions[indices] = reinterpret_cast<void *>(missing<indices>)), ...);
}

namespace {
template <auto code> struct Guarded;

/// An exception is the error of the call.
template <typename Args, Error *(*code)(Args *)> struct Guarded<code> {
  static Error *call(Args *args) {
    try {
      return code(args);
    } catch (const std::exception &) {
      return fail(takeException());
    }
  }
};

/// Throws nothing.
template <typename Args, void (*code)(Args *)> struct Guarded<code> {
  static void call(Args *args) { code(args); }
};
} // namespace

template <auto code> static void set(Api &api, Function function) {
  api.functions[static_cast<size_t>(function)] = reinterpret_cast<void *>(Guarded<code>::call);
}

static Api makeApi() {
  Api api = {};
  api.struct_size = sizeof(Api);
  api.version.struct_size = sizeof(ApiVersion);
  api.version.major_version = kMajorVersion;
  api.version.minor_version = kMinorVersion;
  fillMissing(api, std::make_index_sequence<static_cast<size_t>(Function::Count)>());
#define SET(NAME) set<NAME>(api, Function::NAME)
  SET(Error_Destroy);
  SET(Error_Message);
  SET(Error_GetCode);
  SET(Plugin_Initialize);
  SET(Plugin_Attributes);
  SET(Event_Destroy);
  SET(Event_IsReady);
  SET(Event_Error);
  SET(Event_Await);
  SET(Event_OnReady);
  SET(Client_Create);
  SET(Client_Destroy);
  SET(Client_PlatformName);
  SET(Client_ProcessIndex);
  SET(Client_PlatformVersion);
  SET(Client_Devices);
  set<Client_Devices>(api, Function::Client_AddressableDevices);
  SET(Client_LookupDevice);
  set<Client_LookupDevice>(api, Function::Client_LookupAddressableDevice);
  SET(Client_AddressableMemories);
  SET(Client_Compile);
  SET(Client_DefaultDeviceAssignment);
  SET(Client_BufferFromHostBuffer);
  SET(DeviceDescription_Id);
  SET(DeviceDescription_ProcessIndex);
  SET(DeviceDescription_Attributes);
  SET(DeviceDescription_Kind);
  set<DeviceDescription_ToString>(api, Function::DeviceDescription_DebugString);
  SET(DeviceDescription_ToString);
  SET(Device_GetDescription);
  SET(Device_IsAddressable);
  SET(Device_LocalHardwareId);
  SET(Device_AddressableMemories);
  SET(Device_DefaultMemory);
  SET(Device_MemoryStats);
  SET(Memory_Id);
  SET(Memory_Kind);
  SET(Memory_Kind_Id);
  set<Memory_ToString>(api, Function::Memory_DebugString);
  SET(Memory_ToString);
  SET(Memory_AddressableByDevices);
  SET(Executable_Destroy);
  SET(Executable_Name);
  SET(Executable_NumReplicas);
  set<Executable_NumReplicas>(api, Function::Executable_NumPartitions);
  SET(Executable_NumOutputs);
  SET(Executable_GetCostAnalysis);
  SET(Executable_GetCompiledMemoryStats);
  SET(Executable_OutputElementTypes);
  SET(Executable_OutputDimensions);
  SET(Executable_OutputMemoryKinds);
  SET(Executable_OptimizedProgram);
  SET(Executable_Serialize);
  SET(Executable_DeserializeAndLoad);
  SET(LoadedExecutable_Destroy);
  SET(LoadedExecutable_GetExecutable);
  SET(LoadedExecutable_AddressableDevices);
  SET(LoadedExecutable_GetDeviceAssignment);
  SET(LoadedExecutable_Delete);
  SET(LoadedExecutable_IsDeleted);
  SET(LoadedExecutable_Execute);
  SET(Buffer_Destroy);
  SET(Buffer_ElementType);
  SET(Buffer_Dimensions);
  set<Buffer_Dimensions>(api, Function::Buffer_UnpaddedDimensions);
  SET(Buffer_DynamicDimensionIndices);
  SET(Buffer_GetMemoryLayout);
  SET(Buffer_OnDeviceSizeInBytes);
  SET(Buffer_Device);
  SET(Buffer_Memory);
  SET(Buffer_Delete);
  SET(Buffer_IsDeleted);
  SET(Buffer_CopyToDevice);
  SET(Buffer_CopyToMemory);
  SET(Buffer_ToHostBuffer);
  SET(Buffer_IsOnCpu);
  SET(Buffer_ReadyEvent);
  SET(Buffer_UnsafePointer);
  SET(Buffer_IncreaseExternalReferenceCount);
  SET(Buffer_DecreaseExternalReferenceCount);
  SET(Buffer_OpaqueDeviceMemoryDataPointer);
#undef SET
  return api;
}

extern "C" __attribute__((visibility("default"))) const Api *GetPjrtApi() {
  static const Api api = makeApi();
  return &api;
}
