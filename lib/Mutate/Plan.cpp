// Which mistakes can be made where.
#include "forge/Execution/Lowering.h"
#include "forge/Mutate/Mutate.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <map>
#include <random>

using namespace mlir;
using namespace forge;

Result<std::vector<PhaseModule>> forge::lowerToPhases(ModuleOp module,
                                                      const MutateOptions &options) {
  std::vector<Phase> phases = options.phases;
  if (phases.empty()) {
    phases = {options.from};
    for (Phase phase :
         {Phase::Linalg, Phase::Fuse, Phase::Loops, Phase::Bufferize, Phase::Lower})
      if (phase > options.from)
        phases.push_back(phase);
  }
  std::vector<PhaseModule> modules;
  for (Phase phase : phases) {
    OwningOpRef<ModuleOp> clone = module.clone();
    CompileOptions compile;
    compile.function = options.function;
    compile.target = options.target;
    compile.tier = options.tier;
    compile.from = options.from;
    if (Result<void> lowered = lowerTo(*clone, compile, phase); !lowered)
      return lowered.error();
    modules.push_back({phase, std::move(clone)});
  }
  return modules;
}

/// "file.mlir:3:8" from wherever an op comes from.
static std::string locationText(Location location) {
  FileLineColLoc found;
  location->walk([&](Location inner) {
    if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (!found)
    return "an unknown place";
  return found.getFilename().str() + ":" + std::to_string(found.getLine()) + ":" +
         std::to_string(found.getColumn());
}

/// The ops of a module in the order in which mutants count them.
static std::vector<Operation *> opsOf(ModuleOp module) {
  std::vector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

static void addMutants(const PhaseModule &module, llvm::ArrayRef<const Mutator *> mutators,
                       std::vector<Mutant> &mutants) {
  for (auto [number, op] : llvm::enumerate(opsOf(*module.module)))
    for (const Mutator *mutator : mutators)
      for (unsigned site = 0, sites = mutator->sites(op); site < sites; ++site) {
        auto function = op->getParentOfType<FunctionOpInterface>(); // of the host or a GPU
        mutants.push_back({mutants.size(), module.phase, mutator, number, site,
                           op->getName().getStringRef().str(), locationText(op->getLoc()),
                           function ? function.getName().str() : ""});
      }
}

/// Takes from every phase and kind in turn.
static void sampleMutants(std::vector<Mutant> &mutants, size_t count, uint64_t seed) {
  // Not std::shuffle, which is another on every library.
  std::mt19937_64 random(seed);
  for (size_t i = mutants.size(); i > 1; --i)
    std::swap(mutants[i - 1], mutants[random() % i]);
  std::map<std::pair<Phase, const Mutator *>, size_t> taken;
  std::vector<std::pair<size_t, size_t>> order; // how many of its group came before; index
  for (size_t i = 0; i < mutants.size(); ++i)
    order.emplace_back(taken[{mutants[i].phase, mutants[i].mutator}]++, i);
  std::sort(order.begin(), order.end());
  std::vector<Mutant> chosen;
  for (size_t i = 0; i < std::min(count, order.size()); ++i)
    chosen.push_back(mutants[order[i].second]);
  std::sort(chosen.begin(), chosen.end(),
            [](const Mutant &a, const Mutant &b) { return a.id < b.id; });
  mutants = std::move(chosen);
}

std::vector<Mutant> forge::planMutants(const std::vector<PhaseModule> &modules,
                                       const MutateOptions &options, size_t &possible) {
  llvm::ArrayRef<const Mutator *> mutators = allMutators();
  if (!options.mutators.empty())
    mutators = options.mutators;
  std::vector<Mutant> mutants;
  for (const PhaseModule &module : modules)
    addMutants(module, mutators, mutants);
  possible = mutants.size();
  if (options.sample > 0 && options.sample < mutants.size())
    sampleMutants(mutants, options.sample, options.seed);
  return mutants;
}

void forge::plant(ModuleOp module, const Mutant &mutant) {
  mutant.mutator->plant(opsOf(module)[mutant.op], mutant.site);
}

void forge::plantTrap(ModuleOp module, const Mutant &mutant) {
  Operation *op = opsOf(module)[mutant.op];
  auto trapBefore = [](Operation *place) {
    OpBuilder builder(place);
    LLVM::Trap::create(builder, place->getLoc());
  };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return trapBefore(&loop.getBody()->front());
  if (!isPure(op) || op->use_empty())
    return trapBefore(op);
  for (Operation *user : op->getUsers())
    trapBefore(user);
}
