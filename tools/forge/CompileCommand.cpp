// forge compile: compiles up to a phase, or into a file to link with, and writes the result.
#include "Linker.h"
#include "PageOptions.h"
#include "Progress.h"
#include "Session.h"
#include "Stats.h"

#include "forge/Checkpoint/CheckpointIndex.h"
#include "forge/Checkpoint/TextFiles.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Lowering.h"
#include "forge/Generate/Compiler/CompileDecoder.h"
#include "forge/Generate/Compiler/PrefillLengths.h"
#include "forge/Import/WeightAttribute.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Verify/ErrorModel.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

namespace {
struct CompileCommandOptions {
  ModuleOptions module;
  std::string to;
  std::string output;
  bool debugInfo = false;
  std::string statsFile;
  /// Tokens of a sequence that the caches of a decoder hold.
  std::optional<int64_t> cache;
  PageOptions pages;
  /// Tokens of a sequence that its prefills take at a time.
  std::vector<int64_t> lengths;
};

/// A form of code, by the name --to has for it and the extension that asks for it.
struct Form {
  llvm::StringLiteral name, extension;
  CodeForm code;
};

constexpr Form forms[] = {
    {"ll", ".ll", CodeForm::LLVMText}, {"s", ".s", CodeForm::Assembly},
    {"o", ".o", CodeForm::Object},     {"so", ".so", CodeForm::Object},
    {"ptx", ".ptx", CodeForm::PTX},    {"cubin", ".cubin", CodeForm::Cubin},
    {"isa", ".isa", CodeForm::ISA},    {"hsaco", ".hsaco", CodeForm::HSACO},
};
} // namespace

/// What `--to`, or else the name of the output, asks for; null: MLIR.
static const Form *formOf(const CompileCommandOptions &options) {
  llvm::StringRef extension = llvm::sys::path::extension(options.output);
  for (const Form &form : forms)
    if (options.to == form.name || (options.to.empty() && extension == form.extension))
      return &form;
  return nullptr;
}

/// The module as text; locations only when asked for, so that texts can be compared.
static std::string printModule(mlir::ModuleOp module, bool debugInfo) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  if (debugInfo)
    flags.enableDebugInfo();
  module.print(os, flags);
  os << "\n";
  return text;
}

/// What a shared object says of itself, from the module before it is lowered. Tolerances are
/// estimated from the module alone: its inputs are not known.
static Result<void> describeModule(Session &session, mlir::func::FuncOp function,
                                   const CompileCommandOptions &options, const Target &target,
                                   ModuleSignature &signature) {
  signature.target = target.text();
  signature.weights.resize(signature.function.arguments.size());
  if (function) { // not in the LLVM dialect
    Result<std::vector<std::optional<WeightSource>>> weights = weightsOf(function);
    if (!weights)
      return weights.error();
    signature.weights = std::move(*weights);
  }
  for (std::optional<WeightSource> &weight : signature.weights)
    if (weight)
      weight->file = rebaseFile(weight->file, options.module.folder(),
                                llvm::sys::path::parent_path(options.output).str());
  ErrorModelOptions fromModuleAlone = errorModelOf(target.text());
  fromModuleAlone.mostWork = -1;
  for (const Tolerance &tolerance :
       session.tolerancesOf(function, signature.function, {}, fromModuleAlone))
    signature.tolerances.push_back(
        {tolerance.absolute, tolerance.ofScale, tolerance.ulp, tolerance.basis});
  return {};
}

/// The bytes to write for a module that is where `--to` wants it.
static Result<std::string> outputOf(mlir::ModuleOp module, const Form *form,
                                    const CompileCommandOptions &options,
                                    const ModuleSignature &signature, CompileReport &report) {
  if (!form)
    return printModule(module, options.debugInfo);
  Result<std::string> code =
      emitCode(module, form->code, options.module.parsedTier(), options.module.target, &report);
  if (!code || form->name != "so")
    return code;
  return linkSharedObject({{std::move(*code), signature}});
}

/// What --stats asks for: as of a run, without what only a run tells.
static Result<void> writeReport(const CompileCommandOptions &options, CompileReport &report) {
  RunStats stats;
  stats.module = options.module.path;
  stats.function = options.module.function;
  stats.target = options.module.target;
  stats.tier = options.module.tier;
  stats.phases = std::move(report.phases);
  stats.kernels = std::move(report.kernels);
  return writeStats(options.statsFile, stats);
}

/// Writes what was made where the options want it. The exit status.
static int writeOutput(const CompileCommandOptions &options, const std::string &output,
                       CompileReport &report) {
  if (!options.statsFile.empty())
    if (Result<void> written = writeReport(options, report); !written)
      return fail(written.error().message);
  if (options.output == "-") {
    llvm::outs() << output;
    return kSuccess;
  }
  Result<void> written = writeFileAtomically(options.output, output);
  return written ? kSuccess : fail(written.error().message);
}

/// What continues texts without a compiler: the functions of a checkpoint's decoder, and what the
/// checkpoint has for texts.
static int compileCheckpoint(const CompileCommandOptions &options, const DecoderFacts &facts) {
  Session session;
  mlir::DictionaryAttr plan;
  if (std::optional<int> status = session.readPlan(options.module, plan))
    return *status;
  session.holdErrors();
  Progress progress("importing " + options.module.path);
  CompileDecoderOptions forDecoder;
  forDecoder.target = options.module.target;
  forDecoder.tier = options.module.parsedTier();
  forDecoder.reproducerDir = options.module.reproducerDir;
  forDecoder.plan = plan;
  forDecoder.progress = [&](const std::string &step) { progress.step(step); };
  constexpr int64_t usual = 4096;
  DecoderOptions &model = forDecoder.model;
  model.batch = options.module.batch;
  model.capacity = options.cache.value_or(std::min(usual, facts.positions.value_or(usual)));
  model.prefills = options.lengths;
  if (model.prefills.empty()) {
    PrefillLengths usualLengths = prefillLengths(*Target::parse(options.module.target), model.batch,
                                                 options.pages.size.has_value());
    model.prefills = usualLengths.together;
    model.alone = usualLengths.alone;
  }
  model.pageSize = options.pages.size;
  model.pages = options.pages.count;
  model.sampled = true;
  model.relativeTo = llvm::sys::path::parent_path(options.output).str();
  model.withoutWeights = options.module.randomWeights;
  model.matrices = options.module.matrices();
  CompileReport report;
  Result<std::vector<CompiledFunction>> made =
      compileDecoder(options.module.path, *session.context(), forDecoder, report);
  if (!made) {
    progress.finish();
    return session.reportCompileError(made.error().message);
  }
  progress.step("linking");
  Result<TextFiles> files = readTextFiles(options.module.path);
  std::vector<LinkedFunction> functions;
  for (CompiledFunction &function : *made)
    functions.push_back({std::move(function.object), std::move(function.signature)});
  Result<std::string> output = files ? linkSharedObject(functions, *files) : files.error();
  progress.finish();
  return output ? writeOutput(options, *output, report) : fail(output.error().message);
}

/// The decoder that the options ask for as a whole, or none: other forms, and a function that is
/// named, are of `@main`, and so are encoders.
static std::optional<int> asCheckpoint(const CompileCommandOptions &options, bool isShared) {
  bool isWhole = isShared && options.module.function.empty() &&
                 options.module.parsedFrom() == Phase::Import && isCheckpoint(options.module.path);
  if (isWhole) {
    Session session;
    Result<std::optional<DecoderFacts>> facts =
        describeDecoder(options.module.path, *session.context(), options.module.randomWeights);
    if (!facts)
      return fail(facts.error().message);
    if (*facts)
      return compileCheckpoint(options, **facts);
  }
  const char *decoderOnly = "expected a checkpoint's decoder and a .so, without --function";
  if (options.cache)
    return badCall(std::string("--cache: ") + decoderOnly);
  if (options.pages.size)
    return badCall(std::string("--page-size: ") + decoderOnly);
  if (options.lengths.size() > 1)
    return badCall(std::string("--length: of several, ") + decoderOnly);
  return std::nullopt;
}

static int compile(const CompileCommandOptions &options) {
  const Form *form = formOf(options);
  if (std::optional<int> status = rejectTarget(options.module.target))
    return *status;
  Target target = *Target::parse(options.module.target);
  Phase last = lastPhaseOf(target);
  Phase to = form || options.to.empty() ? last : *parsePhase(options.to);
  for (const std::string &phase : {phaseName(to).str(), options.module.from})
    if (std::optional<int> status = rejectPhase(target, phase))
      return *status;
  if (to < options.module.parsedFrom())
    return badCall("--to " + options.to + " is before --from " + options.module.from);
  llvm::StringRef extension = llvm::sys::path::extension(options.output);
  bool holdsCode = llvm::any_of(forms, [&](const Form &f) { return f.extension == extension; });
  if (!form && holdsCode)
    return badCall("--to " + options.to + " gives MLIR, but " + options.output +
                   " is to hold code");
  if (form)
    if (Result<void> has = checkForm(target, form->code); !has)
      return badCall(has.error().message);
  bool isShared = form && form->name == "so";
  if (std::optional<int> status = asCheckpoint(options, isShared))
    return *status;
  Session session;
  ModuleOptions module = options.module;
  module.keepComplex = to == Phase::Import;
  if (!options.lengths.empty())
    module.length = options.lengths.front();
  if (std::optional<int> status = session.open(module))
    return *status;
  mlir::func::FuncOp function;
  ModuleSignature signature;
  if (isShared || !options.module.function.empty())
    if (std::optional<int> status = session.findFunction(options.module, function,
                                                         isShared ? &signature.function : nullptr))
      return *status;
  CompileOptions compileOptions;
  compileOptions.function = options.module.function;
  compileOptions.target = options.module.target;
  compileOptions.tier = options.module.parsedTier();
  compileOptions.reproducerDir = options.module.reproducerDir;
  compileOptions.from = options.module.parsedFrom();
  if (isShared)
    if (Result<void> known = describeModule(session, function, options, target, signature);
        !known) {
      function.emitError(known.error().message);
      return kFailed;
    }
  session.holdErrors();
  Progress progress("compiling " + options.module.path);
  CompileReport report;
  Result<void> lowered = lowerTo(session.module(), compileOptions, to, &report);
  if (!lowered) {
    progress.finish();
    return session.reportCompileError(lowered.error().message);
  }
  Result<std::string> output = outputOf(session.module(), form, options, signature, report);
  progress.finish();
  if (!output)
    return session.reportCompileError(output.error().message);
  return writeOutput(options, *output, report);
}

Command tool::addCompileCommand(CLI::App &app) {
  auto options = std::make_shared<CompileCommandOptions>();
  CLI::App *sub = app.add_subcommand("compile", "Compile up to a phase and write the result");
  options->module.addTo(*sub);
  options->module.addQuantize(*sub);
  options->module.addReproducerDir(*sub);
  options->module.addFromTo(*sub);
  options->module.addPlan(*sub);
  options->module.addRandomWeights(*sub);
  CLI::Range sizes(int64_t(1), int64_t(1) << 20);
  sub->add_option("--batch", options->module.batch,
                  "Of a checkpoint: sequences that are computed together")
      ->check(sizes)
      ->option_text("N")
      ->capture_default_str();
  sub->add_option("--length", options->lengths,
                  "Of a checkpoint: tokens of each that a run takes; by default 64. Of its decoder "
                  "as .so: tokens that a prefill takes at a time, a prefill for each number; by "
                  "default some from 2048, 512 and 256 down, by target and batch")
      ->check(sizes)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("N,...");
  sub->add_option("--cache", options->cache,
                  "Of a checkpoint's decoder as .so: tokens that a sequence may have; by default "
                  "4096, or as many as the model has positions for")
      ->check(sizes)
      ->option_text("N");
  options->pages.addTo(*sub);
  std::vector<std::string> phases;
  for (int i = 0; i <= static_cast<int>(lastPhase); ++i)
    phases.push_back(phaseName(static_cast<Phase>(i)).str());
  for (const Form &form : forms)
    phases.push_back(form.name.str());
  sub->add_option("--to", options->to,
                  "The last phase run (" + phaseNames() +
                      "), or a form of code: ll, s, o, so, ptx, cubin, isa, hsaco")
      ->check(CLI::IsMember(phases))
      ->option_text("PHASE");
  sub->add_option(
         "-o,--output", options->output,
         "Where to write: code for .ll .s .o .so .ptx .cubin .isa .hsaco, otherwise MLIR; - is "
         "standard output")
      ->required()
      ->check(isPath())
      ->option_text("FILE");
  sub->add_option("--stats", options->statsFile,
                  "Write phases, kernels and what their machine code takes (JSON)")
      ->check(isPath())
      ->option_text("FILE");
  sub->add_flag("--debug-info", options->debugInfo, "Print locations too");
  return {sub, [options] { return compile(*options); }};
}
