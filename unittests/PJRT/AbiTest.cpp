// Forge's declarations of the PJRT C API against OpenXLA's header, struct by struct.
#include "Abi.h"

#include "xla/pjrt/c/pjrt_c_api.h"

#include "gtest/gtest.h"

namespace pjrt = forge::pjrt;

// The offset of a member of a class with a base is not a constant to the language.
#define OFFSET(STRUCT, MEMBER)                                                                     \
  (reinterpret_cast<char *>(&reinterpret_cast<STRUCT *>(4096)->MEMBER) -                           \
   reinterpret_cast<char *>(4096))
#define SAME_SIZE(NAME) EXPECT_EQ(sizeof(pjrt::NAME), sizeof(::PJRT_##NAME)) << #NAME
#define SAME_AS(OURS, THEIRS) EXPECT_EQ(sizeof(pjrt::OURS), sizeof(::PJRT_##THEIRS)) << #THEIRS
#define SAME_FIELD(NAME, OURS, THEIRS)                                                             \
  EXPECT_EQ(OFFSET(pjrt::NAME, OURS), offsetof(::PJRT_##NAME, THEIRS)) << #NAME "." #THEIRS

TEST(Abi, FunctionsAreInTheirPlaces) {
#define FUNCTION(NAME)                                                                             \
  EXPECT_EQ(OFFSET(pjrt::Api, functions[static_cast<size_t>(pjrt::Function::NAME)]),               \
            offsetof(::PJRT_Api, PJRT_##NAME))                                                     \
      << #NAME;
#include "Functions.def"
#undef FUNCTION
  EXPECT_EQ(OFFSET(pjrt::Api, version), offsetof(::PJRT_Api, pjrt_api_version));
}

TEST(Abi, StructsHaveTheirSizes) {
  SAME_AS(ApiVersion, Api_Version);
  SAME_SIZE(NamedValue);
  SAME_SIZE(Error_Destroy_Args);
  SAME_SIZE(Error_Message_Args);
  SAME_SIZE(Error_GetCode_Args);
  SAME_SIZE(Plugin_Initialize_Args);
  SAME_SIZE(Plugin_Attributes_Args);
  SAME_SIZE(Event_Destroy_Args);
  SAME_SIZE(Event_IsReady_Args);
  SAME_SIZE(Event_Error_Args);
  SAME_SIZE(Event_Await_Args);
  SAME_SIZE(Event_OnReady_Args);
  SAME_SIZE(Client_Create_Args);
  SAME_SIZE(Client_Destroy_Args);
  SAME_SIZE(Client_PlatformName_Args);
  SAME_SIZE(Client_PlatformVersion_Args);
  SAME_SIZE(Client_ProcessIndex_Args);
  SAME_SIZE(Client_Devices_Args);
  SAME_AS(Client_Devices_Args, Client_AddressableDevices_Args);
  SAME_SIZE(Client_LookupDevice_Args);
  SAME_AS(Client_LookupDevice_Args, Client_LookupAddressableDevice_Args);
  SAME_SIZE(Client_AddressableMemories_Args);
  SAME_SIZE(Client_DefaultDeviceAssignment_Args);
  SAME_SIZE(Program);
  SAME_SIZE(Client_Compile_Args);
  SAME_AS(MemoryLayoutTiled, Buffer_MemoryLayout_Tiled);
  SAME_AS(MemoryLayoutStrides, Buffer_MemoryLayout_Strides);
  SAME_AS(MemoryLayout, Buffer_MemoryLayout);
  SAME_SIZE(Client_BufferFromHostBuffer_Args);
  SAME_SIZE(DeviceDescription_Id_Args);
  SAME_SIZE(DeviceDescription_ProcessIndex_Args);
  SAME_SIZE(DeviceDescription_Attributes_Args);
  SAME_SIZE(DeviceDescription_Kind_Args);
  SAME_AS(DeviceDescription_Kind_Args, DeviceDescription_DebugString_Args);
  SAME_AS(DeviceDescription_Kind_Args, DeviceDescription_ToString_Args);
  SAME_SIZE(Device_GetDescription_Args);
  SAME_SIZE(Device_IsAddressable_Args);
  SAME_SIZE(Device_LocalHardwareId_Args);
  SAME_SIZE(Device_AddressableMemories_Args);
  SAME_SIZE(Device_DefaultMemory_Args);
  SAME_SIZE(Device_MemoryStats_Args);
  SAME_SIZE(Memory_Id_Args);
  SAME_SIZE(Memory_Kind_Id_Args);
  SAME_SIZE(Memory_Kind_Args);
  SAME_AS(Memory_Kind_Args, Memory_DebugString_Args);
  SAME_AS(Memory_Kind_Args, Memory_ToString_Args);
  SAME_SIZE(Memory_AddressableByDevices_Args);
  SAME_SIZE(Executable_Destroy_Args);
  SAME_SIZE(Executable_Name_Args);
  SAME_SIZE(Executable_NumReplicas_Args);
  SAME_AS(Executable_NumReplicas_Args, Executable_NumPartitions_Args);
  SAME_AS(Executable_NumReplicas_Args, Executable_NumOutputs_Args);
  SAME_SIZE(Executable_GetCostAnalysis_Args);
  SAME_SIZE(Executable_GetCompiledMemoryStats_Args);
  SAME_SIZE(Executable_OutputElementTypes_Args);
  SAME_SIZE(Executable_OutputDimensions_Args);
  SAME_SIZE(Executable_OutputMemoryKinds_Args);
  SAME_SIZE(Executable_OptimizedProgram_Args);
  SAME_SIZE(Executable_Serialize_Args);
  SAME_SIZE(Executable_DeserializeAndLoad_Args);
  SAME_SIZE(LoadedExecutable_Destroy_Args);
  SAME_SIZE(LoadedExecutable_GetExecutable_Args);
  SAME_SIZE(LoadedExecutable_AddressableDevices_Args);
  SAME_SIZE(LoadedExecutable_GetDeviceAssignment_Args);
  SAME_SIZE(LoadedExecutable_Delete_Args);
  SAME_SIZE(LoadedExecutable_IsDeleted_Args);
  SAME_SIZE(LoadedExecutable_Execute_Args);
  SAME_SIZE(Buffer_Destroy_Args);
  SAME_SIZE(Buffer_ElementType_Args);
  SAME_SIZE(Buffer_Dimensions_Args);
  SAME_AS(Buffer_Dimensions_Args, Buffer_UnpaddedDimensions_Args);
  SAME_SIZE(Buffer_DynamicDimensionIndices_Args);
  SAME_SIZE(Buffer_GetMemoryLayout_Args);
  SAME_SIZE(Buffer_OnDeviceSizeInBytes_Args);
  SAME_SIZE(Buffer_Device_Args);
  SAME_SIZE(Buffer_Memory_Args);
  SAME_SIZE(Buffer_Delete_Args);
  SAME_SIZE(Buffer_IsDeleted_Args);
  SAME_SIZE(Buffer_CopyToDevice_Args);
  SAME_SIZE(Buffer_CopyToMemory_Args);
  SAME_SIZE(Buffer_ToHostBuffer_Args);
  SAME_SIZE(Buffer_IsOnCpu_Args);
  SAME_SIZE(Buffer_ReadyEvent_Args);
  SAME_SIZE(Buffer_UnsafePointer_Args);
  SAME_SIZE(Buffer_IncreaseExternalReferenceCount_Args);
  SAME_AS(Buffer_IncreaseExternalReferenceCount_Args, Buffer_DecreaseExternalReferenceCount_Args);
  SAME_SIZE(Buffer_OpaqueDeviceMemoryDataPointer_Args);
}

// Where equal sizes do not say that the fields are in the same order.
TEST(Abi, FieldsAreInTheirPlaces) {
  SAME_FIELD(NamedValue, type, type);
  SAME_FIELD(NamedValue, string_value, string_value);
  SAME_FIELD(NamedValue, value_size, value_size);
  SAME_FIELD(Plugin_Attributes_Args, num_attributes, num_attributes);
  SAME_FIELD(Event_OnReady_Args, user_arg, user_arg);
  SAME_FIELD(Client_Create_Args, client, client);
  SAME_FIELD(Client_DefaultDeviceAssignment_Args, default_assignment, default_assignment);
  SAME_FIELD(Program, format, format);
  SAME_FIELD(Client_Compile_Args, compile_options, compile_options);
  SAME_FIELD(Client_Compile_Args, executable, executable);
  SAME_FIELD(Client_BufferFromHostBuffer_Args, type, type);
  SAME_FIELD(Client_BufferFromHostBuffer_Args, byte_strides, byte_strides);
  SAME_FIELD(Client_BufferFromHostBuffer_Args, device, device);
  SAME_FIELD(Client_BufferFromHostBuffer_Args, done_with_host_buffer, done_with_host_buffer);
  SAME_FIELD(DeviceDescription_Attributes_Args, attributes, attributes);
  SAME_FIELD(Device_MemoryStats_Args, bytes_limit, bytes_limit);
  SAME_FIELD(Device_MemoryStats_Args, peak_pool_bytes_is_set, peak_pool_bytes_is_set);
  SAME_FIELD(Executable_GetCostAnalysis_Args, properties, properties);
  SAME_FIELD(Executable_GetCompiledMemoryStats_Args, peak_memory_in_bytes, peak_memory_in_bytes);
  SAME_FIELD(Executable_OutputDimensions_Args, dim_sizes, dim_sizes);
  SAME_FIELD(LoadedExecutable_GetDeviceAssignment_Args, deleter,
             serialized_device_assignment_deleter);
  SAME_FIELD(ExecuteOptions, non_donatable_input_indices, non_donatable_input_indices);
  SAME_FIELD(ExecuteOptions, num_non_donatable_input_indices, num_non_donatable_input_indices);
  SAME_FIELD(LoadedExecutable_Execute_Args, argument_lists, argument_lists);
  SAME_FIELD(LoadedExecutable_Execute_Args, output_lists, output_lists);
  SAME_FIELD(LoadedExecutable_Execute_Args, device_complete_events, device_complete_events);
  SAME_FIELD(Buffer_ToHostBuffer_Args, dst, dst);
  SAME_FIELD(Buffer_ToHostBuffer_Args, event, event);
  EXPECT_EQ(OFFSET(pjrt::MemoryLayout, type), offsetof(::PJRT_Buffer_MemoryLayout, type));
}

TEST(Abi, ConstantsAreTheirs) {
  EXPECT_EQ(int(pjrt::F4E2M1FN), int(PJRT_Buffer_Type_F4E2M1FN));
  EXPECT_EQ(int(pjrt::BF16), int(PJRT_Buffer_Type_BF16));
  EXPECT_EQ(int(pjrt::S4), int(PJRT_Buffer_Type_S4));
  EXPECT_EQ(int(pjrt::Unimplemented), int(PJRT_Error_Code_UNIMPLEMENTED));
  EXPECT_EQ(int(pjrt::Internal), int(PJRT_Error_Code_INTERNAL));
  EXPECT_EQ(int(pjrt::ResourceExhausted), int(PJRT_Error_Code_RESOURCE_EXHAUSTED));
  EXPECT_EQ(int(pjrt::Strides), int(PJRT_Buffer_MemoryLayout_Type_Strides));
  EXPECT_EQ(int(pjrt::Bool), int(PJRT_NamedValue_kBool));
}
