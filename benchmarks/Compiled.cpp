#include "Compiled.h"

#include "forge/Import/ModuleFile.h"
#include "forge/Pipelines/InitAll.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <random>

using namespace forge;
using namespace forge::bench;

static std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
}

std::unique_ptr<Compiled> Compiled::fromText(const std::string &text, std::string &error) {
  auto result = std::make_unique<Compiled>();
  result->context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, result->context.get());
  if (!module) {
    error = "does not parse";
    return nullptr;
  }
  return result->prepare(*module, error) ? std::move(result) : nullptr;
}

std::unique_ptr<Compiled> Compiled::fromFile(const std::string &path, std::string &error) {
  auto result = std::make_unique<Compiled>();
  result->context = makeContext();
  auto module = loadModule(path, result->context.get());
  if (!module) {
    error = "cannot be loaded";
    return nullptr;
  }
  return result->prepare(*module, error) ? std::move(result) : nullptr;
}

/// Dynamic dimensions get this size.
constexpr int64_t dynamicSize = 64;

bool Compiled::prepare(mlir::ModuleOp module, std::string &error) {
  mlir::ScopedDiagnosticHandler quiet(context.get(), [](mlir::Diagnostic &) {});
  auto compiled = Executable::compile(module, CompileOptions());
  if (!compiled) {
    error = compiled.error().message;
    return false;
  }
  executable = std::make_unique<Executable>(std::move(*compiled));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const TensorSpec &spec : executable->signature().arguments) {
    std::vector<int64_t> dims = spec.dims;
    for (int64_t &size : dims)
      size = size == TensorSpec::dynamic ? dynamicSize : size;
    auto tensor = HostTensor::create(spec.type, dims);
    if (!tensor) {
      error = tensor.error().message;
      return false;
    }
    if (isFloat(spec.type))
      for (int64_t i = 0; i < tensor->numElements(); ++i)
        tensor->setDouble(i, number(random));
    inputs.push_back(std::move(*tensor));
  }
  return true;
}

double Compiled::runMs(std::string &error) {
  auto ms = executable->timeRun(inputs);
  if (!ms) {
    error = ms.error().message;
    return -1;
  }
  return *ms;
}

std::optional<std::vector<forge::HostTensor>> Compiled::runOnce(std::string &error) {
  auto result = executable->run(inputs);
  if (result)
    return std::move(result->results);
  error = result.error().message;
  return std::nullopt;
}

Compiled *CompiledOnce::get(std::string &error) {
  if (!tried)
    compiled = make(failure);
  tried = true;
  error = failure;
  return compiled.get();
}

void forge::bench::registerCompiled(const std::string &name, std::shared_ptr<CompiledOnce> compiled,
                                    double flops) {
  auto time = [compiled, flops](benchmark::State &state) {
    std::string error;
    Compiled *code = compiled->get(error);
    if (!code)
      return state.SkipWithError(error.c_str());
    for (auto iteration : state) {
      double ms = code->runMs(error);
      if (ms < 0)
        return state.SkipWithError(error.c_str());
      state.SetIterationTime(ms * 1e-3);
    }
    if (flops > 0)
      state.counters["GFLOP/s"] =
          benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
  };
  benchmark::RegisterBenchmark(name.c_str(), time)->UseManualTime()->Unit(benchmark::kMillisecond);
}
