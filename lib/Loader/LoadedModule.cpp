#include "forge/Loader/LoadedModule.h"

#include <cstring>
#include <dlfcn.h>

using namespace forge;

Result<LoadedModule> LoadedModule::load(const std::string &path) {
  // Without a slash the loader would look in its own folders.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Error{dlerror()};
  LoadedModule module;
  std::string missing;
  auto find = [&](const char *symbol, auto &place) {
    place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(dlsym(handle, symbol));
    if (!place)
      missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  };
  find("forge_module_info", module.info);
  find("forge_module_open", module.api.open);
  find("forge_module_close", module.api.close);
  find("forge_module_run", module.api.run);
  find("forge_module_load", module.api.load);
  find("forge_module_run_loaded", module.api.runLoaded);
  find("forge_module_run_random", module.api.runRandom);
  find("forge_module_num_results", module.api.numResults);
  find("forge_module_result", module.api.result);
  find("forge_module_run_ms", module.api.runMs);
  find("forge_module_set_timing", module.api.setTiming);
  find("forge_module_timing_report", module.api.timingReport);
  find("forge_module_error", module.api.error);
  if (!missing.empty())
    return Error{path + " was not made by forge compile: it has no " + missing};
  if (module.info->version != FORGE_MODULE_VERSION)
    return Error{path + ": expected a module of version " + std::to_string(FORGE_MODULE_VERSION) +
                 ", but got " + std::to_string(module.info->version)};
  Result<ModuleSignature> signature = parseSignature(module.info->signature);
  if (!signature)
    return Error{path + ": " + signature.error().message};
  module.facts = std::move(*signature);
  return module;
}

Result<void> LoadedModule::openDevice(int64_t device) {
  instance = api.open(info, device);
  if (instance)
    return {};
  return Error{api.error(nullptr)};
}

void LoadedModule::close() {
  if (instance)
    api.close(instance);
  instance = nullptr;
}

static std::vector<forge_tensor> describe(const std::vector<HostTensor> &inputs) {
  std::vector<forge_tensor> tensors;
  for (const HostTensor &input : inputs)
    tensors.push_back({dtypeName(input.type()).data(), input.rank(), input.dims().data(),
                       const_cast<void *>(input.data())});
  return tensors;
}

Result<void> LoadedModule::loadInputs(const std::vector<HostTensor> &inputs) {
  std::vector<forge_tensor> tensors = describe(inputs);
  if (api.load(instance, tensors.data(), static_cast<int64_t>(tensors.size())) == 0)
    return {};
  return Error{api.error(instance)};
}

Result<void> LoadedModule::runLoaded() {
  return api.runLoaded(instance) == 0 ? Result<void>() : Result<void>(Error{api.error(instance)});
}

Result<void> LoadedModule::runRandom(const std::vector<HostTensor> &inputs, uint64_t seed) {
  std::vector<forge_tensor> tensors = describe(inputs);
  if (api.runRandom(instance, tensors.data(), static_cast<int64_t>(tensors.size()), seed) == 0)
    return {};
  return Error{api.error(instance)};
}

Result<void> LoadedModule::run(const std::vector<HostTensor> &inputs) {
  return run(describe(inputs));
}

Result<void> LoadedModule::run(std::span<const forge_tensor> inputs) {
  if (api.run(instance, inputs.data(), static_cast<int64_t>(inputs.size())) == 0)
    return {};
  return Error{api.error(instance)};
}

Result<std::vector<HostTensor>> LoadedModule::results() const {
  std::vector<HostTensor> tensors;
  for (int64_t i = 0; i < api.numResults(instance); ++i) {
    forge_tensor result = api.result(instance, i);
    std::optional<DType> type = parseDType(result.type);
    if (!type)
      return Error{"result " + std::to_string(i) + ": unknown element type " + result.type};
    Result<HostTensor> tensor =
        HostTensor::create(*type, std::vector<int64_t>(result.sizes, result.sizes + result.rank));
    if (!tensor)
      return tensor.error();
    if (tensor->numBytes() > 0)
      std::memcpy(tensor->data(), result.data, tensor->numBytes());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}
