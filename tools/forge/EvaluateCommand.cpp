// forge evaluate: results, times and the mutation score of a suite of modules, compared with what
// was accepted before.
#include "Progress.h"
#include "Session.h"
#include "Weights.h"

#include "forge/Bench/Samples.h"
#include "forge/Evaluate/Evaluation.h"
#include "forge/Evaluate/Suite.h"
#include "forge/Support/AtomicFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <thread>

using namespace forge;
using namespace forge::tool;

namespace {
struct EvaluateOptions {
  ModuleOptions module;
  std::string suite;
  std::vector<std::string> only;
  uint64_t seed = 0;
  size_t sample = 12, runs = 21;
  double timeTolerance = 0.1;
  bool asJson = false, accept = false;
  std::string outputFile, baselineFile;

  bool wants(llvm::StringRef part) const { return only.empty() || llvm::is_contained(only, part); }
};

/// A module that is evaluated step by step, each in a session of its own.
class Subject {
public:
  Subject(const EvaluateOptions &options, const SuiteEntry &entry)
      : options(options), entry(entry) {
    evaluation.module = entry.name;
    evaluation.function = entry.function;
    module = options.module;
    module.path = entry.path;
    module.function = entry.function;
    module.from = phaseName(entry.from).str();
  }

  void mutate(const Target &target);
  void verify();
  void time();

  ModuleEvaluation evaluation;
  /// Of `evaluation.error`, where there is one.
  DiagnosticText error;

private:
  bool open(Session &session, mlir::func::FuncOp &function, FunctionSignature &signature);
  bool makeInputs(Session &session, mlir::func::FuncOp function, const FunctionSignature &signature,
                  std::vector<HostTensor> &inputs);
  /// Keeps the first error: that of the session, where there is one.
  void failed(const Session &session, const std::string &message);

  const EvaluateOptions &options;
  const SuiteEntry &entry;
  ModuleOptions module;
};
} // namespace

void Subject::failed(const Session &session, const std::string &message) {
  if (!evaluation.error.empty())
    return;
  error = {Severity::Error, message, knownDetails(message), {}};
  if (session.diagnostics().numErrors() > 0)
    error = session.diagnostics().firstDiagnostic();
  llvm::StringRef what = error.message;
  while (what.consume_front(entry.path + ": "))
    ;
  const std::string &place = error.details.location;
  evaluation.error = (place.empty() ? "" : place + ": ") + what.str();
  bool isNamed = llvm::StringRef(place).starts_with(entry.path + ":");
  error.message = (isNamed ? "" : entry.name + ": ") + what.str();
  error.details.fillFrom({.stage = commandName(), .location = entry.location});
}

bool Subject::open(Session &session, mlir::func::FuncOp &function, FunctionSignature &signature) {
  HeldErrors held;
  session.holdErrors();
  if (!session.open(module) && !session.findFunction(module, function, &signature) && function) {
    evaluation.function = function.getSymName().str();
    return true;
  }
  failed(session, held.first().empty()
                      ? "expected a function that inputs can be made for, but got the LLVM dialect"
                      : held.first());
  return false;
}

bool Subject::makeInputs(Session &session, mlir::func::FuncOp function,
                         const FunctionSignature &signature, std::vector<HostTensor> &inputs) {
  HeldErrors held;
  if (!makeArguments(session, module, {options.seed, entry.dynamicSize}, function, signature,
                     inputs))
    return true;
  failed(session, held.first().empty() ? "no inputs can be made" : held.first());
  return false;
}

/// Before anything compiled runs in this process: mutants are executed by copies of it.
void Subject::mutate(const Target &target) {
  Session session;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  if (!open(session, function, signature))
    return;
  session.context()->disableMultithreading();
  MutateOptions mutateOptions;
  mutateOptions.function = function.getSymName().str();
  // A copy of a process cannot use its devices.
  mutateOptions.target = target.isGPU() ? "sim:" + target.chip->name.str() : target.text();
  mutateOptions.tier = module.parsedTier();
  mutateOptions.from = entry.from;
  mutateOptions.sample = options.sample;
  mutateOptions.seed = options.seed;
  mutateOptions.dynamicSize = entry.dynamicSize;
  mutateOptions.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  Progress progress(entry.name + ": mutants");
  Result<MutationReport> report = runMutants(session.module(), mutateOptions);
  if (report)
    evaluation.mutation = scoreOf(*report);
  else
    failed(session, report.error().message);
}

void Subject::verify() {
  if (!evaluation.error.empty())
    return;
  Session session;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  VerifyOptions verifyOptions;
  if (!open(session, function, signature) ||
      !makeInputs(session, function, signature, verifyOptions.inputs))
    return;
  verifyOptions.function = function.getSymName().str();
  verifyOptions.target = module.target;
  verifyOptions.tier = module.tier;
  verifyOptions.from = entry.from;
  Progress progress(entry.name + ": results");
  mlir::FailureOr<VerifyReport> report = forge::verify(session.module(), verifyOptions);
  if (mlir::failed(report))
    return failed(session, "there is no reference to compare with");
  evaluation.results = resultErrors(*report);
  const StageReport &whole = report->stages.back();
  if (!whole.ran())
    return failed(session, whole.error);
  for (auto [i, result] : llvm::enumerate(whole.results))
    if (!result.agree)
      return failed(session, "result " + std::to_string(i) +
                                 " differs from the reference: " + describe(result));
}

void Subject::time() {
  if (!evaluation.error.empty())
    return;
  Session session;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  BenchOptions benchOptions;
  benchOptions.peers = false;
  if (!open(session, function, signature) ||
      !makeInputs(session, function, signature, benchOptions.inputs))
    return;
  benchOptions.compile.function = function.getSymName().str();
  benchOptions.compile.target = module.target;
  benchOptions.compile.from = entry.from;
  benchOptions.tiers = {module.tier};
  benchOptions.runs = options.runs;
  benchOptions.ceilings = false;
  Progress progress(entry.name + ": times");
  Result<BenchReport> report = bench(session.module(), benchOptions);
  if (report)
    evaluation.time = timeOf(*report);
  else
    failed(session, report.error().message);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printModule(const ModuleEvaluation &module) {
  llvm::outs() << module.module << ": ";
  if (!module.error.empty()) {
    llvm::outs() << module.error << "\n";
    return;
  }
  double worst = 0;
  for (const ResultError &result : module.results)
    worst = std::max(worst, result.ofAllowed);
  if (!module.results.empty())
    llvm::outs() << llvm::formatv("agrees, {0:f2} of what is allowed; ", worst);
  if (module.time) {
    double ms = medianInterval(module.time->ms)->median;
    llvm::outs() << llvm::formatv("{0:f4} ms", ms);
    // Unknown where sizes are.
    if (module.time->flops > 0)
      llvm::outs() << llvm::formatv(", {0:f2} GFLOP/s", module.time->flops / ms * 1e-6);
    if (module.time->bytes > 0)
      llvm::outs() << llvm::formatv(", {0:f2} GB/s", module.time->bytes / ms * 1e-6);
    llvm::outs() << "; ";
  }
  if (module.mutation)
    llvm::outs() << module.mutation->killed << " of " << module.mutation->counted
                 << " mutants killed; ";
  llvm::outs() << "@" << module.function << "\n";
  llvm::outs().flush();
}

static void printSum(const Evaluation &evaluation) {
  size_t right = llvm::count_if(evaluation.modules,
                                [](const ModuleEvaluation &one) { return one.error.empty(); });
  llvm::outs() << right << " of " << evaluation.modules.size() << " modules are right";
  if (std::optional<double> score = evaluation.mutationScore())
    llvm::outs() << llvm::formatv("; mutation score {0:f1} %", *score * 100);
  llvm::outs() << "\n";
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// The suite that is named, or Forge's own, at the top of its source.
static std::optional<int> entriesOf(const EvaluateOptions &options, const Target &target,
                                    std::vector<SuiteEntry> &entries) {
  constexpr char own[] = "examples/suite.txt";
  if (options.suite.empty() && !llvm::sys::fs::exists(own))
    return badCall(std::string("expected a suite, or to be called where ") + own + " is");
  Result<std::vector<SuiteEntry>> read = openSuite(options.suite.empty() ? own : options.suite);
  if (!read)
    return badCall(read.error().message);
  for (SuiteEntry &entry : *read)
    if (entry.isFor(target))
      entries.push_back(std::move(entry));
  if (entries.empty())
    return badCall("no module of the suite is for " + target.text());
  return std::nullopt;
}

/// An exit status where there is none to compare with.
static std::optional<int> readAccepted(const EvaluateOptions &options,
                                       std::optional<Evaluation> &accepted) {
  if (options.baselineFile.empty() ||
      (options.accept && !llvm::sys::fs::exists(options.baselineFile)))
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(options.baselineFile);
  if (!file)
    return badCall(options.baselineFile + ": cannot read: " + file.getError().message());
  Result<Evaluation> read = readEvaluation((*file)->getBuffer(), options.baselineFile);
  if (!read)
    return fail(read.error().message);
  if (read->target != options.module.target || read->tier != options.module.tier)
    return badCall(options.baselineFile + ": expected an evaluation of target " +
                   options.module.target + " in tier " + options.module.tier + ", but got one of " +
                   read->target + " in tier " + read->tier);
  accepted = std::move(*read);
  return std::nullopt;
}

namespace {
struct Found {
  Evaluation evaluation;
  /// Of the modules that are not right, by what whatGotWorse says of them.
  std::vector<std::pair<std::string, DiagnosticText>> errors;
};
} // namespace

static Found evaluateAll(const EvaluateOptions &options, const std::vector<SuiteEntry> &entries,
                         const Target &target) {
  std::vector<Subject> subjects;
  for (const SuiteEntry &entry : entries)
    subjects.emplace_back(options, entry);
  if (options.wants("mutation"))
    for (Subject &subject : subjects)
      subject.mutate(target);
  bool hasClock = target.driver != "sim";
  Found found{{versionText(), options.module.target, options.module.tier, {}}, {}};
  for (Subject &subject : subjects) {
    if (options.wants("results"))
      subject.verify();
    if (options.wants("times") && hasClock)
      subject.time();
    if (!options.asJson)
      printModule(subject.evaluation);
    if (!subject.evaluation.error.empty())
      found.errors.emplace_back(subject.evaluation.module + ": " + subject.evaluation.error,
                                subject.error);
    found.evaluation.modules.push_back(std::move(subject.evaluation));
  }
  return found;
}

/// Exit status: something is wrong, or worse than what was accepted and is not accepted now.
static int report(const EvaluateOptions &options, const Found &found,
                  const std::optional<Evaluation> &accepted) {
  const Evaluation &evaluation = found.evaluation;
  std::string text = writeEvaluation(evaluation);
  if (options.asJson)
    llvm::outs() << text;
  else
    printSum(evaluation);
  llvm::outs().flush();
  if (!options.outputFile.empty())
    if (Result<void> written = writeFileAtomically(options.outputFile, text); !written)
      return fail(written.error().message);
  int status = kSuccess;
  if (accepted) {
    for (const std::string &worse :
         whatGotWorse(*accepted, evaluation, {.timeTolerance = options.timeTolerance})) {
      auto error = llvm::find_if(found.errors, [&](auto &one) { return one.first == worse; });
      DiagnosticText text =
          error != found.errors.end()
              ? error->second
              : DiagnosticText{Severity::Error, worse, {.stage = commandName()}, {}};
      if (options.accept)
        warnWith(std::move(text));
      else
        status = failWith(std::move(text));
    }
  } else {
    for (const auto &[worse, text] : found.errors)
      status = failWith(text);
  }
  if (options.accept)
    if (Result<void> written = writeFileAtomically(options.baselineFile, text); !written)
      return fail(written.error().message);
  return status;
}

static int evaluate(const EvaluateOptions &options) {
  if (std::optional<int> status = rejectTarget(options.module.target))
    return *status;
  Target target = *Target::parse(options.module.target);
  std::vector<SuiteEntry> entries;
  if (std::optional<int> status = entriesOf(options, target, entries))
    return *status;
  std::optional<Evaluation> accepted;
  if (std::optional<int> status = readAccepted(options, accepted))
    return *status;
  return report(options, evaluateAll(options, entries, target), accepted);
}

Command tool::addEvaluateCommand(CLI::App &app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App *sub = app.add_subcommand(
      "evaluate", "Results, times and mutation score of a suite, and what got worse");
  sub->add_option("SUITE", options->suite,
                  "A file that names modules, a folder of them, or a module; by default "
                  "examples/suite.txt")
      ->check(isPath())
      ->option_text(" ");
  options->module.addTargetTo(*sub);
  sub->add_option("--only", options->only, "Some of what is done: results, times, mutation")
      ->delimiter(',')
      ->check(CLI::IsMember({"results", "times", "mutation"}))
      ->option_text("PART,...");
  sub->add_option("--sample", options->sample, "Mutants of each module; default: 12")
      ->check(isNaturalNumber(1))
      ->option_text("N");
  sub->add_option("--runs", options->runs, "Timed runs of each module; default: 21")
      ->check(CLI::Range(kLeastSamples, size_t(100000)))
      ->option_text("N");
  sub->add_option("--seed", options->seed, "Of inputs and of the choice of mutants; default: 0")
      ->check(isNaturalNumber())
      ->option_text("N");
  sub->add_option("-o,--output", options->outputFile, "Write what was found as JSON")
      ->check(isPath())
      ->option_text("FILE.json");
  CLI::Option *baseline =
      sub->add_option("--baseline", options->baselineFile,
                      "Compare with what was accepted last; exit with 1 where something got worse")
          ->check(isPath())
          ->option_text("FILE.json");
  sub->add_flag("--accept", options->accept, "Write what was found to the baseline")
      ->needs(baseline);
  sub->add_option("--tolerance", options->timeTolerance,
                  "The share by which times may be longer than the baseline's; default: 0.1")
      ->check(isNumber(0, 1e6))
      ->option_text("SHARE");
  sub->add_flag("--json", options->asJson, "Print JSON");
  return {sub, [options] { return evaluate(*options); }};
}
