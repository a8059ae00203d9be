#include "forge/Codegen/Explain.h"

#include "forge/Codegen/Alternatives.h"
#include "forge/Codegen/SameBits.h"
#include "forge/Codegen/ShippedPlans.h"
#include "forge/Diagnostics/Location.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <set>
#include <tuple>

using namespace mlir;
using namespace forge;

namespace {
/// Of a name, which is no place of a file, line and column are 0.
using Place = std::tuple<StringRef, unsigned, unsigned>;
} // namespace

/// The places of files and the names that `location` is made of; of an inlined operation those of
/// the operation, and of a name that stands for a place the place.
static void collectPlaces(LocationAttr location, std::set<Place> &places) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    places.emplace(file.getFilename().getValue(), file.getLine(), file.getColumn());
  else if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      collectPlaces(part, places);
  else if (auto name = dyn_cast<NameLoc>(location)) {
    if (isa<UnknownLoc>(name.getChildLoc()))
      places.emplace(name.getName().getValue(), 0, 0);
    else
      collectPlaces(name.getChildLoc(), places);
  } else if (auto call = dyn_cast<CallSiteLoc>(location))
    collectPlaces(call.getCallee(), places);
}

std::vector<std::string> forge::sourcePlaces(Operation *kernel) {
  std::set<Place> places, ofFills;
  kernel->walk([&](Operation *op) {
    // What sums begin with may have been of another operation as well.
    if (!op->hasTrait<OpTrait::ConstantLike>() && !op->hasTrait<OpTrait::IsTerminator>() &&
        op->getNumOperands() > 0)
      collectPlaces(op->getLoc(), isa<linalg::FillOp>(op) ? ofFills : places);
  });
  if (places.empty())
    places = std::move(ofFills);
  std::vector<std::string> texts, names;
  for (auto [file, line, column] : places)
    if (line == 0)
      names.push_back(file.str());
    else
      texts.push_back((file + ":" + Twine(line) + ":" + Twine(column)).str());
  llvm::append_range(texts, names);
  return texts;
}

static SmallVector<Offer> offersWithUse(func::FuncOp kernel, const GPUChip &chip, StringRef use) {
  return offersFor(kernel, chip, ScheduleAttr::empty(kernel.getContext()).orWord("library", use));
}

/// The schedule of the offer that is taken unless a file says otherwise; null if that is `actual`.
static ScheduleAttr defaultUnless(ScheduleAttr actual, ArrayRef<Offer> offers, StringRef use,
                                  bool genericOnly) {
  const Offer *best = genericOnly ? &offers.back() : bestOffer(offers, *LibraryUse::byName(use));
  return best && best->schedule != actual ? best->schedule : ScheduleAttr();
}

static SmallVector<ScheduleAttr> othersThan(ScheduleAttr schedule, ArrayRef<ScheduleAttr> all) {
  return llvm::to_vector(
      llvm::make_filter_range(all, [&](ScheduleAttr other) { return other != schedule; }));
}

double forge::floorSeconds(const KernelExplanation &kernel, const GPUChip &chip) {
  double floor = floorSeconds(*kernel.work, chip);
  for (const Offer &offer : kernel.offers)
    if (offer && offer.workSeconds)
      floor = std::min(floor, *offer.workSeconds);
  return std::max(floor, memorySeconds(*kernel.work, chip));
}

double forge::neededFlops(const KernelExplanation &kernel, const GPUChip &chip) {
  double counted = arithmeticSeconds(*kernel.work, chip), needed = floorSeconds(kernel, chip);
  double share = counted > needed ? needed / counted : 1;
  return share * static_cast<double>(kernel.work->flops);
}

std::vector<KernelExplanation> forge::explainKernels(ModuleOp module, const GPUChip &chip,
                                                     const ExplainRequest &request) {
  llvm::StringMap<int64_t> calls;
  module.walk([&](func::CallOp call) { ++calls[call.getCallee()]; });
  std::vector<KernelExplanation> all;
  for (func::FuncOp kernel : module.getOps<func::FuncOp>()) {
    ScheduleAttr schedule = getSchedule(kernel);
    if (!isKernel(kernel) || !schedule)
      continue;
    KernelExplanation explanation;
    explanation.name = kernel.getName().str();
    explanation.hash = kernelHash(kernel);
    if (std::optional<PlannedSchedule> planned = findPlanned(request.plan, explanation.hash))
      explanation.planned = locationString(planned->place);
    else if (std::optional<PlannedSchedule> shipped =
                 findShipped(kernel, chip, schedule.findWord("library"));
             shipped && shipped->schedule == schedule)
      explanation.planned = locationString(shipped->place) + ", which comes with the compiler";
    explanation.launches = calls.lookup(kernel.getName());
    explanation.schedule = schedule;
    explanation.fallback = getSchedule(kernel, kFallbackScheduleAttr);
    explanation.work = workOf(kernel);
    explanation.places = sourcePlaces(kernel);
    StringRef library = schedule.findWord("library");
    StringRef use = library.empty() ? "never" : library;
    explanation.offers = offersWithUse(kernel, chip, use);
    explanation.isJoined = kernel->hasAttr(kJoinedAttr);
    explanation.byDefault = defaultUnless(schedule, explanation.offers, use, request.genericOnly);
    if (explanation.byDefault)
      explanation.otherBits = whyOtherBits(kernel, schedule, explanation.byDefault);
    if (explanation.fallback)
      explanation.fallbackByDefault =
          defaultUnless(explanation.fallback, offersWithUse(kernel, chip, "never"), "never",
                        /*genericOnly=*/false);
    if (request.choices)
      explanation.choice =
          explainChoice(kernel, explanation.fallback ? explanation.fallback : schedule, chip);
    if (request.alternatives)
      explanation.alternatives = othersThan(schedule, alternativesFor(kernel, chip, use));
    all.push_back(std::move(explanation));
  }
  return all;
}
