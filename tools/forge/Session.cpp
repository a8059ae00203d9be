#include "Session.h"

#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Import/TorchXla.h"
#include "forge/Pipelines/InitAll.h"
#include "forge/Support/CommandLine.h"
#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Trace.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <filesystem>

using namespace forge;
using namespace forge::tool;

void ModuleOptions::addTo(CLI::App &app) {
  app.add_option("MODULE", path,
                 "Module of StableHLO, transformer, register or linalg operations: MLIR text or "
                 "bytecode, a "
                 "StableHLO portable artifact, or a jax.export file; - reads standard input; or a "
                 "folder in Hugging Face form or of torch_xla")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  app.add_option("--function", function,
                 "Function to take; by default main, or the only public one")
      ->option_text("NAME");
  addTargetTo(app);
}

void ModuleOptions::addTargetTo(CLI::App &app) {
  app.add_option("--target", target,
                 "What to compile for: cpu (the default), cuda[:CHIP], hip[:CHIP] or sim:CHIP")
      ->option_text("TARGET");
  app.add_option("--tier", tier,
                 "How products are computed and how much is done for speed: hybrid (the default), "
                 "production, optimized or correctness")
      ->check(CLI::IsMember({"hybrid", "production", "optimized", "correctness"}))
      ->option_text("TIER");
}

void ModuleOptions::addReproducerDir(CLI::App &app) {
  const char *fromEnvironment = std::getenv("FORGE_REPRODUCER_DIR");
  reproducerDir = fromEnvironment ? fromEnvironment : "forge-reproducers";
  app.add_option("--reproducer-dir", reproducerDir,
                 "Folder in which what fails to compile or differs gets a folder of its own (1, 2 "
                 "...); default: FORGE_REPRODUCER_DIR, or forge-reproducers; \"\" writes nothing")
      ->option_text("FOLDER");
}

void ModuleOptions::addWeights(CLI::App &app) {
  app.add_option("--weights", weightsFolder,
                 "Folder of the files that forge.weight names; by default they are relative to the "
                 "module's")
      ->check(isPath())
      ->option_text("FOLDER");
  addRandomWeights(app);
}

CLI::Option *ModuleOptions::addRandomWeights(CLI::App &app) {
  CLI::Option *random =
      app.add_flag("--random-weights", randomWeights,
                   "Make weights up, for measuring: of a checkpoint only config.json is needed");
  app.add_option("--weights-seed", weightsSeed, "Of the random weights; default: 0")
      ->check(isNaturalNumber())
      ->needs(random)
      ->option_text("N");
  return random;
}

void ModuleOptions::addSizes(CLI::App &app, const std::string &otherBatch,
                             const std::string &otherLength) {
  auto add = [&](const char *name, auto &value, const std::string &description) {
    app.add_option(name, value, "Of a checkpoint: " + description)
        ->check(CLI::Range(int64_t(1), int64_t(1) << 24))
        ->each([this](const std::string &) { hasStaticSizes = true; })
        ->option_text("N");
  };
  add("--batch", batch, "sequences that a run takes; default: " + otherBatch);
  add("--length", length, "tokens of each that a run takes; default: " + otherLength);
  add("--cache", cache,
      "take a step of decoding, with caches of N tokens a sequence, instead of @main");
}

std::optional<int> ModuleOptions::chooseDecode() {
  if (!cache)
    return std::nullopt;
  if (!isCheckpoint(path))
    return badCall("--cache: expected a folder with config.json, but got " + path);
  if (function.empty())
    function = "decode";
  return std::nullopt;
}

void ModuleOptions::addPlan(CLI::App &app) {
  app.add_option("--plan", plan,
                 "Schedules for kernels of a GPU, as forge explain --save-plan writes them")
      ->check(isPath())
      ->option_text("FILE");
}

void ModuleOptions::addQuantize(CLI::App &app) {
  app.add_option(
         "--quantize", quantize,
         "Keep the matrices of a checkpoint's decoder in fewer bits, rounded as they are "
         "read: i8 (a scale for each output feature), i4 (a scale for 128 of its weights), or f8 "
         "(f8E4M3FN, a scale for each output feature; inputs of products are rounded to it too, "
         "with a scale for each token)")
      ->check(CLI::IsMember({"i8", "i4", "f8"}))
      ->option_text("TYPE");
}

void ModuleOptions::addNoCache(CLI::App &app) {
  app.add_flag("--no-cache", noCache,
               "Neither take compiled code from the cache nor keep it there; the cache is in "
               "FORGE_CACHE_DIR, by default in the user's folder of caches");
}

std::unique_ptr<CodeCache> ModuleOptions::openCache() const {
  std::string folder = noCache ? "" : CodeCache::defaultFolder();
  if (folder.empty())
    return nullptr;
  return std::make_unique<CodeCache>(std::move(folder));
}

void tool::warnOfCache(const CodeCache *cache) {
  if (cache && !cache->problem().empty())
    warn("no cache of compiled code: " + cache->problem());
}

std::string ModuleOptions::folder() const {
  std::filesystem::path module = path;
  return llvm::sys::fs::is_directory(path) ? module : module.parent_path();
}

void ModuleOptions::addFromTo(CLI::App &app) {
  std::vector<std::string> phases;
  for (int i = 0; i <= static_cast<int>(lastPhase); ++i)
    phases.push_back(phaseName(static_cast<Phase>(i)).str());
  app.add_option("--from", from, "The phase that the module is at; what comes after it is run")
      ->check(CLI::IsMember(phases))
      ->option_text("PHASE");
}

std::optional<int> tool::rejectPhase(const Target &target, const std::string &phase) {
  if (hasPhase(target, *parsePhase(phase)))
    return std::nullopt;
  return badCall("target " + target.text() + " has no phase " + phase + ", only " +
                 phaseNames(target));
}

std::optional<int> tool::rejectTarget(const std::string &target) {
  Result<Target> parsed = Target::parse(target);
  if (!parsed)
    return badCall(parsed.error().message);
  return std::nullopt;
}

llvm::StringRef tool::platformOf(const std::string &target) {
  Result<Target> parsed = Target::parse(target);
  if (!parsed || !parsed->isGPU())
    return "cpu";
  return parsed->chip->dialect == DeviceDialect::NVVM ? "cuda" : "rocm";
}

std::optional<int> tool::rejectMissingFile(const std::string &path) {
  if (path == "-")
    return std::nullopt;
  Result<void> readable = checkReadable(path);
  if (readable)
    return std::nullopt;
  return badCall(readable.error().message);
}

static mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

Session::Session(bool allowUnregistered) : mlirContext(allDialects()), lines(&mlirContext) {
  mlirContext.allowUnregisteredDialects(allowUnregistered);
}

std::optional<int> Session::open(const ModuleOptions &options) {
  TraceScope scope("import", "import " + options.path);
  lines.setStage("import");
  if (std::optional<int> status = load(options))
    return status;
  lines.setStage(commandName());
  mlir::DictionaryAttr plan;
  if (std::optional<int> status = readPlan(options, plan))
    return status;
  if (plan)
    module()->setDiscardableAttr(kPlanAttr, plan);
  return std::nullopt;
}

/// Why schedules of a plan would not be read, or empty.
static std::string whyNoPlan(const ModuleOptions &options) {
  if (!Target::parse(options.target)->isGPU())
    return "expected a GPU as --target with --plan, as cuda:sm_90a";
  if (options.parsedTier() == Tier::Correctness)
    return "expected another --tier with --plan than correctness, which chooses no schedules";
  if (options.parsedFrom() >= Phase::Kernels)
    return "expected --from fuse or before with --plan, but got " + options.from +
           ", which has its schedules in the file";
  return "";
}

std::optional<int> Session::readPlan(const ModuleOptions &options, mlir::DictionaryAttr &plan) {
  if (options.plan.empty())
    return std::nullopt;
  if (std::string why = whyNoPlan(options); !why.empty())
    return badCall(why);
  auto file = llvm::MemoryBuffer::getFile(options.plan);
  if (!file)
    return badCall(options.plan + ": cannot read: " + file.getError().message());
  mlir::FailureOr<mlir::DictionaryAttr> read =
      parsePlan((*file)->getBuffer(), options.plan, versionText(), &mlirContext);
  if (failed(read))
    return kFailed;
  plan = *read;
  return std::nullopt;
}

std::optional<int> Session::load(const ModuleOptions &options) {
  if (std::optional<int> status = rejectTarget(options.target))
    return status;
  if (std::optional<int> status = rejectPhase(*Target::parse(options.target), options.from))
    return status;
  if (isCheckpoint(options.path)) {
    auto fixed = [&](int64_t size) {
      return options.hasStaticSizes ? std::optional(size) : std::nullopt;
    };
    Result<mlir::OwningOpRef<mlir::ModuleOp>> imported =
        options.cache ? importDecoder(options.path, mlirContext,
                                      {.batch = options.batch,
                                       .prefills = {std::min(options.length, *options.cache)},
                                       .capacity = *options.cache,
                                       .withoutWeights = options.randomWeights,
                                       .matrices = options.matrices()})
                      : importHuggingFace(options.path, mlirContext,
                                          {.batch = fixed(options.batch),
                                           .length = fixed(options.length),
                                           .staticBatch = options.batch,
                                           .staticLength = options.length,
                                           .withoutWeights = options.randomWeights,
                                           .matrices = options.matrices()});
    if (!imported)
      return fail(withDetails(imported.error(), {.stage = "import"}).message);
    owned = std::move(*imported);
    return std::nullopt;
  }
  if (!options.quantize.empty())
    return badCall("--quantize: expected a folder with config.json, but got " + options.path);
  if (isTorchXlaFolder(options.path)) {
    owned = importTorchXla(options.path, mlirContext);
  } else {
    if (std::optional<int> status = rejectMissingFile(options.path))
      return status;
    owned = loadModule(options.path, &mlirContext);
  }
  if (!owned || failed(normalizeFrameworkAttributes(*owned)) ||
      (!options.keepComplex &&
       failed(splitComplex(*owned, Target::parse(options.target)->isGPU()))) ||
      failed(selectPlatform(*owned, platformOf(options.target))))
    return reportFailure(options.path + ": not a valid module");
  return std::nullopt;
}

std::optional<int> Session::findFunction(const ModuleOptions &options, mlir::func::FuncOp &function,
                                         FunctionSignature *signature) {
  Result<mlir::func::FuncOp> entry = findEntry(module(), options.function);
  if (!entry) {
    Result<FunctionSignature> packed = signatureOf(module(), options.function);
    if (!packed)
      return badCall(options.path + ": " + packed.error().message);
    if (signature)
      *signature = *packed;
    return std::nullopt;
  }
  function = *entry;
  if (!signature)
    return std::nullopt;
  Result<FunctionSignature> known = signatureOf(module(), function.getSymName());
  if (!known) {
    function.emitError(known.error().message);
    return kFailed;
  }
  *signature = *known;
  return std::nullopt;
}

std::vector<Tolerance> Session::tolerancesOf(mlir::func::FuncOp function,
                                             const FunctionSignature &signature,
                                             const std::vector<HostTensor> &inputs,
                                             const ErrorModelOptions &options) {
  return function ? measureTolerances(function, inputs, options)
                  : withoutErrorModel(signature.results.size());
}

int Session::reportFailure(const std::string &message) const {
  return lines.numErrors() > 0 ? kFailed : fail(message);
}

int Session::reportCompileError(const std::string &message) {
  if (lines.numErrors() == 0 || lines.firstErrorKind() == ErrorKind::Compiler)
    return fail(message);
  lines.printHeldError();
  return kFailed;
}
