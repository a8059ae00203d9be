#include "forge/Mutate/Mutate.h"

#include "Children.h"

#include "forge/Execution/EntryFunction.h"
#include "forge/Execution/Executable.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/IR/Verifier.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

namespace {
/// Inputs, and what is right on them.
struct Case {
  StringRef distribution;
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> expected;
  std::vector<Tolerance> tolerances;
};

/// What a child writes: a letter for each step it begins, then how it ended.
constexpr char kCompiling = 'c', kRunning = 'r', kEnd = '.';

/// One execution of a module at some phase against the cases.
class Trial {
public:
  Trial(ModuleOp module, Phase phase, const CompileOptions &compile, const std::vector<Case> &cases)
      : module(module), phase(phase), compile(compile), cases(cases) {}

  /// In a child. Makes the mistake, or anything else, and tells how far it came: no further than
  /// compiling where that gives the code `unchanged`.
  void run(const std::function<void(ModuleOp)> &change, const Children::Write &write,
           std::optional<uint64_t> unchanged);

private:
  ModuleOp module;
  Phase phase;
  CompileOptions compile;
  const std::vector<Case> &cases;
};
} // namespace

static std::string ending(Verdict verdict, const std::string &detail) {
  return std::string(1, kEnd) + static_cast<char>('0' + static_cast<int>(verdict)) + detail;
}

/// FNV-1a over the bits of results.
static uint64_t hashOf(const std::vector<HostTensor> &tensors, uint64_t hash) {
  for (const HostTensor &tensor : tensors)
    for (size_t i = 0; i < tensor.numBytes(); ++i)
      hash = (hash ^ tensor.dataAs<uint8_t>()[i]) * 0x100000001B3u;
  return hash;
}

static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

void Trial::run(const std::function<void(ModuleOp)> &change, const Children::Write &write,
                std::optional<uint64_t> unchanged) {
  change(module);
  if (failed(verify(module)))
    return write(ending(Verdict::Verifier, "invalid IR"));
  write(std::string(1, kCompiling));
  compile.from = phase;
  Result<Executable> executable = Executable::compile(module, compile);
  if (!executable)
    return write(ending(Verdict::Pipeline, executable.error().message));
  if (unchanged && executable->codeHash() == *unchanged)
    return write(ending(Verdict::SameCode, ""));
  write(std::string(1, kRunning));
  uint64_t hash = 0xCBF29CE484222325u;
  double nearest = 0;
  for (const Case &one : cases) {
    Result<RunResult> run = executable->run(one.inputs);
    if (!run)
      return write(ending(Verdict::Execution, run.error().message));
    for (size_t i = 0; i < one.expected.size(); ++i) {
      Comparison comparison = compare(run->results[i], one.expected[i], one.tolerances[i]);
      if (!comparison.agree)
        return write(ending(Verdict::Comparison, one.distribution.str() + " inputs, result " +
                                                     std::to_string(i) + ": " +
                                                     describe(comparison)));
      nearest = std::max(nearest, comparison.maxOfAllowed);
    }
    hash = hashOf(run->results, hash);
  }
  write(ending(Verdict::Survived, std::to_string(hash) + " " + shortNumber(nearest) + " " +
                                      std::to_string(executable->codeHash())));
}

StringRef forge::verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Verifier:
    return "verifier";
  case Verdict::Pipeline:
    return "pipeline";
  case Verdict::Crash:
    return "crash";
  case Verdict::TimeLimit:
    return "time limit";
  case Verdict::Execution:
    return "execution";
  case Verdict::Comparison:
    return "comparison";
  case Verdict::Survived:
    return "survived";
  case Verdict::Unreached:
    return "not reached";
  case Verdict::SameCode:
    return "same code";
  }
  llvm_unreachable("all verdicts are named above");
}

/// What is right, on every distribution of inputs that is asked for.
static Result<std::vector<Case>> makeCases(func::FuncOp function, const MutateOptions &options) {
  std::vector<Case> cases;
  llvm::ArrayRef<std::pair<StringRef, Distribution>> distributions = allDistributions();
  if (!options.distributions.empty())
    distributions = options.distributions;
  for (auto [name, distribution] : distributions) {
    Case one;
    one.distribution = name;
    auto inputs = makeInputs(function, {options.seed, options.dynamicSize, distribution});
    if (failed(inputs))
      return Error{"no inputs can be made for the module"};
    one.inputs = std::move(*inputs);
    auto expected = Interpreter(function->getParentOfType<ModuleOp>()).run(function, one.inputs);
    if (failed(expected))
      return Error{"the reference cannot execute the module"};
    one.expected = std::move(*expected);
    one.tolerances = measureTolerances(function, one.inputs, errorModelOf(options.target));
    cases.push_back(std::move(one));
  }
  return cases;
}

namespace {
/// What is executed where, and what came of it.
class Campaign {
public:
  Campaign(const std::vector<PhaseModule> &modules, const CompileOptions &compile,
           const std::vector<Case> &cases, const MutateOptions &options)
      : modules(modules), compile(compile), cases(cases), options(options) {}

  /// The modules as they are: an error when one does not agree.
  Result<void> runUnchanged();
  Result<std::vector<MutantReport>> runAll(const std::vector<Mutant> &mutants);

private:
  ModuleOp moduleOf(Phase phase) const;
  static MutantReport reportOf(const Ending &ending);
  void explain(MutantReport &report) const;

  const std::vector<PhaseModule> &modules;
  CompileOptions compile;
  const std::vector<Case> &cases;
  const MutateOptions &options;
  bool start(Children &children, size_t number, const Mutant &mutant, bool asTrap) const;
  /// Whether to find out if what was changed is executed at all. Above memory everything is.
  bool mayBeUnreached(const MutantReport &report) const;

  /// Per phase, the hash of the unchanged results, and of the code.
  std::map<Phase, std::string> unchanged;
  std::map<Phase, uint64_t> unchangedCode;
};
} // namespace

ModuleOp Campaign::moduleOf(Phase phase) const {
  for (const PhaseModule &module : modules)
    if (module.phase == phase)
      return *module.module;
  return {};
}

MutantReport Campaign::reportOf(const Ending &ending) {
  MutantReport report;
  size_t end = ending.output.find(kEnd);
  char step = ending.output.empty() ? kEnd : ending.output[0];
  if (end != std::string::npos && end + 1 < ending.output.size()) {
    report.verdict = static_cast<Verdict>(ending.output[end + 1] - '0');
    report.detail = ending.output.substr(end + 2);
  } else {
    bool ran = ending.output.find(kRunning) != std::string::npos;
    std::string place = ran                  ? "in the compiled code"
                        : step == kCompiling ? "in the compiler"
                                             : "in the verifier";
    report.verdict = ending.timedOut ? Verdict::TimeLimit : Verdict::Crash;
    report.detail = ending.timedOut     ? "no end " + place
                    : ending.signal > 0 ? std::string(strsignal(ending.signal)) + " " + place
                                        : "exit " + place;
  }
  return report;
}

Result<void> Campaign::runUnchanged() {
  Children children(3 * options.timeLimit);
  for (const PhaseModule &module : modules) {
    bool started = children.start(0, [&](const Children::Write &write) {
      Trial(*module.module, module.phase, compile, cases).run([](ModuleOp) {}, write, std::nullopt);
    });
    if (!started)
      return Error{"no process can be started"};
    MutantReport report = reportOf(children.wait());
    if (report.verdict != Verdict::Survived)
      return Error{"without any mutation the module fails from phase " +
                   phaseName(module.phase).str() + " on: " + report.detail};
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(report.detail).split(parts, ' ');
    unchanged[module.phase] = parts[0].str();
    unchangedCode[module.phase] = std::stoull(parts[2].str());
  }
  return {};
}

/// Why a mutant survived, as far as it is known.
void Campaign::explain(MutantReport &report) const {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(report.detail).split(parts, ' ');
  llvm::StringRef hash = parts[0], nearest = parts[1];
  bool same = hash == unchanged.at(report.mutant.phase);
  std::string text = same ? "the results are the same to the last bit: what differs does not arise "
                            "on these inputs"
                          : "the largest error is " + nearest.str() + " of what is allowed";
  StringRef excuse = report.mutant.mutator->excuse();
  report.detail = text + (excuse.empty() ? "" : "; " + excuse.str());
}

bool Campaign::start(Children &children, size_t number, const Mutant &mutant, bool asTrap) const {
  auto change = [&](ModuleOp module) {
    asTrap ? plantTrap(module, mutant) : plant(module, mutant);
  };
  return children.start(number, [&](const Children::Write &write) {
    Trial(moduleOf(mutant.phase), mutant.phase, compile, cases)
        .run(change, write, unchangedCode.at(mutant.phase));
  });
}

bool Campaign::mayBeUnreached(const MutantReport &report) const {
  return report.verdict == Verdict::Survived && report.mutant.phase >= Phase::Bufferize &&
         llvm::StringRef(report.detail).split(' ').first == unchanged.at(report.mutant.phase);
}

Result<std::vector<MutantReport>> Campaign::runAll(const std::vector<Mutant> &mutants) {
  Children children(options.timeLimit);
  std::vector<MutantReport> reports(mutants.size());
  // Numbers from mutants.size() on stand for traps.
  std::vector<size_t> waiting(mutants.size());
  std::iota(waiting.rbegin(), waiting.rend(), 0);
  for (size_t done = 0; done < mutants.size();) {
    while (!waiting.empty() && children.running() < std::max(options.jobs, 1u)) {
      size_t number = waiting.back(), index = number % mutants.size();
      waiting.pop_back();
      if (!start(children, number, mutants[index], number >= mutants.size()))
        return Error{"no process can be started"};
    }
    Ending ending = children.wait();
    size_t index = ending.number % mutants.size();
    MutantReport &report = reports[index], ended = reportOf(ending);
    if (ending.number >= mutants.size()) {
      if (ended.verdict >= Verdict::Survived) {
        report.verdict = Verdict::Unreached;
        report.detail = "";
      } else {
        explain(report);
      }
    } else {
      report = ended;
      report.mutant = mutants[index];
      if (mayBeUnreached(report)) {
        waiting.push_back(mutants.size() + index);
        continue;
      }
      if (report.verdict == Verdict::Survived)
        explain(report);
    }
    ++done;
    if (options.progress)
      options.progress(done, mutants.size());
  }
  return reports;
}

Result<MutationReport> forge::runMutants(ModuleOp module, const MutateOptions &options) {
  Result<func::FuncOp> entry = findEntry(module, options.function);
  if (!entry)
    return entry.error();
  func::FuncOp function = *entry;
  MutateOptions named = options;
  named.function = function.getName().str();
  CompileOptions compile;
  compile.function = named.function;
  compile.target = options.target;
  compile.tier = options.tier;
  Result<FunctionSignature> signature = signatureOf(module, named.function);
  if (!signature)
    return signature.error();
  compile.signature = *signature;
  Result<std::vector<PhaseModule>> modules = lowerToPhases(module, named);
  if (!modules)
    return modules.error();
  Result<std::vector<Case>> cases = makeCases(function, options);
  if (!cases)
    return cases.error();
  Campaign campaign(*modules, compile, *cases, options);
  if (Result<void> unchanged = campaign.runUnchanged(); !unchanged)
    return unchanged.error();
  MutationReport report;
  std::vector<Mutant> mutants = planMutants(*modules, options, report.possible);
  Result<std::vector<MutantReport>> reports = campaign.runAll(mutants);
  if (!reports)
    return reports.error();
  report.mutants = std::move(*reports);
  return report;
}
