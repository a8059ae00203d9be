#include "Client.h"

#include <cstdlib>

using namespace forge;
using namespace forge::pjrt;

static void raise(std::atomic<int64_t> &most, int64_t value) {
  int64_t before = most;
  while (value > before && !most.compare_exchange_weak(before, value))
    ;
}

void Device::addBuffer(int64_t bytes) {
  raise(peakBytesInUse, bytesInUse += bytes);
  ++numAllocations;
  raise(largestAllocation, bytes);
}

Device *Client::find(int id) const {
  bool exists = id >= 0 && static_cast<size_t>(id) < devices.size();
  return exists ? devices[static_cast<size_t>(id)].get() : nullptr;
}

Error *pjrt::Plugin_Initialize(Plugin_Initialize_Args *) { return nullptr; }

Error *pjrt::Plugin_Attributes(Plugin_Attributes_Args *args) {
  // What frameworks may send: portable artifacts of these versions of StableHLO, theirs where it is
  // an earlier one. Composites need 0.19; the reader (lib/Import/Portable) knows up to 1.22.
  static const int64_t current[3] = {1, 22, 0}, minimum[3] = {0, 19, 0};
  static const auto list = [](const char *name, size_t size, const int64_t *values) {
    NamedValue value = {};
    value.struct_size = sizeof(value);
    value.name = name;
    value.name_size = size;
    value.type = Int64List;
    value.int64_array_value = values;
    value.value_size = 3;
    return value;
  };
  static const NamedValue attributes[] = {list("stablehlo_current_version", 25, current),
                                          list("stablehlo_minimum_version", 25, minimum)};
  args->attributes = attributes;
  args->num_attributes = std::size(attributes);
  return nullptr;
}

/// The targets of the client's devices: what was asked for, or every GPU, or the CPU.
static std::vector<std::string> targetsOf(std::string asked) {
  const char *environment = std::getenv("FORGE_PJRT_TARGET");
  if (asked.empty() && environment)
    asked = environment;
  if (asked.empty())
    asked = forge_device_count("cuda") > 0 ? "cuda" : forge_device_count("hip") > 0 ? "hip" : "cpu";
  if (asked != "cuda" && asked != "hip")
    return {asked};
  std::vector<std::string> targets;
  for (int64_t i = 0; i < forge_device_count(asked.c_str()); ++i)
    targets.push_back(asked + ":" + std::to_string(i));
  return targets.empty() ? std::vector{asked} : targets;
}

static Error *addDevice(Client &client, const std::string &target) {
  auto device = std::make_unique<Device>();
  forge_device *opened = nullptr;
  if (forge_error *error = forge_device_open(target.c_str(), &opened))
    return fail(takeFailure(error));
  device->forge.reset(opened);
  device->client = &client;
  device->memory.device = device.get();
  device->description.id = static_cast<int>(client.devices.size());
  device->description.kind = forge_device_name(opened);
  device->description.text = "forge:" + std::to_string(client.devices.size());
  device->isCpu = target == "cpu";
  // JAX reads the last word of it as the version of CUDA.
  client.version = "Forge for " + std::string(forge_device_target(opened));
  if (int64_t driver = forge_device_driver_version(opened))
    client.version += ", driver " + std::to_string(driver);
  client.devicePointers.push_back(device.get());
  client.memoryPointers.push_back(&device->memory);
  client.devices.push_back(std::move(device));
  return nullptr;
}

Error *pjrt::Client_Create(Client_Create_Args *args) {
  std::string target;
  for (size_t i = 0; i < args->num_options; ++i) {
    const NamedValue &option = args->create_options[i];
    std::string_view name(option.name, option.name_size);
    if (name != "target" || option.type != String)
      return fail(InvalidArgument, "unknown option '" + std::string(name) +
                                       "', expected target (a string: cpu, cuda, cuda:1, hip, "
                                       "sim:CHIP)");
    target.assign(option.string_value, option.value_size);
  }
  auto client = std::make_unique<Client>();
  for (const std::string &one : targetsOf(target))
    if (Error *error = addDevice(*client, one))
      return error;
  args->client = client.release();
  return nullptr;
}

Error *pjrt::Client_Destroy(Client_Destroy_Args *args) {
  delete args->client;
  return nullptr;
}

Error *pjrt::Client_PlatformName(Client_PlatformName_Args *args) {
  args->platform_name = kPlatform.data();
  args->platform_name_size = kPlatform.size();
  return nullptr;
}

Error *pjrt::Client_PlatformVersion(Client_PlatformVersion_Args *args) {
  args->platform_version = args->client->version.c_str();
  args->platform_version_size = args->client->version.size();
  return nullptr;
}

Error *pjrt::Client_ProcessIndex(Client_ProcessIndex_Args *args) {
  args->process_index = 0;
  return nullptr;
}

Error *pjrt::Client_Devices(Client_Devices_Args *args) {
  args->devices = args->client->devicePointers.data();
  args->num_devices = args->client->devicePointers.size();
  return nullptr;
}

Error *pjrt::Client_LookupDevice(Client_LookupDevice_Args *args) {
  args->device = args->client->find(args->id);
  return args->device ? nullptr
                      : fail(InvalidArgument, "there is no device " + std::to_string(args->id));
}

Error *pjrt::Client_AddressableMemories(Client_AddressableMemories_Args *args) {
  args->memories = args->client->memoryPointers.data();
  args->num_memories = args->client->memoryPointers.size();
  return nullptr;
}

Error *pjrt::Client_DefaultDeviceAssignment(Client_DefaultDeviceAssignment_Args *args) {
  if (args->num_replicas != 1 || args->num_partitions != 1)
    return fail(Unimplemented, "expected one replica and one partition, but got " +
                                   std::to_string(args->num_replicas) + " and " +
                                   std::to_string(args->num_partitions));
  if (args->default_assignment_size < 1)
    return fail(InvalidArgument, "expected room for one device");
  args->default_assignment[0] = 0;
  return nullptr;
}

Error *pjrt::DeviceDescription_Id(DeviceDescription_Id_Args *args) {
  args->id = args->device_description->id;
  return nullptr;
}

Error *pjrt::DeviceDescription_ProcessIndex(DeviceDescription_ProcessIndex_Args *args) {
  args->process_index = 0;
  return nullptr;
}

Error *pjrt::DeviceDescription_Attributes(DeviceDescription_Attributes_Args *args) {
  args->num_attributes = 0;
  args->attributes = nullptr;
  return nullptr;
}

Error *pjrt::DeviceDescription_Kind(DeviceDescription_Kind_Args *args) {
  args->device_kind = args->device_description->kind.c_str();
  args->device_kind_size = args->device_description->kind.size();
  return nullptr;
}

Error *pjrt::DeviceDescription_ToString(DeviceDescription_Kind_Args *args) {
  args->device_kind = args->device_description->text.c_str();
  args->device_kind_size = args->device_description->text.size();
  return nullptr;
}

Error *pjrt::Device_GetDescription(Device_GetDescription_Args *args) {
  args->device_description = &args->device->description;
  return nullptr;
}

Error *pjrt::Device_IsAddressable(Device_IsAddressable_Args *args) {
  args->is_addressable = true;
  return nullptr;
}

Error *pjrt::Device_LocalHardwareId(Device_LocalHardwareId_Args *args) {
  args->local_hardware_id = args->device->description.id;
  return nullptr;
}

Error *pjrt::Device_AddressableMemories(Device_AddressableMemories_Args *args) {
  args->memories = args->device->memories;
  args->num_memories = 1;
  return nullptr;
}

Error *pjrt::Device_DefaultMemory(Device_DefaultMemory_Args *args) {
  args->memory = &args->device->memory;
  return nullptr;
}

Error *pjrt::Device_MemoryStats(Device_MemoryStats_Args *args) {
  int64_t free = 0, total = 0;
  if (forge_error *error = forge_device_memory(args->device->forge.get(), &free, &total))
    return fail(takeFailure(error));
  args->bytes_in_use = args->device->bytesInUse;
  args->peak_bytes_in_use = args->device->peakBytesInUse;
  args->bytes_limit = total;
  args->peak_bytes_in_use_is_set = args->bytes_limit_is_set = true;
  args->num_allocs = args->device->numAllocations;
  args->largest_alloc_size = args->device->largestAllocation;
  args->num_allocs_is_set = args->largest_alloc_size_is_set = true;
  args->bytes_reserved_is_set = false;
  args->peak_bytes_reserved_is_set = args->bytes_reservable_limit_is_set = false;
  args->largest_free_block_bytes_is_set = args->peak_pool_bytes_is_set = false;
  args->pool_bytes_is_set = !args->device->isCpu;
  args->pool_bytes = forge_device_pool_bytes(args->device->forge.get());
  return nullptr;
}

Error *pjrt::Memory_Id(Memory_Id_Args *args) {
  args->id = args->memory->device->description.id;
  return nullptr;
}

Error *pjrt::Memory_Kind(Memory_Kind_Args *args) {
  args->kind = kMemoryKind.data();
  args->kind_size = kMemoryKind.size();
  return nullptr;
}

Error *pjrt::Memory_Kind_Id(Memory_Kind_Id_Args *args) {
  args->kind_id = 0;
  return nullptr;
}

Error *pjrt::Memory_ToString(Memory_Kind_Args *args) {
  args->kind = args->memory->device->description.text.c_str();
  args->kind_size = args->memory->device->description.text.size();
  return nullptr;
}

Error *pjrt::Memory_AddressableByDevices(Memory_AddressableByDevices_Args *args) {
  args->devices = &args->memory->device;
  args->num_devices = 1;
  return nullptr;
}
