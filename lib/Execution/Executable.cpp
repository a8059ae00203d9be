#include "DeviceTrace.h"
#include "JIT.h"

#include "forge/Execution/ObjectCode.h"
#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/Invoke.h"
#include "forge/Runtime/PendingRun.h"
#include "forge/Runtime/Resident.h"
#include "forge/Support/ErrorDetails.h"

using namespace forge;

struct Executable::Impl {
  TargetDevice machine;
  FunctionSignature signature;
  CompileReport report;
  std::unique_ptr<CompiledCode> code;
  /// Of GPU targets; goes before the code, whose constants it has uploaded.
  std::unique_ptr<rt::DeviceContext> device;
  rt::Context context;

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

Result<Executable> Executable::compile(mlir::ModuleOp module, const CompileOptions &options,
                                       const TargetDevice *opened) {
  Result<TargetDevice> machine = opened ? *opened : openTarget(options.target);
  if (!machine)
    return machine.error();
  Result<ObjectCode> code = compileToObject(module, options, machine->target);
  if (!code)
    return code.error();
  return load(std::move(*code), *machine);
}

Result<Executable> Executable::load(ObjectCode code, const TargetDevice &machine) {
  auto impl = std::make_unique<Impl>();
  if (machine.device) {
    Result<std::unique_ptr<rt::DeviceContext>> context = rt::DeviceContext::create(machine.device);
    if (!context)
      return context.error();
    impl->device = std::move(*context);
  }
  impl->machine = machine;
  impl->context.setDevice(impl->device.get());
  impl->signature = std::move(code.signature);
  impl->report = std::move(code.report);
  Result<std::unique_ptr<CompiledCode>> loaded =
      CompiledCode::load(std::move(code.object), impl->signature.name + "__packed");
  if (!loaded)
    return loaded.error();
  impl->code = std::move(*loaded);
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

Result<rt::PendingRun> Executable::begin(std::span<rt::Resident *const> arguments,
                                         std::span<const std::optional<size_t>> kept) {
  TraceScope scope("run", "run @" + impl->signature.name);
  Result<rt::PendingRun> begun =
      rt::begin(impl->context, impl->code->entry(), impl->signature, arguments, kept);
  if (!begun)
    return impl->aboutRun(begun.error());
  if (Result<void> traced = impl->traceDevice(); !traced)
    return traced.error();
  impl->context.reset();
  return begun;
}

Result<std::vector<HostTensor>> Executable::finish(rt::PendingRun run) {
  Result<std::vector<HostTensor>> results = run.finish();
  return results ? std::move(results) : impl->aboutRun(results.error());
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
