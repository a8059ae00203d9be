#include "forge/Codegen/CostModel.h"

using namespace forge;

namespace {
struct CostLine {
  llvm::StringLiteral chip, strategy;
  double microseconds, factor;
};
} // namespace

#define FORGE_STRATEGY_COST(chip, strategy, microseconds, factor)                                  \
  {chip, strategy, microseconds, factor},
static constexpr CostLine costTable[] = {
#include "Costs.def"
    {"", "", 0, 1}};
#undef FORGE_STRATEGY_COST

StrategyCost forge::strategyCost(llvm::StringRef chip, llvm::StringRef strategy) {
  for (const CostLine &line : costTable)
    if (line.chip == chip && line.strategy == strategy)
      return {line.microseconds * 1e-6, line.factor};
  return {};
}

std::optional<PredictedTime> forge::predictTime(const Strategy &strategy,
                                                mlir::func::FuncOp kernel, const GPUChip &chip) {
  std::optional<double> work = strategy.predict(kernel, chip);
  if (!work)
    return std::nullopt;
  return PredictedTime{*work, strategyCost(chip.name, strategy.name).seconds(*work)};
}
