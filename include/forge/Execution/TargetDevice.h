// A target with the device that runs its code, opened.
#ifndef FORGE_EXECUTION_TARGETDEVICE_H
#define FORGE_EXECUTION_TARGETDEVICE_H

#include "forge/Codegen/Target.h"
#include "forge/Runtime/Device.h"

#include <memory>
#include <string>

namespace forge {

struct TargetDevice {
  Target target;
  /// Null for the CPU.
  std::shared_ptr<rt::Device> device;
};

/// Opens the device that `target` means: "cpu", "cuda:sm_90a", "sim:gfx942"; where it names no chip
/// ("cuda", "cuda:1"), the device's decides.
Result<TargetDevice> openTarget(const std::string &target);

/// How many devices a driver has; 0 if it is not there.
int countDevices(const std::string &driver);

/// Whether the device that `target` names is there and can be opened; the error says what is
/// missing. Always well for "cpu" and simulated chips.
Result<void> checkDevice(const std::string &target);

} // namespace forge

#endif // FORGE_EXECUTION_TARGETDEVICE_H
