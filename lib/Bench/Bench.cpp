#include "forge/Bench/Bench.h"

#include "forge/Codegen/CostModel.h"
#include "forge/Codegen/Explain.h"
#include "forge/Execution/Lowering.h"
#include "forge/Runtime/RandomInputs.h"
#include "forge/Runtime/Resident.h"
#include "forge/Support/AvailableMemory.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/KeptResults.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <deque>

using namespace forge;

static constexpr size_t kWarmUps = 2;

namespace {
/// A function compiled, on tensors of its own: those whose argument is donated are overwritten.
struct Contender {
  Executable executable;
  std::vector<rt::Resident> arguments;

  static Result<Contender> create(mlir::ModuleOp module, const CompileOptions &options,
                                  const TargetDevice &machine,
                                  const std::vector<HostTensor> &inputs);
  Result<double> run();
};
} // namespace

Result<Contender> Contender::create(mlir::ModuleOp module, const CompileOptions &options,
                                    const TargetDevice &machine,
                                    const std::vector<HostTensor> &inputs) {
  Result<Executable> executable = Executable::compile(module, options, &machine);
  if (!executable)
    return executable.error();
  // On the CPU each has tensors of its own in the memory of the process.
  size_t bytes = 0;
  for (const HostTensor &input : inputs)
    bytes += machine.target.isGPU() ? 0 : input.numBytes();
  if (exceedsMemory(bytes))
    return Error{
        llvm::formatv("arguments of a tier of its own take {0:f1} GB of memory, of which {1:f1} "
                      "are available",
                      double(bytes) * 1e-9, double(availableMemory()) * 1e-9)};
  Contender contender{std::move(*executable), {}};
  for (const HostTensor &input : inputs) {
    Result<rt::Resident> kept = contender.executable.keep(input);
    if (!kept)
      return kept.error();
    contender.arguments.push_back(std::move(*kept));
  }
  return std::move(contender);
}

Result<double> Contender::run() {
  std::vector<rt::Resident *> pointers;
  for (rt::Resident &argument : arguments)
    pointers.push_back(&argument);
  // Results are not copied to the host: the device would be idle for milliseconds after each run
  // and lower its clock, and the next run would take up to 8 % longer.
  std::vector<std::optional<size_t>> dropped(executable.signature().results.size(), kDroppedResult);
  Result<RunResult> done = executable.run(pointers, dropped);
  if (!done)
    return done.error();
  if (!done->failedChecks.empty())
    return Error{done->failedChecks.front()};
  return done->runMs;
}

//===----------------------------------------------------------------------===//
// Ceilings
//===----------------------------------------------------------------------===//

namespace {
struct Ceiling {
  std::string name, text;
  std::vector<std::pair<DType, std::vector<int64_t>>> arguments;
  double bytes = 0, flops = 0;
};
} // namespace

/// Reads and writes far more than caches hold.
static Ceiling copyCeiling(bool isGPU) {
  int64_t elements = isGPU ? int64_t(1) << 26 : int64_t(1) << 24;
  std::string type = "tensor<" + std::to_string(elements) + "xf32>";
  return {"copy",
          "func.func @main(%x: " + type + ") -> " + type + " { %0 = stablehlo.negate %x : " + type +
              " return %0 : " + type + " }",
          {{DType::F32, {elements}}},
          8.0 * double(elements),
          0};
}

static Ceiling productCeiling(bool isGPU) {
  int64_t size = isGPU ? 4096 : 1024;
  std::string type =
      "tensor<" + std::to_string(size) + "x" + std::to_string(size) + (isGPU ? "xbf16>" : "xf32>");
  DType element = isGPU ? DType::BF16 : DType::F32;
  return {"product",
          "func.func @main(%x: " + type + ", %y: " + type + ") -> " + type +
              " { %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (" + type +
              ", " + type + ") -> " + type + " return %0 : " + type + " }",
          {{element, {size, size}}, {element, {size, size}}},
          0,
          2.0 * double(size) * double(size) * double(size)};
}

/// Zeros would take less energy, and so run at a higher clock.
static Result<std::vector<HostTensor>> inputsOf(const Ceiling &ceiling) {
  rt::RandomInputs random(/*seed=*/1);
  std::vector<HostTensor> inputs;
  for (const auto &[type, dims] : ceiling.arguments) {
    Result<HostTensor> tensor = random.draw({type, dims}, inputs.size());
    if (!tensor)
      return tensor.error();
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

static Result<Contender> createCeiling(const Ceiling &ceiling, mlir::MLIRContext *context,
                                       const TargetDevice &machine) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(ceiling.text, context);
  if (!module)
    return Error{"the ceiling " + ceiling.name + " cannot be read"};
  Result<std::vector<HostTensor>> inputs = inputsOf(ceiling);
  if (!inputs)
    return inputs.error();
  CompileOptions options;
  options.target = machine.target.text();
  options.tier = Tier::Production;
  return Contender::create(*module, options, machine, *inputs);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// The sum over all launches; nothing where a size is not known.
static Result<std::optional<KernelTimes>>
kernelTimesOf(mlir::ModuleOp module, const CompileOptions &options, const GPUChip &chip) {
  mlir::OwningOpRef<mlir::ModuleOp> lowered(module.clone());
  if (Result<void> done = lowerTo(*lowered, options, Phase::Kernels); !done)
    return done.error();
  KernelTimes times;
  for (const KernelExplanation &kernel : explainKernels(*lowered, chip, {})) {
    std::optional<PredictedTime> predicted =
        predictTime(*findStrategy(kernel.schedule.strategy()),
                    lowered->lookupSymbol<mlir::func::FuncOp>(kernel.name), chip);
    if (!kernel.work || !predicted)
      return std::optional<KernelTimes>();
    times.floorMs += floorSeconds(kernel, chip) * double(kernel.launches) * 1e3;
    times.predictedMs += (predicted->seconds + kLaunchSeconds) * double(kernel.launches) * 1e3;
  }
  return std::optional(times);
}

using Run = std::function<Result<double>()>;

/// One run of each in turn, each time beginning with another one. Of two each follows the other:
/// beginning with the other, too, each would follow itself every second time.
static Result<void> timeAll(const std::vector<Run> &all, size_t runs, std::vector<BenchRow> &rows) {
  for (size_t run = 0; run < kWarmUps + runs; ++run)
    for (size_t i = 0; i < all.size(); ++i) {
      size_t first = all.size() == 2 ? 0 : run, at = (i + first) % all.size();
      Result<double> ms = all[at]();
      if (!ms)
        return Error{rows[at].name + ": " + ms.error().message};
      if (run >= kWarmUps)
        rows[at].ms.push_back(*ms);
    }
  return {};
}

/// The libraries that are here and offer what kernels compute; rows of `report` for them, and the
/// reasons of the others.
static Result<std::vector<std::unique_ptr<Peer>>> createPeers(mlir::ModuleOp module,
                                                              const CompileOptions &options,
                                                              const TargetDevice &machine,
                                                              BenchReport &report) {
  mlir::OwningOpRef<mlir::ModuleOp> lowered(module.clone());
  if (Result<void> done = lowerTo(*lowered, options, Phase::Kernels); !done)
    return done.error();
  PeerCalls found = peerCallsOf(*lowered, *machine.target.chip, machine.device->driverName());
  report.withoutPeer = std::move(found.others);
  std::vector<std::unique_ptr<Peer>> peers;
  for (const PeerCall &call : found.calls) {
    Result<std::unique_ptr<Peer>> peer = Peer::create(call, machine.device);
    if (!peer) {
      for (const std::string &kernel : call.kernels)
        report.withoutPeer.push_back({kernel, call.library + ": " + peer.error().message});
      continue;
    }
    peers.push_back(std::move(*peer));
    report.rows.push_back({call.name(), {}, 0, 0, call.description()});
    ++report.numPeers;
  }
  return std::move(peers);
}

Result<TargetDevice> forge::openTimedTarget(const std::string &target) {
  Result<TargetDevice> machine = openTarget(target);
  if (!machine)
    return machine.error();
  if (machine->device && machine->device->driverName() == "sim")
    return withDetails(Error{"expected a target with a clock, but got " + machine->target.text() +
                             ", a simulated device"},
                       {.advice = "forge explain, which predicts times, or --target cuda, hip or "
                                  "cpu on a machine that has one"});
  return machine;
}

Result<BenchReport> forge::bench(mlir::ModuleOp module, const BenchOptions &options) {
  Result<TargetDevice> machine = openTimedTarget(options.compile.target);
  if (!machine)
    return machine.error();
  const Target &target = machine->target;
  auto tell = [&](llvm::StringRef step) {
    if (options.progress)
      options.progress(step);
  };
  BenchReport report;
  // They stay where they are: the runs point to them.
  std::deque<Contender> contenders;
  std::vector<std::unique_ptr<Peer>> peers;
  std::vector<Run> runs;
  auto add = [&](Contender made) {
    contenders.push_back(std::move(made));
    runs.push_back([contender = &contenders.back()] { return contender->run(); });
  };
  CompileOptions compile = options.compile;
  compile.target = target.text();
  for (const std::string &name : options.tiers) {
    tell("compiling, tier " + name);
    std::optional<Tier> tier = parseTier(name);
    if (!tier)
      return Error{"unknown tier '" + name + "'"};
    if (llvm::any_of(report.rows, [&](const BenchRow &row) { return row.name == name; }))
      return Error{"tier '" + name + "' is there twice"};
    compile.tier = *tier;
    Result<Contender> made = Contender::create(module, compile, *machine, options.inputs);
    if (!made)
      return made.error();
    report.work.emplace_back();
    for (const KernelInfo &kernel : made->executable.kernels()) {
      report.work.back().bytes += double(kernel.bytes) * double(kernel.launches);
      report.work.back().flops += double(kernel.flops) * double(kernel.launches);
    }
    add(std::move(*made));
    report.rows.push_back({name, {}});
    if (!target.isGPU())
      continue;
    Result<std::optional<KernelTimes>> times = kernelTimesOf(module, compile, *target.chip);
    if (!times)
      return times.error();
    report.kernels.push_back(*times);
  }
  if (options.peers && target.isGPU() && !options.tiers.empty()) {
    tell("asking the vendor's libraries");
    compile.tier = *parseTier(options.tiers.front());
    Result<std::vector<std::unique_ptr<Peer>>> made =
        createPeers(module, compile, *machine, report);
    if (!made)
      return made.error();
    peers = std::move(*made);
    for (const std::unique_ptr<Peer> &peer : peers)
      runs.push_back([peer = peer.get()] { return peer->run(); });
  }
  if (options.ceilings)
    for (const Ceiling &ceiling : {copyCeiling(target.isGPU()), productCeiling(target.isGPU())}) {
      tell("compiling the ceiling " + ceiling.name);
      Result<Contender> made = createCeiling(ceiling, module.getContext(), *machine);
      if (!made)
        return made.error();
      add(std::move(*made));
      report.rows.push_back({ceiling.name, {}, ceiling.bytes, ceiling.flops});
    }
  tell("timing");
  if (Result<void> timed = timeAll(runs, options.runs, report.rows); !timed)
    return timed.error();
  for (size_t i = 0; i < peers.size(); ++i)
    report.rows[options.tiers.size() + i].isCalledEachTime = peers[i]->isCalledEachTime();
  return report;
}
