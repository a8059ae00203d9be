#include "forge/Loader/LoadedModule.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

using namespace forge;

/// Opens the file, or finds it open.
static void *openFile(const std::string &path) {
  // Without a slash the loader would look in its own folders.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

static std::string symbolOf(const std::string &function) {
  return "forge_module_" + (function.empty() ? "info" : function);
}

std::vector<const char *> forge::functionsOfDecoder(const std::string &path) {
  void *handle = openFile(path);
  if (!handle)
    return {};
  std::vector<const char *> names;
  if (const auto *name = static_cast<const char *const *>(dlsym(handle, "forge_module_functions")))
    for (; *name; ++name)
      names.push_back(*name);
  else if (dlsym(handle, symbolOf("prefill").c_str()))
    // Files of before do not name them.
    names = {"prefill", "decode"};
  return names;
}

Result<std::vector<std::pair<std::string, std::string_view>>>
forge::filesOfDecoder(const std::string &path) {
  void *handle = openFile(path);
  if (!handle)
    return Error{dlerror()};
  const auto *file = static_cast<const forge_module_file *>(dlsym(handle, "forge_module_files"));
  if (!file)
    return Error{path + ": expected a decoder that forge compile has made of a checkpoint"};
  std::vector<std::pair<std::string, std::string_view>> files;
  for (; file->name; ++file)
    files.emplace_back(file->name, std::string_view(file->bytes, static_cast<size_t>(file->size)));
  return files;
}

Result<LoadedModule> LoadedModule::load(const std::string &path, const std::string &function) {
  void *handle = openFile(path);
  if (!handle)
    return Error{dlerror()};
  std::vector<const char *> names = functionsOfDecoder(path);
  if (function.empty() && !names.empty())
    return Error{path + ": expected a module of one function, but got a decoder, which forge-exec "
                        "runs with --prompt, --prompt-ids, --prompts or --chat"};
  if (!function.empty() && std::ranges::find(names, function) == names.end()) {
    std::string list;
    for (const char *name : names)
      list += std::string(list.empty() ? "" : ", ") + name;
    return Error{path + ": expected " + (names.empty() ? "a decoder" : "one of " + list) +
                 " for function '" + function + "'"};
  }
  LoadedModule module;
  std::string missing;
  auto find = [&](const char *symbol, auto &place) {
    place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(dlsym(handle, symbol));
    if (!place)
      missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  };
  std::string symbol = symbolOf(function);
  find(symbol.c_str(), module.info);
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
  // Files of before have none of them, and need none.
  if (!function.empty()) {
    find("forge_module_open_beside", module.api.openBeside);
    find("forge_module_keep", module.api.keep);
    find("forge_module_write", module.api.write);
    find("forge_module_release", module.api.release);
    find("forge_module_run_kept", module.api.runKept);
  }
  module.api.beginKept =
      reinterpret_cast<decltype(module.api.beginKept)>(dlsym(handle, "forge_module_begin_kept"));
  module.api.finish =
      reinterpret_cast<decltype(module.api.finish)>(dlsym(handle, "forge_module_finish"));
  module.api.memoryRate =
      reinterpret_cast<decltype(module.api.memoryRate)>(dlsym(handle, "forge_module_memory_rate"));
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

Result<void> LoadedModule::openBeside(const LoadedModule &first) {
  instance = api.openBeside(info, first.instance);
  if (instance)
    return {};
  return Error{api.error(nullptr)};
}

void LoadedModule::close() {
  if (instance)
    api.close(instance);
  instance = nullptr;
}

static forge_tensor describe(const HostTensor &input) {
  return {dtypeName(input.type()).data(), input.rank(), input.dims().data(),
          const_cast<void *>(input.data())};
}

Result<void> LoadedModule::told(int status) const {
  return status == 0 ? Result<void>() : Result<void>(Error{api.error(instance)});
}

Result<void> LoadedModule::loadInputs(std::span<const forge_tensor> inputs) {
  return told(api.load(instance, inputs.data(), static_cast<int64_t>(inputs.size())));
}

Result<void> LoadedModule::runLoaded() { return told(api.runLoaded(instance)); }

Result<void> LoadedModule::runRandom(std::span<const forge_tensor> inputs, uint64_t seed) {
  return told(api.runRandom(instance, inputs.data(), static_cast<int64_t>(inputs.size()), seed));
}

Result<void> LoadedModule::run(std::span<const forge_tensor> inputs) {
  return told(api.run(instance, inputs.data(), static_cast<int64_t>(inputs.size())));
}

Result<std::vector<HostTensor>> LoadedModule::results() const {
  std::vector<HostTensor> tensors;
  for (int64_t i = 0; i < api.numResults(instance); ++i) {
    forge_tensor result = api.result(instance, i);
    std::optional<DType> type = parseDType(result.type);
    if (!type)
      return Error{"result " + std::to_string(i) + ": unknown element type " + result.type};
    Result<HostTensor> tensor = HostTensor::createUnset(
        *type, std::vector<int64_t>(result.sizes, result.sizes + result.rank));
    if (!tensor)
      return tensor.error();
    if (tensor->numBytes() > 0)
      std::memcpy(tensor->data(), result.data, tensor->numBytes());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

Result<LoadedModule::Kept> LoadedModule::keep(const TensorSource &source) {
  forge_module_source given = {
      {dtypeName(source.spec.type).data(), static_cast<int64_t>(source.spec.dims.size()),
       source.spec.dims.data(), nullptr},
      [](void *context, size_t offset, char *bytes, size_t size) {
        static_cast<const TensorSource *>(context)->copy(offset, {bytes, size});
      },
      const_cast<TensorSource *>(&source)};
  Kept made(api.keep(instance, &given), Release{api.release});
  if (!made)
    return Error{api.error(instance)};
  return made;
}

Result<void> LoadedModule::write(const Kept &tensor, const HostTensor &elements) {
  forge_tensor given = describe(elements);
  return told(api.write(instance, tensor.get(), &given));
}

Result<void> LoadedModule::beginKept(std::span<forge_module_tensor *const> arguments,
                                     std::span<const int64_t> kept) {
  return told(api.beginKept(instance, arguments.data(), static_cast<int64_t>(arguments.size()),
                            kept.data(), static_cast<int64_t>(kept.size())));
}

Result<void> LoadedModule::finish() { return told(api.finish(instance)); }

Result<void> LoadedModule::runKept(std::span<forge_module_tensor *const> arguments,
                                   std::span<const int64_t> kept) {
  return told(api.runKept(instance, arguments.data(), static_cast<int64_t>(arguments.size()),
                          kept.data(), static_cast<int64_t>(kept.size())));
}
