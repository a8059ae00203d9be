// forge-exec-text: what forge-exec becomes for texts. A program of its own, because text needs more
// libraries than tensors do. No MLIR, no LLVM.
#include "../GenerateOptions.h"
#include "../Validators.h"

#include "forge/Checkpoint/TextFiles.h"
#include "forge/Generate/LoadedDecoder.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/CommandLine.h"
#include "forge/Support/Crash.h"
#include "forge/Support/Interrupt.h"
#include "forge/Support/ScratchFolder.h"
#include "forge/Support/ErrorDetails.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace forge;
using namespace forge::tool;

namespace {
enum Status { Success = 0, Failed = 1, BadCall = 2 };

struct Options {
  std::string module, weightsFolder;
  int64_t device = -1;
  bool randomWeights = false;
  uint64_t weightsSeed = 0;
  GenerateRequest request;
};
} // namespace

static int fail(Status status, const std::string &message) {
  std::fflush(stdout); // in the order things happened, when both go to one file
  DiagnosticText text{Severity::Error, message, {.stage = status == BadCall ? "command line" : "run"},
                      {}};
  std::string line =
      areJsonDiagnostics() ? diagnosticJson(text) : "forge-exec: error: " + message + "\n";
  std::fputs(line.c_str(), stderr);
  return status;
}

static Console consoleOf() {
  return {[](const std::string &message) { return fail(Failed, message); },
          [](const std::string &message) { return fail(BadCall, message); },
          [](const std::string &text) {
            std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
          },
          [](const std::string &line) { std::fprintf(stderr, "%s\n", line.c_str()); },
          [](const std::string &question) { std::fputs(question.c_str(), stderr); }};
}

/// Writes what the module has for texts into a folder; the checkpoint there.
static Result<std::string> unpack(const std::string &module, ScratchFolder &folder) {
  auto files = filesOfDecoder(module);
  if (!files)
    return files.error();
  std::string checkpoint = folder.path();
  for (const auto &[name, bytes] : *files) {
    // They are this program's own names; a file must not lead out of the folder.
    if (name.empty() || name.find('/') != std::string::npos || name.starts_with("."))
      return Error{module + ": expected the name of a file, but got '" + name + "'"};
    std::string path = folder.file(name);
    if (Result<void> written = writeFileAtomically(path, bytes); !written)
      return written.error();
    if (name == kGgufTextFile)
      checkpoint = path;
  }
  return checkpoint;
}

static int run(const Options &options) {
  if (std::string why = whyNoPrompts(options.request); !why.empty())
    return fail(BadCall, why);
  auto start = std::chrono::steady_clock::now();
  if (Result<void> readable = checkReadable(options.module); !readable)
    return fail(BadCall, readable.error().message);
  Result<ScratchFolder> folder = ScratchFolder::create("forge-exec");
  if (!folder)
    return fail(Failed, folder.error().message);
  Result<std::string> checkpoint = unpack(options.module, *folder);
  if (!checkpoint)
    return fail(BadCall, checkpoint.error().message);
  GenerateCommand command(options.request, consoleOf());
  if (std::optional<int> status = command.open(*checkpoint))
    return *status;
  auto decoder = LoadedDecoder::open(options.module, options.device);
  if (!decoder)
    return fail(Failed, decoder.error().message);
  GenerateReport report;
  report.target = (*decoder)->signature(DecoderCode::Decode).target;
  GeneratorOptions forGenerator;
  forGenerator.weights.folder = std::filesystem::path(options.module).parent_path();
  forGenerator.weights.instead = options.weightsFolder;
  if (options.randomWeights)
    forGenerator.weights.randomSeed = options.weightsSeed;
  forGenerator.sampling = options.request.sampling().value_or(Sampling::greedy());
  Result<Generator> generator = Generator::create(std::move(*decoder), forGenerator);
  if (!generator)
    return fail(Failed, generator.error().message);
  report.code = "code from " + std::filesystem::path(options.module).filename().string();
  report.isCached = true;
  report.startMs =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return command.run(*generator, report);
}

static int parseAndRun(int argc, char **argv) {
  Options options;
  CLI::App app("Continues texts with a model that `forge compile FOLDER -o MODULE.so` made.",
               "forge-exec");
  app.add_option("MODULE", options.module, "Shared object")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  addGenerateOptions(app, options.request);
  app.add_option("--weights", options.weightsFolder,
                 "The folder of the files with weights; by default the one that each was compiled "
                 "with, relative to the folder of MODULE")
      ->check(isPath())
      ->option_text("FOLDER");
  CLI::Option *random =
      app.add_flag("--random-weights", options.randomWeights, "Make weights up, for measuring");
  app.add_option("--weights-seed", options.weightsSeed, "Of the random weights; default: 0")
      ->check(isNaturalNumber())
      ->needs(random)
      ->option_text("N");
  app.add_option("--device", options.device, "The device's number; default: FORGE_DEVICE, or 0")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 20))
      ->option_text("N");
  app.add_flag("--json-diagnostics", [](int64_t) { setJsonDiagnostics(true); },
               "Print errors as JSON, an object a line");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    std::fputs(app.help().c_str(), stdout);
    return Success;
  } catch (const CLI::ParseError &error) {
    return fail(BadCall, std::string(error.what()) + " (see forge-exec --prompt '' --help)");
  }
  return run(options);
}

int main(int argc, char **argv) {
  installInterruptHandler();
  installCrashHandler();
  int status = parseAndRun(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return fail(Failed, std::string("standard output: cannot write: ") + std::strerror(errno));
  return status;
}
