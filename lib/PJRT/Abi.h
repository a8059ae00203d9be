// The PJRT C API as far as the plugin needs it: what frameworks call a compiler and its devices by
// (github.com/openxla/xla, xla/pjrt/c/pjrt_c_api.h, version 0.90). The layout of each struct is
// that of the struct of the same name there with "PJRT_" in front; unittests/PJRT/AbiTest.cpp
// compares them with a wheel's header where one is installed. Fields that the plugin writes say so.
#ifndef FORGE_LIB_PJRT_ABI_H
#define FORGE_LIB_PJRT_ABI_H

#include <cstddef>
#include <cstdint>

namespace forge::pjrt {

constexpr int kMajorVersion = 0, kMinorVersion = 90;

// Objects of the plugin, which callers only pass back.
struct Error;
struct Event;
struct Client;
struct Device;
struct DeviceDescription;
struct Memory;
struct Buffer;
struct Executable;
struct LoadedExecutable;
struct SerializedExecutable;

/// What every struct begins with: its size as the caller knows it, and extensions.
struct Header {
  size_t struct_size;
  void *extension_start;
};

/// absl's status codes.
enum ErrorCode : int32_t {
  Cancelled = 1,
  InvalidArgument = 3,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Unimplemented = 12,
  Internal = 13
};

enum BufferType : int32_t {
  INVALID,
  PRED,
  S8,
  S16,
  S32,
  S64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64,
  BF16,
  C64,
  C128,
  F8E5M2,
  F8E4M3FN,
  F8E4M3B11FNUZ,
  F8E5M2FNUZ,
  F8E4M3FNUZ,
  S4,
  U4,
  TOKEN,
  S2,
  U2,
  F8E4M3,
  F8E3M4,
  F8E8M0FNU,
  F4E2M1FN
};

enum NamedValueType : int32_t { String, Int64, Int64List, Float, Bool };
struct NamedValue : Header {
  const char *name;
  size_t name_size;
  NamedValueType type;
  union {
    const char *string_value;
    int64_t int64_value;
    const int64_t *int64_array_value;
    float float_value;
    bool bool_value;
  };
  /// Of a string its length, of a list its size, otherwise 1.
  size_t value_size;
};

struct Error_Destroy_Args : Header {
  Error *error;
};
struct Error_Message_Args : Header {
  const Error *error;
  const char *message;
  size_t message_size;
};
struct Error_GetCode_Args : Header {
  const Error *error;
  ErrorCode code;
};

struct Plugin_Initialize_Args : Header {};
struct Plugin_Attributes_Args : Header {
  const NamedValue *attributes;
  size_t num_attributes;
};

struct Event_Destroy_Args : Header {
  Event *event;
};
struct Event_IsReady_Args : Header {
  Event *event;
  bool is_ready;
};
struct Event_Error_Args : Header {
  Event *event;
};
struct Event_Await_Args : Header {
  Event *event;
};
struct Event_OnReady_Args : Header {
  Event *event;
  void (*callback)(Error *error, void *user_arg);
  void *user_arg;
};

struct Client_Create_Args : Header {
  const NamedValue *create_options;
  size_t num_options;
  void *kv_get_callback, *kv_get_user_arg, *kv_put_callback, *kv_put_user_arg;
  Client *client; // written
  void *kv_try_get_callback, *kv_try_get_user_arg;
};
struct Client_Destroy_Args : Header {
  Client *client;
};
struct Client_PlatformName_Args : Header {
  Client *client;
  const char *platform_name; // written
  size_t platform_name_size; // written
};
struct Client_PlatformVersion_Args : Header {
  Client *client;
  const char *platform_version; // written
  size_t platform_version_size; // written
};
struct Client_ProcessIndex_Args : Header {
  Client *client;
  int process_index;
};
/// Also Client_AddressableDevices_Args.
struct Client_Devices_Args : Header {
  Client *client;
  Device *const *devices;
  size_t num_devices;
};
/// Also Client_LookupAddressableDevice_Args.
struct Client_LookupDevice_Args : Header {
  Client *client;
  int id;
  Device *device;
};
struct Client_AddressableMemories_Args : Header {
  Client *client;
  Memory *const *memories; // written
  size_t num_memories;     // written
};
struct Client_DefaultDeviceAssignment_Args : Header {
  Client *client;
  int num_replicas, num_partitions;
  size_t default_assignment_size;
  int *default_assignment; // its elements are written
};

struct Program : Header {
  char *code;
  size_t code_size;
  const char *format;
  size_t format_size;
};
struct Client_Compile_Args : Header {
  Client *client;
  const Program *program;
  const char *compile_options;
  size_t compile_options_size;
  LoadedExecutable *executable; // written
};

enum HostBufferSemantics : int32_t {
  ImmutableOnlyDuringCall,
  ImmutableUntilTransferCompletes,
  ImmutableZeroCopy,
  MutableZeroCopy
};
enum MemoryLayoutType : int32_t { Tiled, Strides };
struct MemoryLayoutTiled : Header {
  const int64_t *minor_to_major;
  size_t minor_to_major_size;
  const int64_t *tile_dims;
  const size_t *tile_dim_sizes;
  size_t num_tiles;
};
struct MemoryLayoutStrides : Header {
  const int64_t *byte_strides;
  size_t num_byte_strides;
};
struct MemoryLayout : Header {
  union {
    MemoryLayoutTiled tiled;
    MemoryLayoutStrides strides;
  };
  MemoryLayoutType type;
};
struct Client_BufferFromHostBuffer_Args : Header {
  Client *client;
  const void *data;
  BufferType type;
  const int64_t *dims;
  size_t num_dims;
  const int64_t *byte_strides; // null: dense, row-major
  size_t num_byte_strides;
  HostBufferSemantics host_buffer_semantics;
  Device *device;
  Memory *memory;
  MemoryLayout *device_layout;
  Event *done_with_host_buffer; // written
  Buffer *buffer;               // written
};

struct DeviceDescription_Id_Args : Header {
  DeviceDescription *device_description;
  int id;
};
struct DeviceDescription_ProcessIndex_Args : Header {
  DeviceDescription *device_description;
  int process_index; // written
};
struct DeviceDescription_Attributes_Args : Header {
  DeviceDescription *device_description;
  size_t num_attributes;        // written
  const NamedValue *attributes; // written
};
/// Also DeviceDescription_DebugString_Args and DeviceDescription_ToString_Args.
struct DeviceDescription_Kind_Args : Header {
  DeviceDescription *device_description;
  const char *device_kind; // written
  size_t device_kind_size; // written
};
struct Device_GetDescription_Args : Header {
  Device *device;
  DeviceDescription *device_description;
};
struct Device_IsAddressable_Args : Header {
  Device *device;
  bool is_addressable;
};
struct Device_LocalHardwareId_Args : Header {
  Device *device;
  int local_hardware_id;
};
struct Device_AddressableMemories_Args : Header {
  Device *device;
  Memory *const *memories; // written
  size_t num_memories;     // written
};
struct Device_DefaultMemory_Args : Header {
  Device *device;
  Memory *memory;
};
/// All but the first two are written.
struct Device_MemoryStats_Args : Header {
  Device *device;
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  bool peak_bytes_in_use_is_set;
  int64_t num_allocs;
  bool num_allocs_is_set;
  int64_t largest_alloc_size;
  bool largest_alloc_size_is_set;
  int64_t bytes_limit;
  bool bytes_limit_is_set;
  int64_t bytes_reserved;
  bool bytes_reserved_is_set;
  int64_t peak_bytes_reserved;
  bool peak_bytes_reserved_is_set;
  int64_t bytes_reservable_limit;
  bool bytes_reservable_limit_is_set;
  int64_t largest_free_block_bytes;
  bool largest_free_block_bytes_is_set;
  int64_t pool_bytes;
  bool pool_bytes_is_set;
  int64_t peak_pool_bytes;
  bool peak_pool_bytes_is_set;
};

struct Memory_Id_Args : Header {
  Memory *memory;
  int id;
};
struct Memory_Kind_Id_Args : Header {
  Memory *memory;
  int kind_id;
};
/// Also Memory_DebugString_Args and Memory_ToString_Args.
struct Memory_Kind_Args : Header {
  Memory *memory;
  const char *kind;
  size_t kind_size;
};
struct Memory_AddressableByDevices_Args : Header {
  Memory *memory;
  Device *const *devices; // written
  size_t num_devices;     // written
};

struct Executable_Destroy_Args : Header {
  Executable *executable;
};
struct Executable_Name_Args : Header {
  Executable *executable;
  const char *name;
  size_t name_size;
};
/// Also Executable_NumPartitions_Args and Executable_NumOutputs_Args.
struct Executable_NumReplicas_Args : Header {
  Executable *executable;
  size_t number;
};
struct Executable_GetCostAnalysis_Args : Header {
  Executable *executable;
  size_t num_properties;        // written
  const NamedValue *properties; // written
};
/// All but the executable are written.
struct Executable_GetCompiledMemoryStats_Args : Header {
  Executable *executable;
  int64_t generated_code_size_in_bytes, argument_size_in_bytes, output_size_in_bytes,
      alias_size_in_bytes, temp_size_in_bytes, host_generated_code_size_in_bytes,
      host_argument_size_in_bytes, host_output_size_in_bytes, host_alias_size_in_bytes,
      host_temp_size_in_bytes, peak_memory_in_bytes, total_size_in_bytes;
};
struct Executable_OutputElementTypes_Args : Header {
  Executable *executable;
  BufferType *output_types; // written
  size_t num_output_types;  // written
};
struct Executable_OutputDimensions_Args : Header {
  Executable *executable;
  size_t num_outputs;      // written
  const int64_t *dims;     // written: of all outputs, one after the other
  const size_t *dim_sizes; // written: the rank of each
};
struct Executable_OutputMemoryKinds_Args : Header {
  Executable *executable;
  size_t num_outputs;              // written
  const char *const *memory_kinds; // written
  const size_t *memory_kind_sizes; // written
};
struct Executable_OptimizedProgram_Args : Header {
  const Executable *executable;
  Program *program; // its size is written, and with a place for it the code
};
struct Executable_Serialize_Args : Header {
  const Executable *executable;
  const char *serialized_bytes;                                  // written
  size_t serialized_bytes_size;                                  // written
  SerializedExecutable *serialized_executable;                   // written: has the bytes
  void (*serialized_executable_deleter)(SerializedExecutable *); // written
};
struct Executable_DeserializeAndLoad_Args : Header {
  Client *client;
  const char *serialized_executable;
  size_t serialized_executable_size;
  LoadedExecutable *loaded_executable;               // written
  const char *overridden_serialized_compile_options; // null: those that were serialized
  size_t overridden_serialized_compile_options_size;
};

struct LoadedExecutable_Destroy_Args : Header {
  LoadedExecutable *executable;
};
struct LoadedExecutable_GetExecutable_Args : Header {
  LoadedExecutable *loaded_executable;
  Executable *executable; // written
};
struct LoadedExecutable_AddressableDevices_Args : Header {
  LoadedExecutable *executable;
  Device *const *devices; // written
  size_t num_devices;     // written
};
struct LoadedExecutable_GetDeviceAssignment_Args : Header {
  LoadedExecutable *executable;
  const char *serialized_bytes; // written
  size_t serialized_bytes_size; // written
  void *assignment;             // written
  void (*deleter)(void *);      // written
};
struct LoadedExecutable_Delete_Args : Header {
  LoadedExecutable *executable;
};
struct LoadedExecutable_IsDeleted_Args : Header {
  LoadedExecutable *executable;
  bool is_deleted;
};
struct ExecuteOptions : Header {
  void *send_callbacks, *recv_callbacks;
  size_t num_send_ops, num_recv_ops;
  int launch_id;
  const int64_t *non_donatable_input_indices;
  size_t num_non_donatable_input_indices;
};
struct LoadedExecutable_Execute_Args : Header {
  LoadedExecutable *executable;
  ExecuteOptions *options;
  Buffer *const *const *argument_lists;
  size_t num_devices;
  size_t num_args;
  Buffer **const *output_lists;   // their elements are written
  Event **device_complete_events; // may be null; its elements are written
  Device *execute_device;
};

struct Buffer_Destroy_Args : Header {
  Buffer *buffer;
};
struct Buffer_ElementType_Args : Header {
  Buffer *buffer;
  BufferType type;
};
/// Also Buffer_UnpaddedDimensions_Args.
struct Buffer_Dimensions_Args : Header {
  Buffer *buffer;
  const int64_t *dims;
  size_t num_dims;
};
struct Buffer_DynamicDimensionIndices_Args : Header {
  Buffer *buffer;
  const size_t *indices;   // written
  size_t num_dynamic_dims; // written
};
struct Buffer_GetMemoryLayout_Args : Header {
  Buffer *buffer;
  MemoryLayout layout;
};
struct Buffer_OnDeviceSizeInBytes_Args : Header {
  Buffer *buffer;
  size_t on_device_size_in_bytes;
};
struct Buffer_Device_Args : Header {
  Buffer *buffer;
  Device *device;
};
struct Buffer_Memory_Args : Header {
  Buffer *buffer;
  Memory *memory;
};
struct Buffer_Delete_Args : Header {
  Buffer *buffer;
};
struct Buffer_IsDeleted_Args : Header {
  Buffer *buffer;
  bool is_deleted;
};
struct Buffer_CopyToDevice_Args : Header {
  Buffer *buffer;
  Device *dst_device;
  Buffer *dst_buffer;
};
struct Buffer_CopyToMemory_Args : Header {
  Buffer *buffer;
  Memory *dst_memory;
  Buffer *dst_buffer;
};
struct Buffer_ToHostBuffer_Args : Header {
  Buffer *src;
  MemoryLayout *host_layout; // null: dense, row-major
  void *dst;                 // null: dst_size is written
  size_t dst_size;
  Event *event; // written
};
struct Buffer_IsOnCpu_Args : Header {
  Buffer *buffer;
  bool is_on_cpu;
};
struct Buffer_ReadyEvent_Args : Header {
  Buffer *buffer;
  Event *event;
};
struct Buffer_UnsafePointer_Args : Header {
  Buffer *buffer;
  uintptr_t buffer_pointer;
};

/// Also Buffer_DecreaseExternalReferenceCount_Args.
struct Buffer_IncreaseExternalReferenceCount_Args : Header {
  Buffer *buffer;
};
struct Buffer_OpaqueDeviceMemoryDataPointer_Args : Header {
  Buffer *buffer;
  void *device_memory_ptr; // written
};

/// Where each function is in the table.
enum class Function {
#define FUNCTION(NAME) NAME,
#include "Functions.def"
#undef FUNCTION
  Count
};

struct ApiVersion : Header {
  int major_version, minor_version;
};
struct Api : Header {
  ApiVersion version;
  /// Each takes a pointer to its own Args and returns null or an Error; Error_Destroy and
  /// Error_Message return nothing.
  void *functions[static_cast<size_t>(Function::Count)];
};

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_ABI_H
