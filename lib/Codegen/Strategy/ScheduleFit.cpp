#include "forge/Codegen/ScheduleFit.h"

#include "forge/Codegen/Alternatives.h"
#include "forge/Codegen/Strategy.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace forge;

Occupancy ScheduleFit::occupancy(const GPUChip &chip) const {
  return occupancyOf({std::max<int64_t>(threads, 1), registers, sharedBytes}, chip);
}

/// Places for tiles of all multiprocessors.
static int64_t placesOf(const ScheduleFit &fit, const GPUChip &chip) {
  return chip.processors * std::max<int64_t>(fit.occupancy(chip).blocks, 1);
}

int64_t ScheduleFit::waves(const GPUChip &chip) const {
  return llvm::divideCeil(std::max<int64_t>(tiles, 1), placesOf(*this, chip));
}

double ScheduleFit::idleShare(const GPUChip &chip) const {
  return 1 - static_cast<double>(tiles) / static_cast<double>(waves(chip) * placesOf(*this, chip));
}

static std::string percent(double share) { return llvm::formatv("{0:F0} %", share * 100).str(); }

std::string ScheduleFit::describe(const GPUChip &chip) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t rounds = waves(chip);
  os << tiles << (tiles == 1 ? " tile in " : " tiles in ") << rounds
     << (rounds == 1 ? " wave of " : " waves of ") << placesOf(*this, chip) << ", "
     << percent(idleShare(chip)) << " idle";
  if (padding >= 1.005)
    os << "; " << percent(1 - 1 / padding) << " beyond edges";
  if (threads == 0)
    return text;
  Occupancy at = occupancy(chip);
  os << "; " << at.blocks << (at.blocks == 1 ? " block" : " blocks") << " at once by " << at.limit;
  if (at.limit == "shared memory")
    os << " (" << sharedBytes << " bytes)";
  else if (at.limit == "registers")
    os << " (about " << registers << ")";
  else
    os << " (" << threads << " threads)";
  return text;
}

static std::optional<ScheduleFit> fitOf(func::FuncOp kernel, ScheduleAttr schedule,
                                        const GPUChip &chip) {
  const Strategy *strategy = findStrategy(schedule.strategy());
  return strategy && strategy->fit ? strategy->fit(kernel, schedule, chip) : std::nullopt;
}

/// "n = 64, stages = 8".
static std::string changeOf(ScheduleAttr from, ScheduleAttr to) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (NamedAttribute entry : to.getFields()) {
    if (from.getFields().get(entry.getName()) == entry.getValue())
      continue;
    os << (text.empty() ? "" : ", ") << entry.getName().getValue() << " = ";
    entry.getValue().print(os, /*elideType=*/true);
  }
  return text;
}

ScheduleChoice forge::explainChoice(func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) {
  ScheduleChoice choice;
  const Strategy *strategy = findStrategy(schedule.strategy());
  if (!strategy)
    return choice;
  choice.rule = strategy->choice.str();
  choice.fit = fitOf(kernel, schedule, chip);
  for (SteppedSchedule &step : stepsOf(kernel, schedule, chip)) {
    ScheduleStep made{step.field.str(), step.refusal.empty() ? step.schedule : ScheduleAttr(),
                      std::move(step.refusal), std::nullopt, changeOf(schedule, step.schedule)};
    if (made.schedule)
      made.fit = fitOf(kernel, made.schedule, chip);
    // Neighbours of two fields may be the same.
    if (llvm::none_of(choice.steps,
                      [&](const ScheduleStep &other) { return other.change == made.change; }))
      choice.steps.push_back(std::move(made));
  }
  return choice;
}

std::string forge::judge(const ScheduleStep &step, const ScheduleChoice &choice) {
  if (!step.schedule)
    return "not legal: " + step.refusal;
  if (!choice.fit || !choice.fit->seconds || !step.fit || !step.fit->seconds)
    return "legal; no estimate tells it apart";
  // What estimates do not tell apart.
  constexpr double kAlike = 0.05;
  double ratio = *step.fit->seconds / *choice.fit->seconds;
  if (ratio >= 0.9995 && ratio < 1.0005)
    return "estimated as long";
  if (std::abs(ratio - 1) < kAlike)
    return "estimated about as long";
  return llvm::formatv("estimated {0:F2} times as long", ratio).str();
}
