#include "forge/Runtime/DeviceRegistry.h"
#include "forge/Support/ErrorDetails.h"

#include "Drivers.h"

#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>

using namespace forge;
using namespace forge::rt;

namespace {
struct Entry {
  std::string name;
  DriverFactory factory;
  /// Set at first use.
  std::optional<Result<std::unique_ptr<Driver>>> driver;
};

struct Registry {
  std::recursive_mutex mutex;
  std::vector<Entry> entries;
};
} // namespace

/// Never destroyed: devices may outlive main's statics.
static Registry &registry() {
  static Registry *instance = [] {
    auto *made = new Registry;
    made->entries.push_back({"cpu", createCPUDriver, std::nullopt});
    made->entries.push_back({"cuda", createCUDADriver, std::nullopt});
    made->entries.push_back({"hip", createHIPDriver, std::nullopt});
    return made;
  }();
  return *instance;
}

void forge::rt::registerDriver(const std::string &name, DriverFactory factory) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  for (Entry &entry : registry().entries)
    if (entry.name == name) {
      if (!entry.driver)
        entry.factory = std::move(factory);
      return;
    }
  registry().entries.push_back({name, std::move(factory), std::nullopt});
}

std::vector<std::string> forge::rt::driverNames() {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  std::vector<std::string> names;
  for (const Entry &entry : registry().entries)
    names.push_back(entry.name);
  return names;
}

static std::string join(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

Result<Driver *> forge::rt::getDriver(const std::string &name) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  for (Entry &entry : registry().entries) {
    if (entry.name != name)
      continue;
    if (!entry.driver)
      entry.driver.emplace(entry.factory());
    if (!*entry.driver)
      return entry.driver->error();
    return (**entry.driver).get();
  }
  return Error{"unknown driver " + name + " (there are: " + join(driverNames()) + ")"};
}

/// The number `text` is, or nothing.
static std::optional<int> parseIndex(std::string_view text) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

/// The devices of `driver`, for a message: "0: NVIDIA H200 (sm_90a)".
static std::string listDevices(Driver &driver) {
  std::string text;
  for (int i = 0; i < driver.numDevices(); ++i) {
    Result<DeviceProperties> properties = driver.propertiesOf(i);
    text += (i ? ", " : "") + std::to_string(i) + ": " +
            (properties ? properties->name + " (" + properties->chip + ")"
                        : properties.error().message);
  }
  return text;
}

/// The chip sm_XYa or sm_XY as {XY, is architecture-specific}.
static std::optional<std::pair<int, bool>> parseSM(std::string_view chip) {
  if (!chip.starts_with("sm_"))
    return std::nullopt;
  chip.remove_prefix(3);
  bool specific = chip.ends_with("a");
  if (specific)
    chip.remove_suffix(1);
  std::optional<int> number = parseIndex(chip);
  if (!number)
    return std::nullopt;
  return std::make_pair(*number, specific);
}

bool forge::rt::runsOn(const std::string &chip, const DeviceProperties &device) {
  if (chip == device.chip)
    return true;
  auto code = parseSM(chip), machine = parseSM(device.chip);
  if (!code || !machine || code->second)
    return false;
  return code->first / 10 == machine->first / 10 && code->first <= machine->first;
}

/// The device number FORGE_DEVICE asks for, 0 if it is not set.
static Result<int> defaultIndex() {
  const char *text = std::getenv("FORGE_DEVICE");
  if (!text || !*text)
    return 0;
  if (std::optional<int> index = parseIndex(text))
    return *index;
  return Error{"expected a device number in FORGE_DEVICE, but got " + std::string(text)};
}

static Result<int> firstOfChip(Driver &driver, const std::string &chip) {
  for (int i = 0; i < driver.numDevices(); ++i) {
    Result<DeviceProperties> properties = driver.propertiesOf(i);
    if (!properties)
      return properties.error();
    if (runsOn(chip, *properties))
      return i;
  }
  return Error{"no " + driver.name() + " device runs code for " + chip + " (there are " +
               listDevices(driver) + ")"};
}

static Result<std::shared_ptr<Device>> findDevice(const std::string &target, int index) {
  // 1. "driver" or "driver:number" or "driver:chip".
  size_t colon = target.find(':');
  std::string selector = colon == std::string::npos ? "" : target.substr(colon + 1);
  Result<Driver *> found = getDriver(target.substr(0, colon));
  if (!found)
    return found.error();
  Driver &driver = **found;
  std::optional<int> number = parseIndex(selector);
  std::string chip = number ? "" : selector;

  // 2. The number: asked for, or of the chip, or the default.
  Result<int> chosen = index >= 0      ? Result<int>(index)
                       : number        ? Result<int>(*number)
                       : !chip.empty() ? firstOfChip(driver, chip)
                                       : defaultIndex();
  if (!chosen)
    return chosen.error();
  if (*chosen >= driver.numDevices())
    return Error{"expected a " + driver.name() + " device number below " +
                 std::to_string(driver.numDevices()) + ", but got " + std::to_string(*chosen) +
                 " (there are " + listDevices(driver) + ")"};

  // 3. What was asked for by number must run the chip's code.
  Result<DeviceProperties> properties = driver.propertiesOf(*chosen);
  if (!properties)
    return properties.error();
  if (!chip.empty() && !runsOn(chip, *properties))
    return Error{"expected a device that runs code for " + chip + ", but " + driver.name() +
                 " device " + std::to_string(*chosen) + " is " + properties->name + " (" +
                 properties->chip + ")"};
  return driver.open(*chosen);
}

Result<std::shared_ptr<Device>> forge::rt::openDevice(const std::string &target, int index) {
  Result<std::shared_ptr<Device>> device = findDevice(target, index);
  if (device)
    return device;
  return withDetails(device.error(), {.stage = "device",
                                      .advice = "forge doctor, which says what is missing, or "
                                                "--target sim:CHIP, which needs no device"});
}
