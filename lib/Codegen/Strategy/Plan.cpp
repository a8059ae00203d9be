// A plan as the attribute of a module, and the hash by which it knows kernels.
#include "forge/Codegen/Plan.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/KernelText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;
using namespace forge;

std::string forge::kernelHash(func::FuncOp kernel) {
  std::string text = kernelText(kernel, {kScheduleAttr, kFallbackScheduleAttr, kJoinedAttr});
  return llvm::toHex(llvm::BLAKE3::hash<16>(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

/// The schedule and its place, or nothing if `entry` is not made of them.
static std::optional<PlannedSchedule> readEntry(Attribute entry) {
  auto fields = dyn_cast_or_null<DictionaryAttr>(entry);
  if (!fields)
    return std::nullopt;
  PlannedSchedule planned{fields.getAs<ScheduleAttr>("schedule"),
                          fields.getAs<LocationAttr>("place")};
  return planned.schedule && planned.place ? std::optional(planned) : std::nullopt;
}

/// Whether `plan` is chips with kernels with a schedule and its place.
static bool isPlan(DictionaryAttr plan) {
  return plan && !plan.empty() && llvm::all_of(plan, [](NamedAttribute chip) {
           auto kernels = dyn_cast<DictionaryAttr>(chip.getValue());
           return kernels && !kernels.empty() && llvm::all_of(kernels, [](NamedAttribute kernel) {
                    return readEntry(kernel.getValue()).has_value();
                  });
         });
}

static LocationAttr firstPlace(DictionaryAttr plan) {
  auto kernels = cast<DictionaryAttr>(plan.begin()->getValue());
  return readEntry(kernels.begin()->getValue())->place;
}

static std::string chipsOf(DictionaryAttr plan) {
  return llvm::join(llvm::map_range(plan, [](NamedAttribute chip) { return chip.getName().str(); }),
                    ", ");
}

DictionaryAttr forge::planFor(DictionaryAttr plan, StringRef chip) {
  return plan.getAs<DictionaryAttr>(chip);
}

FailureOr<DictionaryAttr> forge::planFor(ModuleOp module, StringRef chip) {
  Attribute attribute = module->getDiscardableAttr(kPlanAttr);
  if (!attribute)
    return DictionaryAttr::get(module.getContext());
  auto plan = dyn_cast<DictionaryAttr>(attribute);
  if (!isPlan(plan))
    return emitUserError(module.getLoc())
               << "expected chips with kernels, each {place = loc(...), schedule = "
                  "#forge.schedule<...>}, as "
               << kPlanAttr << ", but got " << attribute,
           failure();
  if (DictionaryAttr found = planFor(plan, chip))
    return found;
  return emitUserError(firstPlace(plan))
             << "expected a plan for " << chip << ", but it has schedules for " << chipsOf(plan)
             << " only",
         failure();
}

std::optional<PlannedSchedule> forge::findPlanned(DictionaryAttr plan, StringRef hash) {
  return plan ? readEntry(plan.get(hash)) : std::nullopt;
}
