#include "forge/Codegen/Alternatives.h"

#include "forge/Codegen/Offers.h"
#include "forge/Dialect/Forge/IR/ScheduleFields.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

/// Counts up to this are changed by one, larger sizes by two as a factor.
static constexpr int64_t kMostCount = 64;

/// The largest size that is one step from 0.
static constexpr int64_t kMostFromZero = 64;

/// Values that are one step from a field's value, if it is a size or a flag. 0 is one step from
/// every other size, since it is another way to compute (`loads = 0`: a loop over the row) and 1
/// may not be legal.
static SmallVector<Attribute> stepsFrom(const ScheduleField &field, Attribute value) {
  Builder b(value.getContext());
  if (auto flag = dyn_cast<BoolAttr>(value))
    return {b.getBoolAttr(!flag.getValue())};
  auto size = dyn_cast<IntegerAttr>(value);
  if (!size)
    return {};
  int64_t number = size.getInt();
  bool isCount = field.most <= kMostCount;
  SmallVector<Attribute> steps;
  if (!isCount && field.least == 0) {
    if (number != 0)
      steps.push_back(b.getI64IntegerAttr(0));
    for (int64_t other = 1; number == 0 && other <= kMostFromZero; other *= 2)
      steps.push_back(b.getI64IntegerAttr(other));
  }
  if (isCount ? number > field.least : number % 2 == 0 && number / 2 >= field.least && number > 0)
    steps.push_back(b.getI64IntegerAttr(isCount ? number - 1 : number / 2));
  if (isCount ? number < field.most : number > 0 && number <= field.most / 2)
    steps.push_back(b.getI64IntegerAttr(isCount ? number + 1 : number * 2));
  return steps;
}

/// `min_macs` says when the library is called, not how a kernel is computed.
static bool isSearched(const ScheduleField &field) { return field.name != "min_macs"; }

/// What is wrong with others is nothing to report.
static bool isLegal(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  ScopedDiagnosticHandler silent(kernel.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verifyKernelSchedule(kernel, schedule, chip));
}

static ScheduleAttr withField(ScheduleAttr schedule, StringRef field, Attribute value) {
  NamedAttrList fields(schedule.getFields());
  fields.set(field, value);
  return ScheduleAttr::get(schedule.getContext(), fields.getDictionary(schedule.getContext()));
}

/// What the strategy of `schedule` chooses with this value of a field; null if it has nothing.
static ScheduleAttr planAround(func::FuncOp kernel, ScheduleAttr schedule, StringRef field,
                               Attribute value, const GPUChip &chip) {
  const Strategy *strategy = findStrategy(schedule.strategy());
  ScheduleAttr given = ScheduleAttr::empty(kernel.getContext())
                           .orWord("strategy", strategy->name)
                           .orWord("library", schedule.findWord("library"));
  FailureOr<ScheduleAttr> planned =
      strategy->plan(kernel, chip, withField(given, field, value), [](const Twine &) {});
  return succeeded(planned) ? *planned : ScheduleAttr();
}

SmallVector<ScheduleAttr> forge::neighboursOf(func::FuncOp kernel, ScheduleAttr schedule,
                                              const GPUChip &chip) {
  llvm::SetVector<ScheduleAttr> neighbours;
  for (const ScheduleField &field : scheduleFields()) {
    Attribute value = schedule.getFields().get(field.name);
    if (!value || !isSearched(field))
      continue;
    for (Attribute step : stepsFrom(field, value))
      for (ScheduleAttr neighbour : {withField(schedule, field.name, step),
                                     planAround(kernel, schedule, field.name, step, chip)})
        if (neighbour && neighbour != schedule && isLegal(kernel, neighbour, chip))
          neighbours.insert(neighbour);
  }
  return neighbours.takeVector();
}

/// The first thing that is wrong with it; empty if it is legal.
static std::string whyNotLegal(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  std::string why;
  ScopedDiagnosticHandler take(kernel.getContext(), [&](Diagnostic &diagnostic) {
    if (why.empty())
      why = diagnostic.str();
    return success();
  });
  if (succeeded(verifyKernelSchedule(kernel, schedule, chip)))
    return "";
  return why.empty() ? "the strategy does not take it" : why;
}

SmallVector<SteppedSchedule> forge::stepsOf(func::FuncOp kernel, ScheduleAttr schedule,
                                            const GPUChip &chip) {
  SmallVector<SteppedSchedule> steps;
  for (const ScheduleField &field : scheduleFields()) {
    Attribute value = schedule.getFields().get(field.name);
    if (!value || !isSearched(field))
      continue;
    for (Attribute step : stepsFrom(field, value)) {
      ScheduleAttr alone = withField(schedule, field.name, step),
                   around = planAround(kernel, schedule, field.name, step, chip);
      std::string refusal = whyNotLegal(kernel, alone, chip);
      if (!refusal.empty() && around && around != schedule && isLegal(kernel, around, chip))
        steps.push_back({field.name, around, ""});
      else
        steps.push_back({field.name, alone, std::move(refusal)});
    }
  }
  return steps;
}

SmallVector<ScheduleAttr> forge::pairNeighboursOf(func::FuncOp kernel, ScheduleAttr schedule,
                                                  const GPUChip &chip) {
  llvm::SetVector<ScheduleAttr> neighbours;
  SmallVector<std::pair<StringRef, SmallVector<Attribute>>> steps;
  for (const ScheduleField &field : scheduleFields())
    if (Attribute value = schedule.getFields().get(field.name); value && isSearched(field))
      steps.emplace_back(field.name, stepsFrom(field, value));
  for (size_t i = 0; i < steps.size(); ++i)
    for (size_t j = i + 1; j < steps.size(); ++j)
      for (Attribute first : steps[i].second)
        for (Attribute second : steps[j].second) {
          ScheduleAttr neighbour =
              withField(withField(schedule, steps[i].first, first), steps[j].first, second);
          if (isLegal(kernel, neighbour, chip))
            neighbours.insert(neighbour);
        }
  return neighbours.takeVector();
}

SmallVector<ScheduleAttr> forge::alternativesFor(func::FuncOp kernel, const GPUChip &chip,
                                                 StringRef library) {
  llvm::SetVector<ScheduleAttr> all;
  ScheduleAttr given = ScheduleAttr::empty(kernel.getContext()).orWord("library", library);
  for (const Offer &offer : offersFor(kernel, chip, given)) {
    if (!offer || !isLegal(kernel, offer.schedule, chip))
      continue;
    all.insert(offer.schedule);
    for (ScheduleAttr neighbour : neighboursOf(kernel, offer.schedule, chip))
      all.insert(neighbour);
  }
  return all.takeVector();
}
