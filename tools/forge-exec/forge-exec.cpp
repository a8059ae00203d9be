// forge-exec: runs a shared object made by `forge compile`, through forge/C/Model.h. No MLIR, no
// LLVM.
#include "Options.h"

#include "forge/C/Model.h"
#include "forge/Support/CommandLine.h"
#include "forge/Support/Crash.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Interrupt.h"
#include "forge/Support/ModuleSignature.h"
#include "forge/Support/Npy.h"
#include "forge/Verify/Compare.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <unistd.h>

using namespace forge;
using namespace forge::exec;

namespace {
enum Status { Success = 0, Failed = 1, BadCall = 2 };

struct Delete {
  void operator()(forge_model *model) const { forge_model_destroy(model); }
  void operator()(forge_results *results) const { forge_results_destroy(results); }
  void operator()(forge_error *error) const { forge_error_destroy(error); }
};
using Model = std::unique_ptr<forge_model, Delete>;
using Results = std::unique_ptr<forge_results, Delete>;
} // namespace

static int fail(Status status, const std::string &message) {
  std::fflush(stdout); // in the order things happened, when both go to one file
  DiagnosticText text{
      Severity::Error, message, {.stage = status == BadCall ? "command line" : "run"}, {}};
  std::string line =
      areJsonDiagnostics() ? diagnosticJson(text) : "forge-exec: error: " + message + "\n";
  std::fputs(line.c_str(), stderr);
  return status;
}

/// Takes the error of the library.
static int fail(Status status, forge_error *error) {
  std::unique_ptr<forge_error, Delete> owned(error);
  return fail(status, forge_error_message(error));
}

/// Reads one file as an element type; `what` names its place: "input 2". A file that is not there
/// or of another type is a wrong call, one that is damaged is not.
static int readAs(const std::string &path, const std::string &what, DType type,
                  std::vector<HostTensor> &tensors) {
  if (Result<void> readable = checkReadable(path); !readable)
    return fail(BadCall, readable.error().message);
  Result<HostTensor> tensor = readNpy(path);
  if (!tensor)
    return fail(Failed, tensor.error().message);
  Result<HostTensor> converted = convertNpy(std::move(*tensor), type);
  if (!converted)
    return fail(BadCall, what + " (" + path + "): " + converted.error().message);
  tensors.push_back(std::move(*converted));
  return Success;
}

/// Reads files as the first of `specs`; a status when that fails.
static int readAll(const std::vector<std::string> &paths, const std::vector<TensorSpec> &specs,
                   const char *noun, std::vector<HostTensor> &tensors) {
  for (size_t i = 0; i < paths.size(); ++i)
    if (int status = readAs(paths[i], noun + (" " + std::to_string(i)), specs[i].type, tensors))
      return status;
  return Success;
}

/// Puts tolerances measured elsewhere, on the same inputs, in the place of estimates. A status when
/// a file cannot be read or is not made for its result.
static int readTolerances(const std::vector<std::string> &paths,
                          const std::vector<HostTensor> &expected,
                          std::vector<Tolerance> &tolerances) {
  for (size_t i = 0; i < paths.size(); ++i) {
    std::string what = "tolerance " + std::to_string(i);
    std::vector<HostTensor> read;
    if (int status = readAs(paths[i], what, DType::F64, read))
      return status;
    const HostTensor &allowed = read.front();
    if (allowed.dims() != expected[i].dims())
      return fail(BadCall, what + " (" + paths[i] + "): expected the shape of " +
                               typeString(expected[i]) + ", but got " + typeString(allowed));
    if (!isFloat(expected[i].type()))
      continue;
    auto bounds = std::make_shared<ElementBounds>();
    for (int64_t e = 0; e < allowed.numElements(); ++e)
      bounds->allowed.push_back(allowed.getDouble(e));
    tolerances[i] = Tolerance::exact();
    tolerances[i].elements = std::move(bounds);
    tolerances[i].basis = "measured by forge run";
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
static int report(const std::vector<HostTensor> &results, const std::vector<HostTensor> &expected,
                  const std::vector<Tolerance> &tolerances, bool verbose) {
  int status = Success;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string name = "result " + std::to_string(i);
    if (i >= expected.size()) {
      std::printf("%s: %s\n", name.c_str(), previewString(results[i]).c_str());
      continue;
    }
    Comparison comparison = compare(results[i], expected[i], tolerances[i]);
    if (comparison.agree)
      std::printf("%s: %s agrees: %s\n", name.c_str(), typeString(results[i]).c_str(),
                  describe(comparison).c_str());
    else
      // The tolerance in the module knows no inputs.
      status =
          fail(Failed, name + " differs: " + describe(comparison) +
                           (comparison.mismatch.empty() && tolerances[i].ofScale > 0
                                ? "; the tolerance is estimated, not measured (see --tolerance)"
                                : ""));
    if (verbose && comparison.mismatch.empty())
      std::printf("  %s\n", describeDetails(comparison, tolerances[i]).c_str());
  }
  return status;
}

/// The times of one kernel launch in several runs.
struct LaunchTimes {
  std::string what;
  std::vector<double> ms;
};

/// Adds the report of one run: a line "MS<tab>KERNEL<tab>DESCRIPTION" per launch, in order.
static void addTimes(const std::string &report, std::vector<LaunchTimes> &launches) {
  size_t index = 0;
  for (size_t at = 0; at < report.size(); ++index) {
    size_t end = report.find('\n', at), tab = report.find('\t', at);
    if (index == launches.size())
      launches.push_back({report.substr(tab + 1, end - tab - 1), {}});
    launches[index].ms.push_back(std::strtod(report.c_str() + at, nullptr));
    at = end + 1;
  }
}

static double median(std::vector<double> &values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Two runs on loaded inputs to warm up, then the timed ones; then as many with every kernel timed.
static forge_error *timeRuns(forge_model *model, int64_t runs) {
  std::vector<double> times;
  for (int64_t i = -2; i < runs; ++i) {
    double ms = 0;
    if (forge_error *error = forge_model_run_loaded(model, &ms))
      return error;
    if (i >= 0)
      times.push_back(ms);
  }
  double middle = median(times);
  std::printf("time of %zu runs: median %.4f ms, least %.4f ms, most %.4f ms\n", times.size(),
              middle, times.front(), times.back());
  std::vector<LaunchTimes> launches;
  for (int64_t i = 0; i < runs; ++i) {
    const char *report = nullptr;
    if (forge_error *error = forge_model_profile(model, &report))
      return error;
    addTimes(report, launches);
  }
  double sum = 0;
  for (LaunchTimes &launch : launches) {
    sum += median(launch.ms);
    std::printf("kernel\t%.6f\t%s\n", median(launch.ms), launch.what.c_str());
  }
  if (!launches.empty())
    std::printf("kernels: median %.6f ms in %zu launches\n", sum, launches.size());
  return nullptr;
}

/// The first argument of open size, of which no input can be drawn.
static const TensorSpec *findOpenSize(const FunctionSignature &function) {
  for (const TensorSpec &spec : function.arguments)
    if (!spec.hasStaticShape())
      return &spec;
  return nullptr;
}

/// Prints what the functions of the file take and give.
static int printInfo(const char *path) {
  std::vector<const char *> functions;
  while (const char *name =
             forge_model_decoder_function(path, static_cast<int64_t>(functions.size())))
    functions.push_back(name);
  if (functions.empty())
    functions = {nullptr};
  for (const char *function : functions) {
    forge_model *opened = nullptr;
    if (forge_error *error = forge_model_open(path, function, &opened))
      return fail(BadCall, error);
    std::fputs(forge_model_signature(Model(opened).get()), stdout);
  }
  return Success;
}

static std::vector<forge_tensor> describe(const std::vector<HostTensor> &tensors) {
  std::vector<forge_tensor> described;
  for (const HostTensor &tensor : tensors)
    // Names of types are literals: they end in a NUL.
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
    described.push_back({dtypeName(tensor.type()).data(), tensor.rank(), tensor.dims().data(),
                         const_cast<void *>(tensor.data())});
  return described;
}

static Result<std::vector<HostTensor>> takeResults(const forge_results *results) {
  std::vector<HostTensor> tensors;
  for (int64_t i = 0; i < forge_results_count(results); ++i) {
    forge_tensor result = forge_results_get(results, i);
    std::optional<DType> type = parseDType(result.type);
    if (!type)
      return Error{"result " + std::to_string(i) + ": unknown element type " + result.type};
    Result<HostTensor> tensor =
        HostTensor::create(*type, std::vector<int64_t>(result.sizes, result.sizes + result.rank));
    if (!tensor)
      return tensor.error();
    if (tensor->numBytes() > 0)
      std::memcpy(tensor->data(), result.data, tensor->numBytes());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// What a run takes along from the files.
struct RunFiles {
  std::vector<HostTensor> inputs, expected;
  std::vector<Tolerance> tolerances;
};

/// Reads them, and checks that they are for this function.
static int readFiles(const Options &options, const ModuleSignature &signature,
                     const FunctionSignature &given, RunFiles &files) {
  const FunctionSignature &function = signature.function;
  auto wrongCount = [&](const char *noun, size_t wanted, size_t got) {
    return fail(BadCall, "expected " + std::to_string(wanted) + " " + noun + " for @" +
                             function.name + ", but got " + std::to_string(got));
  };
  if (!options.random && options.inputs.size() != given.arguments.size())
    return wrongCount("inputs", given.arguments.size(), options.inputs.size());
  if (options.expected.size() > function.results.size())
    return wrongCount("expected results at most", function.results.size(), options.expected.size());
  if (options.random) {
    if (const TensorSpec *open = findOpenSize(given))
      return fail(BadCall, "--random needs known sizes, but @" + function.name + " takes " +
                               typeString(*open));
  } else if (int status = readAll(options.inputs, given.arguments, "input", files.inputs)) {
    return status;
  }
  if (int status = readAll(options.expected, function.results, "expected result", files.expected))
    return status;
  for (size_t i = 0; i < files.expected.size(); ++i)
    files.tolerances.push_back(toleranceOf(signature, i));
  if (int status = readTolerances(options.tolerances, files.expected, files.tolerances))
    return status;
  if (!options.random)
    if (Result<void> fit = checkInputs(given, files.inputs); !fit)
      return fail(BadCall, fit.error().message);
  return Success;
}

static int run(const Options &options) {
  if (options.info)
    return printInfo(options.module.c_str());
  forge_model *opened = nullptr;
  if (forge_error *error = forge_model_open(options.module.c_str(), nullptr, &opened))
    return fail(BadCall, error);
  Model model(opened);
  Result<ModuleSignature> signature = parseSignature(forge_model_signature(opened));
  if (!signature)
    return fail(BadCall, signature.error().message);
  RunFiles files;
  if (int status = readFiles(options, *signature,
                             withoutWeights(signature->function, signature->weights), files))
    return status;
  if (forge_error *error =
          forge_model_prepare(opened, options.weightsFolder.c_str(), options.device))
    return fail(Failed, error);
  std::vector<forge_tensor> inputs = describe(files.inputs);
  auto count = static_cast<int64_t>(inputs.size());
  forge_results *made = nullptr;
  if (forge_error *error = options.random ? forge_model_run_random(
                                                opened, static_cast<uint64_t>(options.seed), &made)
                                          : forge_model_run(opened, inputs.data(), count, &made))
    return fail(Failed, error);
  Result<std::vector<HostTensor>> results = takeResults(Results(made).get());
  if (!results)
    return fail(Failed, results.error().message);
  int status = report(*results, files.expected, files.tolerances, options.verbose);
  if (!options.saveFolder.empty())
    if (Result<void> saved =
            writeNpyFiles(options.saveFolder, "out", *results, signature->function.results);
        !saved)
      return fail(Failed, saved.error().message);
  if (options.timedRuns > 0) {
    forge_error *error =
        options.random ? nullptr : forge_model_load_inputs(opened, inputs.data(), count);
    if (!error)
      error = timeRuns(opened, options.timedRuns);
    if (error)
      return fail(Failed, error);
  }
  return status;
}

/// Becomes the program for texts, which is beside this one.
static int becomeTextProgram(char **argv) {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::string program = (self.parent_path() / "forge-exec-text").string();
  if (!error)
    execv(program.c_str(), argv);
  return fail(Failed, program + ": cannot run: " + std::strerror(errno));
}

int main(int argc, char **argv) {
  if (areForTexts(argc, argv))
    return becomeTextProgram(argv);
  installInterruptHandler();
  installCrashHandler();
  setJsonDiagnostics(std::any_of(argv, argv + argc, [](const char *argument) {
    return std::string_view(argument) == "--json-diagnostics";
  }));
  Result<Options> options = parseOptions(argc, argv);
  if (!options)
    return fail(BadCall, options.error().message + " (see forge-exec --help)");
  int status = Success;
  if (options->help)
    std::fputs(usage, stdout);
  else
    status = run(*options);
  // What was printed must have arrived; a full disk shows only when the last bytes leave.
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return fail(Failed, std::string("standard output: cannot write: ") + std::strerror(errno));
  return status;
}
