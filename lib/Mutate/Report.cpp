#include "forge/Mutate/Mutate.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace forge;

size_t MutationReport::count(Verdict verdict) const {
  return llvm::count_if(mutants,
                        [&](const MutantReport &report) { return report.verdict == verdict; });
}

size_t MutationReport::killed() const {
  return llvm::count_if(
      mutants, [](const MutantReport &report) { return report.verdict < Verdict::Survived; });
}

double MutationReport::score() const {
  size_t counted = killed() + count(Verdict::Survived);
  return counted == 0 ? 1 : static_cast<double>(killed()) / static_cast<double>(counted);
}

namespace {
/// Mutants that change the code and were reached, and those of them that were killed.
struct Counts {
  size_t reached = 0, killed = 0;
  void add(Verdict verdict) {
    reached += verdict <= Verdict::Survived;
    killed += verdict < Verdict::Survived;
  }
};
} // namespace

static llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Counts &counts) {
  return os << counts.killed << " of " << counts.reached << " killed";
}

static void printTotals(llvm::raw_ostream &os, const MutationReport &report) {
  os << report.mutants.size() << " mutants of " << report.possible << " planted, "
     << report.count(Verdict::Unreached) << " not reached, " << report.count(Verdict::SameCode)
     << " of the same code, " << report.killed() << " killed ("
     << llvm::format("%.1f", 100 * report.score()) << " % of the others)\n";
  std::map<Verdict, size_t> verdicts;
  std::map<Phase, Counts> phases;
  std::map<std::string, Counts> kinds;
  for (const MutantReport &mutant : report.mutants) {
    ++verdicts[mutant.verdict];
    phases[mutant.mutant.phase].add(mutant.verdict);
    kinds[mutant.mutant.mutator->name().str()].add(mutant.verdict);
  }
  std::string by;
  for (auto [verdict, count] : verdicts)
    if (verdict < Verdict::Survived)
      by += (by.empty() ? "by " : ", ") + verdictName(verdict).str() + " " + std::to_string(count);
  if (!by.empty())
    os << by << "\n";
  for (auto [phase, counts] : phases)
    os << "phase " << phaseName(phase) << ": " << counts << "\n";
  for (const auto &[kind, counts] : kinds)
    os << "kind " << kind << ": " << counts << "\n";
}

/// All but the number: mutants of unrolled code are the same.
static std::string textOf(const MutantReport &report) {
  const Mutant &mutant = report.mutant;
  std::string text = phaseName(mutant.phase).str() + " " + mutant.mutator->name().str() + " at " +
                     mutant.opName + " (" + mutant.location + ", @" + mutant.function +
                     "): " + mutant.mutator->summary().str() + "\n    ";
  if (report.verdict < Verdict::Survived)
    text += "killed by ";
  text += verdictName(report.verdict).str();
  return text + (report.detail.empty() ? "" : ": " + report.detail);
}

std::string forge::describe(const MutationReport &report, bool all) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // In the order of the first of each.
  std::vector<std::pair<const MutantReport *, size_t>> kinds;
  std::map<std::string, size_t> known;
  for (const MutantReport &mutant : report.mutants) {
    if (!all && mutant.verdict != Verdict::Survived)
      continue;
    auto [found, isNew] = known.try_emplace(textOf(mutant), kinds.size());
    if (isNew)
      kinds.emplace_back(&mutant, 0);
    ++kinds[found->second].second;
  }
  for (auto [mutant, count] : kinds) {
    os << "#" << mutant->mutant.id << " " << textOf(*mutant);
    if (count > 1)
      os << " (" << count << " of them)";
    os << "\n";
  }
  printTotals(os, report);
  return text;
}
