#include "KernelBench.h"

#include "FileLock.h"
#include "KernelInputs.h"
#include "KernelModule.h"

#include "forge/Codegen/Offers.h"
#include "forge/Execution/CodeCache.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Interpreter.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <numeric>

using namespace forge;
using mlir::func::FuncOp;

/// Timed runs of a schedule, unless they take too long: then after kLeastRuns.
static constexpr unsigned kRuns = 15, kLeastRuns = 3;
static constexpr double kMostSeconds = 0.5;

/// Of the reference, beyond which tolerances are estimated: the interpreter walks through the
/// bodies of a kernel's operations, 17 times to measure them.
static constexpr double kMostMeasuredWork = 5e4;

KernelBench::~KernelBench() {
  residents.clear();
  if (scratch)
    (void)machine.device->release(scratch);
}

bool KernelBench::canCheck(const KernelWork &work, const TargetDevice &machine) {
  return work.flops <= kMostSimulatedOps || machine.device->driverName() != "sim";
}

//===----------------------------------------------------------------------===//
// Inputs and code
//===----------------------------------------------------------------------===//

Result<void> KernelBench::makeInputs() {
  if (!inputs.empty() || kernel.getNumArguments() == 0)
    return {};
  mlir::FailureOr<std::vector<HostTensor>> made = makeKernelInputs(kernel, seed);
  if (failed(made))
    return Error{"no inputs can be made"};
  inputs = std::move(*made);
  return {};
}

/// A device is given them once.
Result<void> KernelBench::keepInputs(Executable &executable) {
  if (residents.size() == inputs.size() && !inputs.empty())
    return {};
  if (Result<void> made = makeInputs(); !made)
    return made;
  FileLock turn;
  takeTurn(turn);
  for (size_t i = residents.size(); i < inputs.size(); ++i) {
    Result<rt::Resident> kept = executable.keep(inputs[i]);
    if (!kept)
      return kept.error();
    residents.push_back(std::move(*kept));
  }
  return {};
}

void KernelBench::compileAhead(llvm::ArrayRef<ScheduleAttr> schedules) {
  llvm::SetVector<ScheduleAttr> missing;
  for (ScheduleAttr schedule : schedules)
    if (!executables.contains(schedule))
      missing.insert(schedule);
  compiler.compileAhead(missing.getArrayRef());
}

Executable *KernelBench::findOrCompile(ScheduleAttr schedule) {
  auto [entry, isNew] = executables.try_emplace(schedule);
  if (!isNew)
    return entry->second.get();
  Result<Executable> compiled = compiler.compile(schedule);
  if (compiled)
    entry->second = std::make_unique<Executable>(std::move(*compiled));
  else
    noteFailure(schedule, compiled.error());
  return entry->second.get();
}

void KernelBench::noteFailure(ScheduleAttr schedule, const Error &error) {
  std::string text = schedule.describe() + ": " + error.message;
  if (!llvm::is_contained(faults, text))
    faults.push_back(std::move(text));
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Several processes that tune, on one device, take turns.
void KernelBench::takeTurn(FileLock &turn) {
  std::string folder = CodeCache::defaultFolder();
  if (machine.device->driverName() == "sim" || folder.empty())
    return;
  std::string name = "device-" + machine.device->driverName() + "-" +
                     std::to_string(machine.device->index()) + ".lock";
  // Without a folder for it they do not.
  if (CodeCache cache(folder); cache.problem().empty())
    (void)bool(turn.lock(folder + "/" + name));
}

/// In a module what a kernel reads was written by others, or not read for long.
Result<void> KernelBench::overwriteCache() {
  size_t bytes = 2 * machine.device->properties().l2Bytes;
  if (bytes == 0)
    return {};
  if (!stream) {
    Result<std::unique_ptr<rt::Stream>> made = machine.device->createStream();
    if (!made)
      return made.error();
    stream = std::move(*made);
  }
  if (!scratch) {
    Result<void *> memory = machine.device->allocate(bytes);
    if (!memory)
      return memory.error();
    scratch = *memory;
  }
  if (Result<void> filled = stream->fill(scratch, 0, /*elementBytes=*/4, bytes / 4); !filled)
    return filled;
  return stream->synchronize();
}

Result<double> KernelBench::timeOnce(Executable &executable) {
  if (Result<void> overwritten = overwriteCache(); !overwritten)
    return overwritten.error();
  std::vector<rt::Resident *> arguments;
  for (rt::Resident &resident : residents)
    arguments.push_back(&resident);
  Result<double> ms = executable.timeLaunches(arguments);
  return ms ? Result<double>(*ms * 1e-3) : ms;
}

/// The mean of the middle half: events count in steps that are some percent of a short kernel, and
/// a median is one of those.
static std::optional<double> middleMean(std::vector<double> times) {
  if (times.empty())
    return std::nullopt;
  std::sort(times.begin(), times.end());
  llvm::ArrayRef<double> middle =
      llvm::ArrayRef(times).drop_front(times.size() / 4).drop_back(times.size() / 4);
  return std::accumulate(middle.begin(), middle.end(), 0.0) / static_cast<double>(middle.size());
}

/// By the first schedule that compiles.
Result<void> KernelBench::prepare(ScheduleAttr schedule) {
  if (!keeper) {
    Result<Executable> compiled = compiler.compile(schedule);
    if (!compiled)
      return compiled.error();
    keeper = std::make_unique<Executable>(std::move(*compiled));
  }
  return keepInputs(*keeper);
}

std::vector<std::optional<double>> KernelBench::seconds(llvm::ArrayRef<ScheduleAttr> schedules) {
  compileAhead(schedules);
  std::vector<Executable *> compiled;
  for (ScheduleAttr schedule : schedules) {
    Result<void> ready = prepare(schedule);
    if (!ready)
      noteFailure(schedule, ready.error());
    compiled.push_back(ready ? findOrCompile(schedule) : nullptr);
  }
  FileLock turn;
  takeTurn(turn);
  std::vector<std::vector<double>> times(schedules.size());
  double sum = 0;
  // The first run of each warms up.
  for (unsigned run = 0; run <= kRuns && (run <= kLeastRuns || sum < kMostSeconds); ++run)
    for (size_t i = 0; i < schedules.size(); ++i) {
      size_t at = (i + run) % schedules.size();
      if (!compiled[at])
        continue;
      Result<double> taken = timeOnce(*compiled[at]);
      if (!taken) {
        noteFailure(schedules[at], taken.error());
        compiled[at] = nullptr;
        continue;
      }
      sum += *taken;
      if (run > 0)
        times[at].push_back(*taken);
    }
  std::vector<std::optional<double>> means;
  for (size_t i = 0; i < schedules.size(); ++i)
    means.push_back(compiled[i] ? middleMean(times[i]) : std::nullopt);
  // Those to beat come again, and perhaps the best of the others.
  for (size_t i = 0; i < schedules.size(); ++i)
    if (executables.size() > mostKept &&
        (!means[i] || (i > 0 && means[0] && *means[i] > *means[0])))
      executables.erase(schedules[i]);
  return means;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static Result<std::vector<HostTensor>> resultsOf(Executable &executable,
                                                 const std::vector<HostTensor> &inputs) {
  Result<RunResult> run = executable.run(inputs);
  if (!run)
    return run.error();
  return std::move(run->results);
}

Result<std::vector<HostTensor>> KernelBench::runOnDevice(Executable &executable) {
  FileLock turn;
  takeTurn(turn);
  return resultsOf(executable, inputs);
}

Result<std::vector<HostTensor>> KernelBench::expectedByReference() {
  mlir::FailureOr<std::vector<HostTensor>> results =
      Interpreter(kernel->getParentOfType<mlir::ModuleOp>()).run(kernel, inputs);
  if (failed(results))
    return Error{"the reference does not run this kernel"};
  ErrorModelOptions options = errorModelOf(machine.target.text());
  options.mostWork = kMostMeasuredWork;
  tolerances = measureTolerances(kernel, inputs, options);
  return std::move(*results);
}

Result<std::vector<HostTensor>> KernelBench::expectedByThreads() {
  const Strategy &last = *strategies().back();
  ScheduleAttr given = ScheduleAttr::empty(kernel.getContext()).orWord("strategy", last.name);
  mlir::FailureOr<ScheduleAttr> schedule = last.plan(
      kernel, *machine.target.chip, given.orWord("library", "never"), [](const llvm::Twine &) {});
  if (failed(schedule))
    return Error{"strategy " + last.name.str() + " does not take this kernel"};
  Result<Executable> executable = compiler.compile(*schedule);
  if (!executable)
    return executable.error();
  return runOnDevice(*executable);
}

/// Threads by themselves do not hold the rows of a large kernel over rows.
Result<std::vector<HostTensor>> KernelBench::expectedOnHost() {
  mlir::OwningOpRef<mlir::ModuleOp> module = hostModuleOfKernel(kernel);
  CompileOptions options;
  options.function = "main";
  options.target = "cpu";
  options.tier = tier;
  options.from = Phase::Fuse;
  Result<Executable> executable = Executable::compile(*module, options);
  return executable ? resultsOf(*executable, inputs) : executable.error();
}

Result<void> KernelBench::computeExpected() {
  if (!expected.empty())
    return {};
  if (Result<void> made = makeInputs(); !made)
    return made;
  std::optional<KernelWork> work = workOf(kernel);
  bool isSmall = work && work->flops <= kMostReferenceOps;
  Result<std::vector<HostTensor>> results = isSmall ? expectedByReference() : expectedByThreads();
  if (!results && !isSmall)
    results = expectedOnHost();
  if (!results)
    return results.error();
  if (!isSmall) {
    ErrorModelOptions estimated = errorModelOf(machine.target.text());
    estimated.mostWork = 0;
    tolerances = measureTolerances(kernel, inputs, estimated);
  }
  expected = std::move(*results);
  return {};
}

Result<std::vector<HostTensor>> KernelBench::results(ScheduleAttr schedule) {
  if (Result<void> made = makeInputs(); !made)
    return made.error();
  Result<Executable> executable = compiler.compile(schedule);
  if (!executable)
    return executable.error();
  return runOnDevice(*executable);
}

Result<void> KernelBench::check(ScheduleAttr schedule) {
  if (Result<void> computed = computeExpected(); !computed)
    return computed;
  Result<std::vector<HostTensor>> actual = results(schedule);
  if (!actual)
    return actual.error();
  for (size_t i = 0; i < expected.size(); ++i)
    if (Comparison found = compare((*actual)[i], expected[i], tolerances[i]); !found.agree)
      return Error{"result " + std::to_string(i) +
                   " differs from the reference: " + describe(found)};
  return {};
}
