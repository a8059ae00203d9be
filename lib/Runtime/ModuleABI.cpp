#include "forge/Runtime/ModuleABI.h"

#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/DeviceRegistry.h"
#include "forge/Runtime/Invoke.h"
#include "forge/Runtime/MemoryRate.h"
#include "forge/Runtime/PendingRun.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/KeptResults.h"
#include "forge/Support/ModuleSignature.h"

#include <cstdio>
#include <cstring>
#include <deque>

using namespace forge;
using namespace forge::rt;

struct forge_module {
  ModuleSignature signature;
  Context::Entry entry = nullptr;
  std::shared_ptr<Device> opened; ///< null on the CPU
  // The context is gone before the device it uses.
  std::unique_ptr<DeviceContext> device;
  Context context;
  Invocation last;
  /// Runs under way, the first one first.
  std::deque<PendingRun> pending;
  std::unique_ptr<LoadedCall> loaded;
  std::string error, report;
  bool timing = false;
};

struct forge_module_tensor {
  Resident resident;
};

/// Of forge_module_open, which has no module to keep it in.
static thread_local std::string openError;

/// The module on a device, or on the CPU where that is null.
static Result<std::unique_ptr<forge_module>> openOn(ModuleSignature signature, Context::Entry entry,
                                                    std::shared_ptr<Device> opened) {
  auto module = std::make_unique<forge_module>();
  module->signature = std::move(signature);
  module->entry = entry;
  module->opened = std::move(opened);
  if (!module->opened)
    return module;
  Result<std::unique_ptr<DeviceContext>> context = DeviceContext::create(module->opened);
  if (!context)
    return context.error();
  module->device = std::move(*context);
  module->context.setDevice(module->device.get());
  return module;
}

static Result<ModuleSignature> signatureOf(const forge_module_info *info) {
  if (!info || info->version != FORGE_MODULE_VERSION)
    return Error{"expected a module of version " + std::to_string(FORGE_MODULE_VERSION) +
                 ", but got " + (info ? std::to_string(info->version) : "none")};
  return parseSignature(info->signature);
}

static Result<std::unique_ptr<forge_module>> open(const forge_module_info *info, int64_t device) {
  Result<ModuleSignature> signature = signatureOf(info);
  if (!signature)
    return signature.error();
  std::shared_ptr<Device> opened;
  if (signature->target != "cpu") {
    Result<std::shared_ptr<Device>> found = openDevice(signature->target, static_cast<int>(device));
    if (!found)
      return found.error();
    opened = std::move(*found);
  }
  return openOn(std::move(*signature), info->entry, std::move(opened));
}

static Result<std::unique_ptr<forge_module>> openBeside(const forge_module_info *info,
                                                        const forge_module &first) {
  Result<ModuleSignature> signature = signatureOf(info);
  if (!signature)
    return signature.error();
  if (signature->target != first.signature.target)
    return Error{"expected a module for " + first.signature.target + ", but got one for " +
                 signature->target};
  return openOn(std::move(*signature), info->entry, first.opened);
}

/// The module, or null and the error kept.
static forge_module *tellOpened(Result<std::unique_ptr<forge_module>> opened) {
  openError = opened ? "" : opened.error().message;
  return opened ? opened->release() : nullptr;
}

forge_module *forge_module_open(const forge_module_info *info, int64_t device) {
  return tellOpened(open(info, device));
}

forge_module *forge_module_open_beside(const forge_module_info *info, forge_module *first) {
  return tellOpened(openBeside(info, *first));
}

void forge_module_close(forge_module *module) { delete module; }

/// A copy of what the caller passes.
static Result<HostTensor> copyIn(const forge_tensor &tensor, int64_t index) {
  std::string what = "input " + std::to_string(index);
  std::optional<DType> type = parseDType(tensor.type ? tensor.type : "");
  if (!type)
    return Error{what + ": unknown element type " + (tensor.type ? tensor.type : "(null)")};
  Result<HostTensor> copy =
      HostTensor::create(*type, std::vector<int64_t>(tensor.sizes, tensor.sizes + tensor.rank));
  if (!copy)
    return Error{what + ": " + copy.error().message};
  if (copy->numBytes() > 0)
    std::memcpy(copy->data(), tensor.data, copy->numBytes());
  return copy;
}

/// "MS<tab>KERNEL<tab>DESCRIPTION" per launch.
static Result<std::string> reportTimes(DeviceContext &device) {
  Result<std::vector<DeviceTime>> times = device.takeTimes();
  if (!times)
    return times.error();
  std::string text;
  for (const DeviceTime &time : *times) {
    char number[32];
    std::snprintf(number, sizeof number, "%.6f", time.ms);
    text += std::string(number) + "\t" + time.name + "\t" + time.description + "\n";
  }
  return text;
}

static Result<std::vector<HostTensor>> copyAll(const forge_tensor *inputs, int64_t numInputs) {
  std::vector<HostTensor> tensors;
  for (int64_t i = 0; i < numInputs; ++i) {
    Result<HostTensor> tensor = copyIn(inputs[i], i);
    if (!tensor)
      return tensor.error();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// What a run leaves besides its results: failed checks, and times.
static Result<void> finishRun(forge_module &module) {
  if (!module.context.failedChecks().empty())
    return Error{module.context.failedChecks().front()};
  module.report.clear();
  if (!module.timing || !module.device)
    return {};
  Result<std::string> report = reportTimes(*module.device);
  if (!report)
    return report.error();
  module.report = std::move(*report);
  return {};
}

static Result<void> runOnce(forge_module &module, const forge_tensor *inputs, int64_t numInputs) {
  Result<std::vector<HostTensor>> tensors = copyAll(inputs, numInputs);
  if (!tensors)
    return tensors.error();
  Result<Invocation> done =
      invoke(module.context, module.entry, module.signature.function, std::move(*tensors));
  if (!done)
    return done.error();
  module.last = std::move(*done);
  return finishRun(module);
}

static Result<void> load(forge_module &module, const forge_tensor *inputs, int64_t numInputs) {
  module.loaded.reset();
  Result<std::vector<HostTensor>> tensors = copyAll(inputs, numInputs);
  if (!tensors)
    return tensors.error();
  Result<std::unique_ptr<LoadedCall>> made =
      LoadedCall::create(module.context, module.signature.function, std::move(*tensors));
  if (!made)
    return made.error();
  module.loaded = std::move(*made);
  return {};
}

static Result<void> runRandom(forge_module &module, const forge_tensor *inputs, int64_t numInputs,
                              uint64_t seed) {
  module.loaded.reset();
  std::vector<std::optional<HostTensor>> given(static_cast<size_t>(numInputs));
  for (int64_t i = 0; i < numInputs; ++i) {
    if (!inputs[i].data)
      continue;
    Result<HostTensor> tensor = copyIn(inputs[i], i);
    if (!tensor)
      return tensor.error();
    given[static_cast<size_t>(i)] = std::move(*tensor);
  }
  Result<std::unique_ptr<LoadedCall>> made =
      LoadedCall::createRandom(module.context, module.signature.function, std::move(given), seed);
  if (!made)
    return made.error();
  module.loaded = std::move(*made);
  Result<Invocation> done = module.loaded->invoke(module.entry, module.signature.function);
  if (!done)
    return done.error();
  module.last = std::move(*done);
  return finishRun(module);
}

static Result<void> runLoaded(forge_module &module) {
  if (!module.loaded)
    return Error{"expected inputs loaded by forge_module_load before forge_module_run_loaded"};
  Result<double> ms = module.loaded->run(module.entry);
  if (!ms)
    return ms.error();
  module.last.results.clear();
  module.last.runMs = *ms;
  return finishRun(module);
}

static Result<forge_module_tensor *> keep(forge_module &module, const forge_module_source &given) {
  const forge_tensor &tensor = given.tensor;
  std::optional<DType> type = parseDType(tensor.type ? tensor.type : "");
  if (!type)
    return Error{std::string("unknown element type ") + (tensor.type ? tensor.type : "(null)")};
  TensorSource source;
  source.spec = {*type, std::vector<int64_t>(tensor.sizes, tensor.sizes + tensor.rank)};
  source.copy = [&given](size_t offset, std::span<char> bytes) {
    given.copy(given.context, offset, bytes.data(), bytes.size());
  };
  Result<Resident> made = Resident::create(module.context, source);
  if (!made)
    return made.error();
  return new forge_module_tensor{std::move(*made)};
}

static Result<void> write(forge_module &module, forge_module_tensor &tensor,
                          const forge_tensor &elements) {
  Result<HostTensor> copy = copyIn(elements, 0);
  return copy ? tensor.resident.write(module.context, std::move(*copy)) : copy.error();
}

namespace {
/// A run on kept tensors, as the runtime takes it.
struct KeptCall {
  std::vector<Resident *> arguments;
  std::vector<std::optional<size_t>> kept;
};
} // namespace

static_assert(FORGE_MODULE_ALSO_GIVEN == static_cast<int64_t>(kAlsoGiven));

static Result<KeptCall> readCall(std::span<forge_module_tensor *const> given,
                                 std::span<const int64_t> kept) {
  KeptCall call;
  for (forge_module_tensor *tensor : given)
    call.arguments.push_back(&tensor->resident);
  for (int64_t number : kept) {
    int64_t argument = number < 0 ? number : number & ~FORGE_MODULE_ALSO_GIVEN;
    if (argument >= static_cast<int64_t>(given.size()))
      return Error{"expected a result to be one of " + std::to_string(given.size()) +
                   " arguments, but got number " + std::to_string(argument)};
    call.kept.push_back(number == -1  ? std::nullopt
                        : number < -1 ? std::optional(kDroppedResult)
                                      : std::optional(static_cast<size_t>(number)));
  }
  return call;
}

static Result<void> runKept(forge_module &module, const Result<KeptCall> &call) {
  if (!call)
    return call.error();
  Result<Invocation> done =
      invoke(module.context, module.entry, module.signature.function, call->arguments, call->kept);
  if (!done)
    return done.error();
  module.last = std::move(*done);
  return finishRun(module);
}

static Result<void> beginKept(forge_module &module, const Result<KeptCall> &call) {
  if (!call)
    return call.error();
  Result<PendingRun> begun =
      begin(module.context, module.entry, module.signature.function, call->arguments, call->kept);
  if (!begun)
    return begun.error();
  module.pending.push_back(std::move(*begun));
  return finishRun(module);
}

static Result<void> finish(forge_module &module) {
  if (module.pending.empty())
    return Error{"expected a run begun by forge_module_begin_kept before forge_module_finish"};
  PendingRun run = std::move(module.pending.front());
  module.pending.pop_front();
  Result<std::vector<HostTensor>> results = run.finish();
  if (!results)
    return results.error();
  module.last = {std::move(*results), 0};
  return {};
}

/// 0, or 1 and the error kept.
static int tell(forge_module &module, const Result<void> &done) {
  if (done) {
    module.error.clear();
  } else {
    // Who reads it has nothing but the text.
    std::string place = knownDetails(done.error().message).location;
    module.error = (place.empty() ? "" : place + ": ") + done.error().message;
  }
  return done ? 0 : 1;
}

int forge_module_run(forge_module *module, const forge_tensor *inputs, int64_t numInputs) {
  return tell(*module, runOnce(*module, inputs, numInputs));
}

int forge_module_load(forge_module *module, const forge_tensor *inputs, int64_t numInputs) {
  return tell(*module, load(*module, inputs, numInputs));
}

int forge_module_run_random(forge_module *module, const forge_tensor *inputs, int64_t numInputs,
                            uint64_t seed) {
  return tell(*module, runRandom(*module, inputs, numInputs, seed));
}

int forge_module_run_loaded(forge_module *module) { return tell(*module, runLoaded(*module)); }

forge_module_tensor *forge_module_keep(forge_module *module, const forge_module_source *source) {
  Result<forge_module_tensor *> made = keep(*module, *source);
  module->error = made ? "" : made.error().message;
  return made ? *made : nullptr;
}

int forge_module_write(forge_module *module, forge_module_tensor *tensor,
                       const forge_tensor *elements) {
  return tell(*module, write(*module, *tensor, *elements));
}

void forge_module_release(forge_module_tensor *tensor) { delete tensor; }

int forge_module_run_kept(forge_module *module, forge_module_tensor *const *arguments,
                          int64_t numArguments, const int64_t *kept, int64_t numKept) {
  return tell(*module, runKept(*module, readCall({arguments, static_cast<size_t>(numArguments)},
                                                 {kept, static_cast<size_t>(numKept)})));
}

int forge_module_begin_kept(forge_module *module, forge_module_tensor *const *arguments,
                            int64_t numArguments, const int64_t *kept, int64_t numKept) {
  return tell(*module, beginKept(*module, readCall({arguments, static_cast<size_t>(numArguments)},
                                                   {kept, static_cast<size_t>(numKept)})));
}

int forge_module_finish(forge_module *module) { return tell(*module, finish(*module)); }

int64_t forge_module_num_results(forge_module *module) {
  return static_cast<int64_t>(module->last.results.size());
}

forge_tensor forge_module_result(forge_module *module, int64_t index) {
  HostTensor &tensor = module->last.results[static_cast<size_t>(index)];
  // The names are literals: they end in a NUL.
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
  return {dtypeName(tensor.type()).data(), tensor.rank(), tensor.dims().data(), tensor.data()};
}

double forge_module_run_ms(forge_module *module) { return module->last.runMs; }

double forge_module_memory_rate(forge_module *module, int64_t bytes) {
  return memoryRate(module->opened.get(), bytes < 0 ? 0 : static_cast<uint64_t>(bytes));
}

void forge_module_set_timing(forge_module *module, int on) {
  module->timing = on;
  if (module->device)
    module->device->setTiming(on);
}

const char *forge_module_timing_report(forge_module *module) { return module->report.c_str(); }

const char *forge_module_error(forge_module *module) {
  return module ? module->error.c_str() : openError.c_str();
}
