#include "forge/Execution/TargetDevice.h"

#include "forge/Runtime/DeviceRegistry.h"
#include "forge/Simulator/Driver.h"

#include <mutex>

using namespace forge;

static void registerSimulator() {
  static std::once_flag registered;
  std::call_once(registered, sim::registerDriver);
}

/// The best of the chips we know whose code runs on `device`, or null.
static const GPUChip *chipOf(const rt::Device &device, DeviceDialect dialect) {
  const GPUChip *best = nullptr;
  for (const GPUChip &chip : gpuChips())
    if (chip.dialect == dialect && rt::runsOn(chip.name.str(), device.properties()))
      best = &chip;
  return best;
}

Result<TargetDevice> forge::openTarget(const std::string &text) {
  auto [driver, selector] = llvm::StringRef(text).split(':');
  bool namesNoChip = selector.empty() || selector.find_first_not_of("0123456789") == selector.npos;
  Result<Target> target = Target::parse(namesNoChip ? driver : llvm::StringRef(text));
  if (!target)
    return target.error();
  if (!target->isGPU()) {
    if (text != "cpu")
      return Error{"unknown target '" + text + "', expected cpu: there is only one"};
    return TargetDevice{*target, nullptr};
  }
  registerSimulator();
  Result<std::shared_ptr<rt::Device>> device = rt::openDevice(text);
  if (!device)
    return device.error();
  if (namesNoChip)
    target->chip = chipOf(**device, target->chip->dialect);
  if (!target->chip)
    return Error{"no code generation for " + (*device)->properties().chip + " (" +
                 (*device)->properties().name + ")"};
  return TargetDevice{*target, std::move(*device)};
}

int forge::countDevices(const std::string &driver) {
  registerSimulator();
  if (driver == "cpu")
    return 1;
  Result<rt::Driver *> found = rt::getDriver(driver);
  return found ? (*found)->numDevices() : 0;
}

Result<void> forge::checkDevice(const std::string &target) {
  Result<TargetDevice> opened = openTarget(target);
  return opened ? Result<void>() : Result<void>(opened.error());
}
