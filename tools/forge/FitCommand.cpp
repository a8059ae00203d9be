// forge fit: the cost model's constants, from what was measured on a chip.
#include "Command.h"

#include "forge/Tune/FitCosts.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

/// "52 predictions, rank correlation 0.980, off by a factor of 1.20 typically, 2.30 at worst
/// (FILE:KERNEL by rows: predicted 3.1 us, measured 7.1 us); chosen by them 20 kernels take 1.010
/// times as long as by their fastest strategies, 1.40 at worst (FILE:KERNEL by library)".
static std::string describeError(const std::vector<Prediction> &predictions) {
  ModelError error = modelErrorOf(predictions);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << error.predictions << " predictions";
  if (error.rankCorrelation)
    os << llvm::format(", rank correlation %.3f", *error.rankCorrelation);
  double ratio = std::max(error.worst->predicted / error.worst->measured,
                          error.worst->measured / error.worst->predicted);
  os << llvm::format(", off by a factor of %.2f typically, %.2f at worst (", error.typicalFactor,
                     ratio)
     << error.worst->kernel << " by " << error.worst->strategy
     << llvm::format(": predicted %.3g us, measured %.3g us)", error.worst->predicted * 1e6,
                     error.worst->measured * 1e6);
  ChoiceError choice = choiceErrorOf(predictions);
  if (choice.kernels > 0)
    os << llvm::format("; chosen by them %zu kernels take %.3f times as long as by their fastest "
                       "strategies, %.2f at worst (",
                       choice.kernels, choice.mean, choice.most)
       << choice.worst.kernel << " by " << choice.worst.strategy << ")";
  return text;
}

static int fit(const std::vector<std::string> &files) {
  CostSamples all;
  for (const std::string &path : files) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file)
      return badCall(path + ": cannot read: " + file.getError().message());
    Result<CostSamples> read = readCostSamples((*file)->getBuffer(), path);
    if (!read)
      return fail(read.error().message);
    if (!all.chip.empty() && read->chip != all.chip)
      return badCall(path + ": expected measurements of " + all.chip + ", but got those of " +
                     read->chip);
    all.chip = read->chip;
    llvm::append_range(all.samples, read->samples);
  }
  StrategyCosts costs = fitCosts(all.samples);
  for (const auto &[strategy, cost] : costs)
    llvm::outs() << "FORGE_STRATEGY_COST(\"" << all.chip << "\", \"" << strategy << "\", "
                 << llvm::format("%.3g, %.3g)\n", cost.overhead * 1e6, cost.factor);
  llvm::outs() << "// as measured with: " << describeError(all.samples) << "\n"
               << "// fitted: " << describeError(predictBy(costs, all.samples)) << "\n"
               << "// each kernel by the others: " << describeError(crossValidate(all.samples))
               << "\n";
  return kSuccess;
}

Command tool::addFitCommand(CLI::App &app) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App *sub =
      app.add_subcommand("fit", "Fit the cost model of a chip to times that were measured there");
  sub->add_option("FILE", *files,
                  "What forge explain --measure --json or forge tune --json printed")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  return {sub, [files] { return fit(*files); }};
}
