#include "Objects.h"

#include "forge/Support/AvailableMemory.h"

#include <unistd.h>

using namespace forge;
using namespace forge::capi;

int forge_api_version(void) { return FORGE_API_VERSION; }

static Result<void> open(const char *target, forge_device **device) {
  if (!target || !*target)
    return Error{"expected a target, but got none"};
  auto opened = std::make_shared<OpenDevice>();
  Result<TargetDevice> machine = openTarget(target);
  if (!machine)
    return machine.error();
  opened->machine = std::move(*machine);
  opened->target = opened->machine.target.text();
  opened->name = "cpu";
  if (const std::shared_ptr<rt::Device> &there = opened->machine.device) {
    opened->name = there->properties().name;
    Result<std::unique_ptr<rt::DeviceContext>> context = rt::DeviceContext::create(there);
    if (!context)
      return context.error();
    opened->device = std::move(*context);
    opened->context.setDevice(opened->device.get());
  }
  *device = new forge_device{std::move(opened)};
  return {};
}

forge_error *forge_device_open(const char *target, forge_device **device) {
  *device = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&] { return open(target, device); });
}

void forge_device_destroy(forge_device *device) { delete device; }

int64_t forge_device_count(const char *driver) { return driver ? countDevices(driver) : 0; }

const char *forge_device_target(const forge_device *device) { return device->open->target.c_str(); }

const char *forge_device_name(const forge_device *device) { return device->open->name.c_str(); }

int64_t forge_device_driver_version(const forge_device *device) {
  const std::shared_ptr<rt::Device> &there = device->open->machine.device;
  return there ? there->properties().driverVersion : 0;
}

forge_error *forge_device_memory(forge_device *device, int64_t *freeBytes, int64_t *totalBytes) {
  *freeBytes = *totalBytes = 0;
  return guarded(FORGE_ERROR_FAILED, [&]() -> Result<void> {
    if (!device->open->machine.device) {
      *totalBytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
      *freeBytes =
          static_cast<int64_t>(std::min(availableMemory(), static_cast<uint64_t>(*totalBytes)));
      return {};
    }
    Result<rt::MemoryInfo> memory = device->open->machine.device->memoryInfo();
    if (!memory)
      return memory.error();
    const rt::DevicePool &pool = *device->open->device->pool();
    *freeBytes = static_cast<int64_t>(memory->freeBytes + pool.reservedBytes() - pool.liveBytes());
    *totalBytes = static_cast<int64_t>(memory->totalBytes);
    return {};
  });
}

int64_t forge_device_pool_bytes(const forge_device *device) {
  const OpenDevice &open = *device->open;
  return open.device ? static_cast<int64_t>(open.device->pool()->reservedBytes()) : 0;
}

void forge_device_trim(forge_device *device) {
  if (const std::shared_ptr<rt::Device> &there = device->open->machine.device)
    there->trim();
}
