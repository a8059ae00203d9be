#include "forge/Codegen/Offers.h"

#include "forge/Codegen/CostModel.h"

using namespace mlir;
using namespace forge;

/// Operations on tensors of size 0 vanish after scheduling; only the last strategy takes them.
static bool hasNoElements(func::FuncOp kernel) {
  return llvm::any_of(kernel.getArgumentTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::is_contained(tensor.getShape(), 0);
  });
}

static std::optional<StringRef> unknownField(ScheduleAttr given, const Strategy &strategy) {
  for (NamedAttribute entry : given.getFields()) {
    StringRef name = entry.getName();
    if (name != "library" && name != "strategy" && !llvm::is_contained(strategy.fields, name))
      return name;
  }
  return std::nullopt;
}

static Offer offerOf(const Strategy &strategy, func::FuncOp kernel, const GPUChip &chip,
                     ScheduleAttr given) {
  Offer offer;
  offer.strategy = &strategy;
  if (std::optional<StringRef> field = unknownField(given, strategy)) {
    offer.whyNot = "it has no field '" + field->str() + "'";
    return offer;
  }
  if (hasNoElements(kernel) && &strategy != strategies().back()) {
    offer.whyNot = "a tensor has no elements";
    return offer;
  }
  FailureOr<ScheduleAttr> plan =
      strategy.plan(kernel, chip, given, [&](const Twine &reason) { offer.whyNot = reason.str(); });
  if (failed(plan))
    return offer;
  offer.schedule = plan->orWord("strategy", strategy.name);
  if (std::optional<PredictedTime> time = predictTime(strategy, kernel, chip)) {
    offer.workSeconds = time->work;
    offer.seconds = time->seconds;
  }
  return offer;
}

SmallVector<Offer> forge::offersFor(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given) {
  return llvm::map_to_vector(strategies(), [&](const Strategy *strategy) {
    return offerOf(*strategy, kernel, chip, given);
  });
}

const Offer *forge::bestOffer(ArrayRef<Offer> offers, const LibraryUse &use) {
  SmallVector<const Offer *> taken;
  for (const Offer &offer : offers)
    if (offer)
      taken.push_back(&offer);
  if (taken.empty())
    return nullptr;
  bool isKnown = llvm::all_of(taken, [](const Offer *offer) { return offer->seconds.has_value(); });
  bool hasLibrary = taken.front()->strategy->callsLibrary;
  if (!isKnown || (hasLibrary && !use.byCost))
    return taken.front();
  if (hasLibrary)
    std::rotate(taken.begin(), taken.begin() + 1, taken.end());
  return *llvm::min_element(
      taken, [](const Offer *a, const Offer *b) { return *a->seconds < *b->seconds; });
}
