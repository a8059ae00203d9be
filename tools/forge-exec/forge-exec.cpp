// forge-exec: runs a shared object made by `forge compile`. No MLIR, no LLVM.
#include "Module.h"
#include "Options.h"

#include "forge/Support/Npy.h"
#include "forge/Verify/Compare.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace forge;
using namespace forge::exec;

namespace {
enum Status { Success = 0, Failed = 1, BadCall = 2 };
} // namespace

static int fail(Status status, const std::string &message) {
  std::fprintf(stderr, "forge-exec: error: %s\n", message.c_str());
  return status;
}

/// Reads one file as an element type; `what` names its place: "input 2".
static Result<HostTensor> readAs(const std::string &path, const std::string &what, DType type) {
  Result<HostTensor> tensor = readNpy(path);
  if (!tensor)
    return tensor;
  Result<HostTensor> converted = convertNpy(std::move(*tensor), type);
  return converted ? std::move(converted)
                   : Error{what + " (" + path + "): " + converted.error().message};
}

/// Reads files as the first of `specs`; a status when that fails.
static int readAll(const std::vector<std::string> &paths, const std::vector<TensorSpec> &specs,
                   const char *noun, std::vector<HostTensor> &tensors) {
  for (size_t i = 0; i < paths.size(); ++i) {
    Result<HostTensor> tensor = readAs(paths[i], noun + (" " + std::to_string(i)), specs[i].type);
    if (!tensor)
      return fail(BadCall, tensor.error().message);
    tensors.push_back(std::move(*tensor));
  }
  return Success;
}

/// The tolerance the module carries, or the units in the last place any rounding is worth.
static Tolerance toleranceOf(const ModuleSignature &signature, size_t index) {
  if (!isFloat(signature.function.results[index].type))
    return Tolerance::exact();
  if (index >= signature.tolerances.size())
    return Tolerance::ulps(3);
  const ResultTolerance &stored = signature.tolerances[index];
  Tolerance tolerance;
  tolerance.absolute = stored.absolute;
  tolerance.ofScale = stored.ofScale;
  tolerance.ulp = stored.ulp;
  tolerance.basis = stored.basis;
  return tolerance;
}

/// One line per result, to stdout, or to stderr when it differs.
static int report(const Module &module, const std::vector<HostTensor> &results,
                  const std::vector<HostTensor> &expected) {
  int status = Success;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string name = "result " + std::to_string(i), text = name + ": " + typeString(results[i]);
    if (i >= expected.size()) {
      text += " [";
      for (int64_t e = 0; e < std::min<int64_t>(8, results[i].numElements()); ++e)
        text += (e ? ", " : "") + elementString(results[i], e);
      text += results[i].numElements() > 8 ? ", ...]" : "]";
      std::printf("%s\n", text.c_str());
      continue;
    }
    Tolerance tolerance = toleranceOf(module.signature(), i);
    Comparison comparison = compare(results[i], expected[i], tolerance);
    std::string found = comparison.mismatch.empty()
                            ? describe(comparison) + "; " + describe(tolerance)
                            : comparison.mismatch;
    if (comparison.agree)
      std::printf("%s agrees: %s\n", text.c_str(), found.c_str());
    else
      status = fail(Failed, name + " differs: " + found);
  }
  return status;
}

static Result<void> save(const std::string &folder, const std::vector<HostTensor> &results) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return Error{folder + ": cannot make this folder: " + error.message()};
  for (size_t i = 0; i < results.size(); ++i)
    if (Result<void> written = writeNpy(folder + "/out" + std::to_string(i) + ".npy", results[i]);
        !written)
      return written;
  return {};
}

/// Two runs to warm up, then the timed ones, then one with every kernel timed.
static Result<void> timeRuns(Module &module, const std::vector<HostTensor> &inputs, int64_t runs) {
  std::vector<double> times;
  for (int64_t i = -2; i < runs; ++i) {
    if (Result<void> done = module.run(inputs); !done)
      return done;
    if (i >= 0)
      times.push_back(module.runMs());
  }
  std::sort(times.begin(), times.end());
  std::printf("time of %zu runs: median %.4f ms, least %.4f ms, most %.4f ms\n", times.size(),
              times[times.size() / 2], times.front(), times.back());
  module.setTiming(true);
  Result<void> done = module.run(inputs);
  module.setTiming(false);
  if (!done)
    return done;
  std::string kernels = module.timingReport();
  if (!kernels.empty())
    std::printf("kernels, in ms:\n%s", kernels.c_str());
  return {};
}

static int run(const Options &options) {
  Result<Module> module = Module::load(options.module);
  if (!module)
    return fail(BadCall, module.error().message);
  const FunctionSignature &function = module->signature().function;
  if (options.info) {
    std::fputs(writeSignature(module->signature()).c_str(), stdout);
    return Success;
  }
  auto wrongCount = [&](const char *noun, size_t wanted, size_t given) {
    return fail(BadCall, "expected " + std::to_string(wanted) + " " + noun + " for @" +
                             function.name + ", but got " + std::to_string(given));
  };
  if (options.inputs.size() != function.arguments.size())
    return wrongCount("inputs", function.arguments.size(), options.inputs.size());
  if (options.expected.size() > function.results.size())
    return wrongCount("expected results at most", function.results.size(), options.expected.size());
  std::vector<HostTensor> inputs, expected;
  if (int status = readAll(options.inputs, function.arguments, "input", inputs))
    return status;
  if (int status = readAll(options.expected, function.results, "expected result", expected))
    return status;
  if (Result<void> fit = checkInputs(function, inputs); !fit)
    return fail(BadCall, fit.error().message);

  if (Result<void> opened = module->openDevice(options.device); !opened)
    return fail(Failed, opened.error().message);
  if (Result<void> done = module->run(inputs); !done)
    return fail(Failed, done.error().message);
  Result<std::vector<HostTensor>> results = module->results();
  if (!results)
    return fail(Failed, results.error().message);
  int status = report(*module, *results, expected);
  if (!options.saveFolder.empty())
    if (Result<void> saved = save(options.saveFolder, *results); !saved)
      return fail(Failed, saved.error().message);
  if (options.timedRuns > 0)
    if (Result<void> timed = timeRuns(*module, inputs, options.timedRuns); !timed)
      return fail(Failed, timed.error().message);
  return status;
}

int main(int argc, char **argv) {
  Result<Options> options = parseOptions(argc, argv);
  if (!options) {
    fail(BadCall, options.error().message);
    std::fputs(usage, stderr);
    return BadCall;
  }
  if (options->help) {
    std::fputs(usage, stdout);
    return Success;
  }
  return run(*options);
}
