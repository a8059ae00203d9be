#include "CodeKey.h"
#include "DeviceImage.h"
#include "DeviceTrace.h"
#include "HostEffort.h"
#include "JIT.h"
#include "PhaseWatch.h"
#include "RunPhases.h"

#include "forge/Execution/CodeCache.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/Invoke.h"
#include "forge/Runtime/Resident.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Target/Device/HostCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace forge;

using Object = std::unique_ptr<llvm::MemoryBuffer>;

struct Executable::Impl {
  TargetDevice machine;
  FunctionSignature signature;
  CompileReport report;
  std::unique_ptr<CompiledCode> code;
  /// Of GPU targets; goes before the code, whose constants it has uploaded.
  std::unique_ptr<rt::DeviceContext> device;
  rt::Context context;

  Result<Object> compile(mlir::ModuleOp module, const CompileOptions &options,
                         const Target &target);
  Result<Object> findOrCompile(mlir::ModuleOp module, const CompileOptions &options,
                               const Target &target);
  template <typename Invoke> Result<RunResult> measure(Invoke invoke);
  Error aboutRun(const Error &error) const;
  Result<void> traceDevice();
};

Executable::Executable(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Executable::Executable(Executable &&) noexcept = default;
Executable &Executable::operator=(Executable &&) noexcept = default;
Executable::~Executable() = default;

const FunctionSignature &Executable::signature() const { return impl->signature; }
const std::vector<PhaseTime> &Executable::phaseTimes() const { return impl->report.phases; }
const std::vector<KernelInfo> &Executable::kernels() const { return impl->report.kernels; }
int64_t Executable::temporaryBytes() const { return impl->report.temporaryBytes; }
const TargetDevice &Executable::machine() const { return impl->machine; }
uint64_t Executable::codeHash() const { return impl->code->hash(); }

mlir::OwningOpRef<mlir::ModuleOp> forge::isolate(mlir::ModuleOp module, llvm::StringRef entry) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  for (auto function : copy->getOps<mlir::func::FuncOp>())
    if (function.getName() == entry)
      function.setPublic();
    else
      function.setPrivate();
  return copy;
}

/// Compiles device code and puts it into the host module.
static Result<void> embedDevice(mlir::ModuleOp module, const Target &target,
                                std::vector<PhaseTime> &times, std::vector<KernelInfo> &kernels) {
  PhaseWatch watch(times);
  std::vector<KernelResources> resources;
  Result<std::string> code = compileDevice(module, target, resources);
  if (!code)
    return code.error();
  addResources(resources, kernels);
  embedDeviceCode(module, *code);
  watch.lap("device");
  return {};
}

/// Takes `module` itself to an object file.
Result<Object> Executable::Impl::compile(mlir::ModuleOp module, const CompileOptions &options,
                                         const Target &target) {
  if (Result<void> result = runPhases(module, options, lastPhaseOf(target), report); !result)
    return result.error();
  if (target.isGPU())
    if (Result<void> embedded = embedDevice(module, target, report.phases, report.kernels);
        !embedded)
      return withDetails(embedded.error(), {.stage = "codegen"});
  return compileObject(module, hostEffort(options.tier, target), report.phases);
}

/// What the cache has, if there is one, or else `compile` of it, which is then kept.
Result<Object> Executable::Impl::findOrCompile(mlir::ModuleOp module, const CompileOptions &options,
                                               const Target &target) {
  std::optional<std::string> key = options.cache ? codeKey(module, target, options) : std::nullopt;
  if (!key)
    return compile(module, options, target);
  if (std::optional<CodeCache::Code> found = options.cache->find(*key)) {
    report.kernels = std::move(found->kernels);
    report.temporaryBytes = found->temporaryBytes;
    return std::move(found->object);
  }
  Result<Object> object = compile(module, options, target);
  if (object)
    options.cache->store(*key, **object, report.kernels, report.temporaryBytes);
  return object;
}

Result<Executable> Executable::compile(mlir::ModuleOp module, const CompileOptions &options,
                                       const TargetDevice *opened) {
  auto impl = std::make_unique<Impl>();
  Result<TargetDevice> machine = opened ? *opened : openTarget(options.target);
  if (!machine)
    return machine.error();
  const Target *target = &machine->target;
  if (machine->device) {
    Result<std::unique_ptr<rt::DeviceContext>> context = rt::DeviceContext::create(machine->device);
    if (!context)
      return context.error();
    impl->device = std::move(*context);
  }
  impl->machine = *machine;
  impl->context.setDevice(impl->device.get());
  CompileOptions withChip = options;
  withChip.target = target->text();
  Result<FunctionSignature> signature =
      options.signature ? *options.signature : signatureOf(module, options.function);
  if (!signature)
    return signature.error();
  impl->signature = *signature;
  TraceScope scope("compile", "compile @" + signature->name);
  mlir::OwningOpRef<mlir::ModuleOp> copy = isolate(module, signature->name);
  Result<Object> object = impl->findOrCompile(*copy, withChip, *target);
  if (!object)
    return object.error();
  std::string entry = signature->name + "__packed";
  Result<std::unique_ptr<CompiledCode>> code = CompiledCode::load(std::move(*object), entry);
  if (!code)
    return code.error();
  impl->code = std::move(*code);
  return Executable(std::move(impl));
}

/// Adds `sign` times what the device's counters say.
static void addCounts(rt::DeviceContext *device, int64_t sign, RunResult &run) {
  if (!device)
    return;
  run.launchesIssued += sign * static_cast<int64_t>(device->numLaunches());
  run.graphCaptures += sign * static_cast<int64_t>(device->numGraphCaptures());
  run.graphReplays += sign * static_cast<int64_t>(device->numGraphReplays());
  run.threadsSimulated += sign * static_cast<int64_t>(device->device().threadsSimulated());
}

/// Adds what the device did since the last time to the trace that is recorded.
Result<void> Executable::Impl::traceDevice() {
  Trace *trace = Trace::active();
  if (!trace || !device)
    return {};
  Result<std::vector<rt::DeviceTime>> times = device->takeTimes();
  if (!times)
    return times.error();
  addToTrace(*trace, device->device(), signature.name, *times, report.kernels);
  return {};
}

/// What is known of an error of a run: where the source has what its kernel computes.
Error Executable::Impl::aboutRun(const Error &error) const {
  ErrorDetails details = knownDetails(error.message);
  details.fillFrom({.stage = "run"});
  for (const KernelInfo &kernel : report.kernels)
    if (kernel.name == details.kernel && !kernel.places.empty())
      details.fillFrom({.location = kernel.places.front()});
  return withDetails(error, details);
}

/// What one run gave, by `invoke`.
template <typename Invoke> Result<RunResult> Executable::Impl::measure(Invoke invoke) {
  RunResult run;
  TraceScope scope("run", "run @" + signature.name);
  addCounts(device.get(), -1, run);
  Result<rt::Invocation> done = invoke();
  if (!done)
    return aboutRun(done.error());
  if (Result<void> traced = traceDevice(); !traced)
    return traced.error();
  addCounts(device.get(), 1, run);
  run.results = std::move(done->results);
  run.runMs = done->runMs;
  run.failedChecks = context.failedChecks();
  run.numChecks = context.numChecks();
  run.peakTemporaryBytes =
      static_cast<int64_t>(device ? device->peakBytes() : context.memory().peakBytes());
  context.reset();
  return run;
}

Result<RunResult> Executable::run(std::vector<HostTensor> inputs) {
  return impl->measure([&] {
    return rt::invoke(impl->context, impl->code->entry(), impl->signature, std::move(inputs));
  });
}

Result<rt::Resident> Executable::keep(HostTensor tensor) {
  return rt::Resident::create(impl->context, std::move(tensor));
}

Result<rt::Resident> Executable::keep(const TensorSource &source) {
  return rt::Resident::create(impl->context, source);
}

Result<void> Executable::write(rt::Resident &tensor, HostTensor elements) {
  return tensor.write(impl->context, std::move(elements));
}

Result<RunResult> Executable::run(std::span<rt::Resident *const> arguments,
                                  std::span<const std::optional<size_t>> kept) {
  return impl->measure([&] {
    return rt::invoke(impl->context, impl->code->entry(), impl->signature, arguments, kept);
  });
}

Result<std::vector<rt::Resident>> Executable::runKept(std::span<rt::Resident *const> arguments) {
  Result<std::vector<rt::Resident>> results =
      rt::invokeKept(impl->context, impl->code->entry(), impl->signature, arguments);
  if (!results)
    results = impl->aboutRun(results.error());
  else if (!impl->context.failedChecks().empty())
    results = Error{impl->context.failedChecks().front()};
  impl->context.reset();
  return results;
}

bool Executable::giveBack() { return impl->device && impl->device->giveBack(); }

Result<double> Executable::timeLaunches(std::span<rt::Resident *const> arguments) {
  if (!impl->device)
    return Error{"expected a target with a device, but got " + impl->machine.target.text()};
  impl->device->setTiming(true);
  Result<std::vector<rt::Resident>> results = runKept(arguments);
  Result<std::vector<rt::DeviceTime>> times = impl->device->takeTimes();
  impl->device->setTiming(false);
  if (!results)
    return results.error();
  if (!times)
    return times.error();
  double ms = 0;
  for (const rt::DeviceTime &launch : *times)
    if (launch.kind != rt::DeviceWork::Copy)
      ms += launch.ms;
  return ms;
}

Result<double> Executable::timeRun(std::vector<HostTensor> &inputs) {
  Result<double> ms = rt::timeCall(impl->context, impl->code->entry(), impl->signature, inputs);
  impl->context.reset();
  return ms;
}
