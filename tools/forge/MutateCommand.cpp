// forge mutate: plants mistakes in a module and tells which of them verification finds.
#include "Progress.h"
#include "Session.h"

#include "forge/Execution/Executable.h"
#include "forge/Mutate/Mutate.h"
#include "forge/Support/AtomicFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;

namespace {
struct MutateCommandOptions {
  ModuleOptions module;
  std::vector<std::string> phases;
  std::vector<std::string> mutators;
  std::vector<std::string> distributions;
  size_t sample = 0;
  uint64_t seed = 0;
  int64_t dynamicSize = 5;
  double timeLimit = 20;
  unsigned jobs = std::max(std::thread::hardware_concurrency(), 1u);
  std::string jsonFile;
  bool list = false;
  bool print = false;
  bool all = false;
  double failBelow = 0;
};
} // namespace

static MutateOptions optionsOf(const MutateCommandOptions &options) {
  MutateOptions result;
  result.function = options.module.function;
  result.target = options.module.target;
  result.tier = options.module.parsedTier();
  result.from = options.module.parsedFrom();
  for (const std::string &name : options.phases)
    result.phases.push_back(*parsePhase(name));
  for (const std::string &name : options.mutators)
    result.mutators.push_back(mutatorNamed(name));
  for (auto [name, distribution] : allDistributions())
    if (llvm::is_contained(options.distributions, name))
      result.distributions.emplace_back(name, distribution);
  result.sample = options.sample;
  result.seed = options.seed;
  result.dynamicSize = options.dynamicSize;
  result.timeLimit = options.timeLimit;
  result.jobs = options.jobs;
  return result;
}

/// The kinds of mistakes, when no module is looked at.
static int listMutators() {
  for (const Mutator *mutator : allMutators())
    llvm::outs() << mutator->name() << ": " << mutator->summary() << "\n";
  return kSuccess;
}

/// Prints the IR of every mutant instead of executing it.
static int printMutants(Session &session, const MutateOptions &options) {
  session.holdErrors();
  Result<std::vector<PhaseModule>> modules = lowerToPhases(session.module(), options);
  if (!modules)
    return session.reportCompileError(modules.error().message);
  size_t possible = 0;
  for (const Mutant &mutant : planMutants(*modules, options, possible))
    for (const PhaseModule &module : *modules) {
      if (module.phase != mutant.phase)
        continue;
      mlir::ModuleOp original = *module.module;
      mlir::OwningOpRef<mlir::ModuleOp> clone = original.clone();
      plant(*clone, mutant);
      llvm::outs() << "// #" << mutant.id << " " << phaseName(mutant.phase) << " "
                   << mutant.mutator->name() << " at " << mutant.opName << "\n";
      clone->print(llvm::outs(), mlir::OpPrintingFlags().useLocalScope());
      llvm::outs() << "\n";
    }
  return kSuccess;
}

static nlohmann::ordered_json jsonOf(const MutationReport &report, const std::string &module) {
  nlohmann::ordered_json json;
  json["module"] = module;
  json["possible"] = report.possible;
  json["planted"] = report.mutants.size();
  json["not_reached"] = report.count(Verdict::Unreached);
  json["same_code"] = report.count(Verdict::SameCode);
  json["killed"] = report.killed();
  json["score"] = report.score();
  json["mutants"] = nlohmann::ordered_json::array();
  for (const MutantReport &one : report.mutants)
    json["mutants"].push_back({{"id", one.mutant.id},
                               {"phase", phaseName(one.mutant.phase).str()},
                               {"mutator", one.mutant.mutator->name().str()},
                               {"op", one.mutant.opName},
                               {"location", one.mutant.location},
                               {"function", one.mutant.function},
                               {"verdict", verdictName(one.verdict).str()},
                               {"detail", one.detail}});
  return json;
}

static std::string percent(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g %%", value);
  return text;
}

static int mutateModule(Session &session, const MutateCommandOptions &options) {
  MutateOptions mutateOptions = optionsOf(options);
  Progress progress("mutating " + options.module.path);
  mutateOptions.progress = [&](size_t done, size_t all) {
    progress.step("mutating " + options.module.path + ": " + std::to_string(done) + " of " +
                  std::to_string(all));
  };
  session.holdErrors();
  Result<MutationReport> report = runMutants(session.module(), mutateOptions);
  progress.finish();
  if (!report)
    return session.reportCompileError(report.error().message);
  llvm::outs() << describe(*report, options.all);
  llvm::outs().flush();
  if (!options.jsonFile.empty()) {
    std::string text = jsonOf(*report, options.module.path)
                           .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                       "\n";
    if (Result<void> written = writeFileAtomically(options.jsonFile, text); !written)
      return fail(written.error().message);
  }
  if (100 * report->score() < options.failBelow)
    return fail("expected " + percent(options.failBelow) +
                " of the mutants to be killed, but got " + percent(100 * report->score()));
  return kSuccess;
}

static int mutateCommand(const MutateCommandOptions &options) {
  if (options.list)
    return listMutators();
  if (options.module.path.empty())
    return badCall("MODULE is required (see forge mutate --help)");
  for (const std::string &phase : options.phases)
    if (*parsePhase(phase) < options.module.parsedFrom())
      return badCall("--phase " + phase + " is before --from " + options.module.from);
  Session session;
  if (std::optional<int> status = session.open(options.module))
    return *status;
  mlir::func::FuncOp function;
  FunctionSignature signature;
  // What is only printed need not be callable.
  FunctionSignature *wanted = options.print ? nullptr : &signature;
  if (std::optional<int> status = session.findFunction(options.module, function, wanted))
    return *status;
  if (!options.print)
    if (Result<void> there = checkDevice(options.module.target); !there)
      return fail(there.error().message);
  // Mutants are executed by copies of this process, which take over no threads.
  session.context()->disableMultithreading();
  return options.print ? printMutants(session, optionsOf(options)) : mutateModule(session, options);
}

Command tool::addMutateCommand(CLI::App &app) {
  auto options = std::make_shared<MutateCommandOptions>();
  CLI::App *sub = app.add_subcommand(
      "mutate", "Plant mistakes at every phase, tell which of them verification finds");
  options->module.addTo(*sub);
  options->module.addFromTo(*sub);
  sub->get_option("MODULE")->required(false);
  std::vector<std::string> phases, mutators, distributions;
  for (int i = 0; i <= static_cast<int>(Phase::Lower); ++i)
    phases.push_back(phaseName(static_cast<Phase>(i)).str());
  for (const Mutator *mutator : allMutators())
    mutators.push_back(mutator->name().str());
  for (auto [name, distribution] : allDistributions())
    distributions.push_back(name.str());
  sub->add_option("--phase", options->phases, "Plant in what this phase leaves; default: in all")
      ->option_text("PHASE")
      ->check(CLI::IsMember(phases))
      ->allow_extra_args(false);
  sub->add_option("--mutator", options->mutators, "Plant this kind of mistake; default: all kinds")
      ->option_text("NAME")
      ->check(CLI::IsMember(mutators))
      ->allow_extra_args(false);
  sub->add_option("--distribution", options->distributions,
                  "Execute on made-up floats of this kind; default: of every kind")
      ->option_text("NAME")
      ->check(CLI::IsMember(distributions))
      ->allow_extra_args(false);
  sub->add_option("--sample", options->sample,
                  "Plant N of the possible ones, of all kinds; default: all")
      ->check(isNaturalNumber(1))
      ->option_text("N");
  sub->add_option("--seed", options->seed, "Seed of the sample and of the inputs")
      ->check(isNaturalNumber())
      ->option_text("N");
  sub->add_option("--dynamic-size", options->dynamicSize, "Size taken for every dynamic dimension")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 20))
      ->option_text("N");
  sub->add_option("--time-limit", options->timeLimit, "Seconds that one mutant may take")
      ->check(isNumber(0.001, 1e6))
      ->option_text("SECONDS");
  sub->add_option("--jobs", options->jobs, "Mutants at a time")
      ->check(CLI::Range(1, 4096))
      ->option_text("N");
  sub->add_option("--json", options->jsonFile, "Write all mutants and what killed them")
      ->check(isPath())
      ->option_text("FILE");
  sub->add_option("--fail-below", options->failBelow, "Fail when fewer percent are killed")
      ->check(isNumber(0, 100))
      ->option_text("PERCENT");
  sub->add_flag("--all", options->all, "Print every mutant, not only the survivors");
  sub->add_flag("--print", options->print, "Print the IR of every mutant, execute none");
  sub->add_flag("--list", options->list, "Print the kinds of mistakes");
  return {sub, [options] { return mutateCommand(*options); }};
}
