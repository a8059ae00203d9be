#include "Objects.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Execution/CodeCache.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Support/TensorBytes.h"

using namespace forge;
using namespace forge::capi;

/// What of `options` the caller's version of the struct has.
static forge_compile_options complete(const forge_compile_options *options) {
  forge_compile_options all = {sizeof(all), nullptr, nullptr, nullptr, nullptr};
  if (!options)
    return all;
  auto has = [&](size_t end) { return options->size >= end; };
  if (has(offsetof(forge_compile_options, function) + sizeof(void *)))
    all.function = options->function;
  if (has(offsetof(forge_compile_options, tier) + sizeof(void *)))
    all.tier = options->tier;
  if (has(offsetof(forge_compile_options, reproducer_folder) + sizeof(void *)))
    all.reproducer_folder = options->reproducer_folder;
  if (has(offsetof(forge_compile_options, cache_folder) + sizeof(void *)))
    all.cache_folder = options->cache_folder;
  return all;
}

/// What frameworks call the platform of a target.
static llvm::StringRef platformOf(const Target &target) {
  if (!target.isGPU())
    return "cpu";
  return target.chip->dialect == DeviceDialect::NVVM ? "cuda" : "rocm";
}

static Result<void> compile(forge_module &module, const std::shared_ptr<OpenDevice> &device,
                            const forge_compile_options &given, forge_error_kind &kind,
                            forge_executable **result) {
  kind = FORGE_ERROR_INPUT;
  CompileOptions options;
  options.function = given.function ? given.function : "";
  options.target = device->target;
  options.reproducerDir = given.reproducer_folder ? given.reproducer_folder : "";
  if (given.tier) {
    std::optional<Tier> tier = parseTier(given.tier);
    if (!tier)
      return Error{std::string("expected tier hybrid, production, optimized or correctness, but "
                               "got '") +
                   given.tier + "'"};
    options.tier = *tier;
  }
  std::optional<CodeCache> cache;
  if (given.cache_folder && *given.cache_folder)
    options.cache = &cache.emplace(given.cache_folder);
  std::lock_guard<std::mutex> lock(module.reading);
  LineDiagnostics diagnostics(&module.context, llvm::nulls());
  diagnostics.holdErrors();
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.module->clone());
  if (failed(normalizeFrameworkAttributes(*copy)) ||
      failed(splitComplex(*copy, device->machine.target.isGPU())) ||
      failed(selectPlatform(*copy, platformOf(device->machine.target)))) {
    kind = FORGE_ERROR_UNSUPPORTED;
    return locatedError(diagnostics, "the module cannot be compiled");
  }
  kind = FORGE_ERROR_FAILED;
  Result<Executable> code = Executable::compile(*copy, options, &device->machine);
  if (!code) {
    if (diagnostics.firstErrorKind() == ErrorKind::User)
      kind = FORGE_ERROR_UNSUPPORTED;
    return code.error();
  }
  *result = new forge_executable(device, std::move(*code));
  return {};
}

forge_error *forge_compile(forge_module *module, forge_device *device,
                           const forge_compile_options *options, forge_executable **executable) {
  *executable = nullptr;
  forge_error_kind kind = FORGE_ERROR_INPUT;
  return guarded(
      kind, [&] { return compile(*module, device->open, complete(options), kind, executable); });
}

void forge_executable_destroy(forge_executable *executable) { delete executable; }

const char *forge_executable_function(const forge_executable *executable) {
  return executable->code->get().signature().name.c_str();
}

int64_t forge_executable_num_arguments(const forge_executable *executable) {
  return static_cast<int64_t>(executable->code->get().signature().arguments.size());
}

int64_t forge_executable_num_results(const forge_executable *executable) {
  return static_cast<int64_t>(executable->code->get().signature().results.size());
}

forge_tensor forge_executable_argument(const forge_executable *executable, int64_t index) {
  return describe(executable->code->get().signature().arguments, index);
}

forge_tensor forge_executable_result(const forge_executable *executable, int64_t index) {
  return describe(executable->code->get().signature().results, index);
}

int forge_executable_donates(const forge_executable *executable, int64_t index) {
  const std::vector<bool> &donated = executable->code->get().signature().donated;
  return index >= 0 && index < static_cast<int64_t>(donated.size()) &&
         donated[static_cast<size_t>(index)];
}

void forge_executable_cost(const forge_executable *executable, int64_t *flops, int64_t *bytes) {
  *flops = *bytes = 0;
  for (const KernelInfo &kernel : executable->code->get().kernels()) {
    *flops = saturatingAdd(*flops, saturatingMul(kernel.flops, kernel.launches));
    *bytes = saturatingAdd(*bytes, saturatingMul(kernel.bytes, kernel.launches));
  }
}

int64_t forge_executable_temporary_bytes(const forge_executable *executable) {
  return executable->code->get().temporaryBytes();
}

static Result<void> run(forge_executable &executable, std::span<const forge_tensor> inputs,
                        forge_error_kind &kind, forge_results **result) {
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Result<HostTensor> tensor = toHost(inputs[i], "argument " + std::to_string(i));
    if (!tensor)
      return tensor.error();
    tensors.push_back(std::move(*tensor));
  }
  if (Result<void> fit = checkInputs(executable.code->get().signature(), tensors); !fit)
    return fit;
  kind = FORGE_ERROR_FAILED;
  Result<RunResult> done =
      executable.code->run([&](Executable &code) { return code.run(std::move(tensors)); });
  if (!done)
    return done.error();
  if (!done->failedChecks.empty())
    return Error{done->failedChecks.front()};
  *result = new forge_results{std::move(done->results)};
  return {};
}

forge_error *forge_executable_run(forge_executable *executable, const forge_tensor *inputs,
                                  int64_t numInputs, forge_results **results) {
  *results = nullptr;
  forge_error_kind kind = FORGE_ERROR_INPUT;
  return guarded(kind, [&]() -> Result<void> {
    if (numInputs < 0 || (numInputs > 0 && !inputs))
      return Error{"expected an array of inputs, but got " + std::to_string(numInputs) +
                   (inputs ? "" : " at a null pointer")};
    return run(*executable, {inputs, static_cast<size_t>(numInputs)}, kind, results);
  });
}

int64_t forge_results_count(const forge_results *results) {
  return static_cast<int64_t>(results->tensors.size());
}

forge_tensor forge_results_get(const forge_results *results, int64_t index) {
  if (index < 0 || index >= static_cast<int64_t>(results->tensors.size()))
    return {};
  const HostTensor &tensor = results->tensors[static_cast<size_t>(index)];
  return describe(tensor.type(), tensor.dims(), tensor.data());
}

void forge_results_destroy(forge_results *results) { delete results; }
