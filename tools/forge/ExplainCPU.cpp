#include "ExplainCPU.h"

#include "Progress.h"

#include "forge/Bench/Bench.h"
#include "forge/Bench/Samples.h"
#include "forge/Execution/Lowering.h"
#include "forge/Verify/Inputs.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

static constexpr size_t kRuns = 15;

namespace {
/// A function's time, and what it takes at the least at the ceilings of this machine.
struct FunctionTime {
  MedianInterval ms;
  /// Bytes a second of a copy, read and written; operations a second of a product of f32.
  double copyBandwidth = 0, productFlops = 0;
  /// Nothing where sizes are not known: arguments and results once at the copy's speed, all
  /// operations at the product's.
  std::optional<double> memoryMs, arithmeticMs;

  std::optional<double> floorMs() const {
    return memoryMs ? std::optional(std::max(*memoryMs, *arithmeticMs)) : std::nullopt;
  }
  bool isBoundByMemory() const { return *memoryMs >= *arithmeticMs; }
};
} // namespace

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Of arguments and results; nothing where a size is not known.
static std::optional<double> bytesOf(mlir::FunctionType type) {
  double bytes = 0;
  for (mlir::TypeRange types :
       {mlir::TypeRange(type.getInputs()), mlir::TypeRange(type.getResults())})
    for (mlir::Type one : types) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(one);
      if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
        return std::nullopt;
      bytes += double(tensor.getNumElements()) * ((tensor.getElementTypeBitWidth() + 7) / 8);
    }
  return bytes;
}

static double median(const BenchRow &row) { return medianInterval(row.ms)->median; }

static Result<FunctionTime> timeFunction(mlir::ModuleOp module, mlir::func::FuncOp function,
                                         const CompileOptions &compile, const std::string &tier,
                                         const std::vector<KernelInfo> &kernels) {
  BenchOptions options;
  options.compile = compile;
  options.compile.function = function.getSymName().str();
  options.tiers = {tier};
  options.runs = kRuns;
  mlir::FailureOr<std::vector<HostTensor>> inputs = makeInputs(function, {});
  if (failed(inputs))
    return Error{"no inputs can be made"};
  options.inputs = std::move(*inputs);
  std::optional<double> bytes = bytesOf(function.getFunctionType());
  Result<BenchReport> report = bench(module, options);
  if (!report)
    return report.error();
  FunctionTime time;
  time.ms = *medianInterval(report->rows[0].ms);
  const BenchRow &copy = report->rows[1], &product = report->rows[2];
  time.copyBandwidth = copy.bytes / median(copy) * 1e3;
  time.productFlops = product.flops / median(product) * 1e3;
  if (!bytes)
    return time;
  double flops = 0;
  for (const KernelInfo &kernel : kernels)
    flops += double(kernel.flops) * double(kernel.launches);
  time.memoryMs = *bytes / time.copyBandwidth * 1e3;
  time.arithmeticMs = flops / time.productFlops * 1e3;
  return time;
}

//===----------------------------------------------------------------------===//
// Text and JSON
//===----------------------------------------------------------------------===//

static std::string milliseconds(double ms) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g ms", ms);
  return text;
}

static void printCPUText(const std::vector<KernelInfo> &kernels, const std::string &function) {
  for (const KernelInfo &kernel : kernels) {
    llvm::outs() << kernel.name << ": " << kernel.strategy << (kernel.schedule.empty() ? "" : "; ")
                 << kernel.schedule << "\n";
    if (!kernel.places.empty())
      llvm::outs() << "  from " << llvm::join(kernel.places, ", ") << "\n";
    if (kernel.bytes > 0 || kernel.flops > 0)
      llvm::outs() << "  " << kernel.bytes << " bytes of operands, " << kernel.flops
                   << " operations\n";
  }
  llvm::outs() << kernels.size() << (kernels.size() == 1 ? " loop nest" : " loop nests") << " of @"
               << function << "\n";
}

static void printTime(const FunctionTime &time) {
  llvm::outs() << "measured " << milliseconds(time.ms.median) << ", " << milliseconds(time.ms.low)
               << " to " << milliseconds(time.ms.high) << "; here a copy has "
               << llvm::format("%.3g GB/s, a product of f32 %.3g GFLOP/s\n",
                               time.copyBandwidth / 1e9, time.productFlops / 1e9);
  std::optional<double> floor = time.floorMs();
  if (!floor) {
    llvm::outs() << "sizes are not known: there is no floor\n";
    return;
  }
  llvm::outs() << "arguments and results take " << milliseconds(*time.memoryMs)
               << " of memory, operations " << milliseconds(*time.arithmeticMs)
               << " of arithmetic at the least: the floor is "
               << llvm::format("%.0f %% of the time, ", *floor / time.ms.median * 100)
               << milliseconds(std::max(time.ms.median - *floor, 0.0)) << " not explained\n";
}

static Json kernelJson(const KernelInfo &kernel) {
  return {{"name", kernel.name},     {"strategy", kernel.strategy}, {"schedule", kernel.schedule},
          {"places", kernel.places}, {"bytes", kernel.bytes},       {"flops", kernel.flops}};
}

static Json timeJson(const FunctionTime &time) {
  Json json = {{"ms", time.ms.median},
               {"low_ms", time.ms.low},
               {"high_ms", time.ms.high},
               {"copy_bytes_per_s", time.copyBandwidth},
               {"product_flops_per_s", time.productFlops},
               {"floor_ms", Json()}};
  if (std::optional<double> floor = time.floorMs()) {
    json["floor_ms"] = *floor;
    json["bound_by"] = time.isBoundByMemory() ? "memory" : "arithmetic";
    json["memory_ms"] = *time.memoryMs;
    json["arithmetic_ms"] = *time.arithmeticMs;
    json["floor_share"] = *floor / time.ms.median;
  }
  return json;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

int tool::explainOnCPU(Session &session, const ModuleOptions &module,
                       const ExplainCPUOptions &options) {
  mlir::func::FuncOp function;
  FunctionSignature signature;
  if (std::optional<int> status = session.findFunction(module, function, &signature))
    return *status;
  CompileOptions compile;
  compile.function = function.getSymName().str();
  compile.target = module.target;
  compile.tier = module.parsedTier();
  compile.from = module.parsedFrom();
  compile.reproducerDir = module.reproducerDir;
  session.holdErrors();
  Progress progress("explaining " + module.path);
  CompileReport report;
  mlir::OwningOpRef<mlir::ModuleOp> lowered(session.module().clone());
  if (Result<void> done = lowerTo(*lowered, compile, Phase::Lower, &report); !done)
    return session.reportCompileError(done.error().message);
  std::optional<FunctionTime> time;
  if (options.measure) {
    progress.step("timing @" + compile.function);
    Result<FunctionTime> timed =
        timeFunction(session.module(), function, compile, module.tier, report.kernels);
    if (!timed)
      return session.reportCompileError("--measure: " + timed.error().message);
    time = *timed;
  }
  progress.finish();
  if (!options.asJson) {
    printCPUText(report.kernels, compile.function);
    if (time)
      printTime(*time);
    return kSuccess;
  }
  Json document = {{"target", "cpu"}, {"function", compile.function}, {"kernels", Json::array()}};
  for (const KernelInfo &kernel : report.kernels)
    document["kernels"].push_back(kernelJson(kernel));
  if (time)
    document["measured"] = timeJson(*time);
  llvm::outs() << document.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  return kSuccess;
}
