#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Offers.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/Kernel.h"

namespace forge {
#define GEN_PASS_DEF_SCHEDULEKERNELSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-schedule-kernels"

using namespace mlir;

namespace {
/// 1. What a schedule in the file says stays; the strategy that it names chooses the rest.
/// 2. Where it names none, all strategies that know its fields make an offer, and the best is
/// taken.
/// 3. A kernel for the vendor's library gets a second schedule, of the best other offer, for
/// machines
///    without the library.
/// 4. All are checked.
struct ScheduleKernelsPass : public forge::impl::ScheduleKernelsPassBase<ScheduleKernelsPass> {
  using ScheduleKernelsPassBase::ScheduleKernelsPassBase;

  void runOnOperation() override {
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    if (!forge::LibraryUse::byName(library)) {
      getOperation().emitError("expected prefer, cost or never as library, but got '")
          << library << "'";
      return signalPassFailure();
    }
    for (func::FuncOp kernel : getOperation().getOps<func::FuncOp>())
      if (forge::isKernel(kernel) && failed(schedule(kernel, *chip)))
        return signalPassFailure();
  }

  LogicalResult schedule(func::FuncOp kernel, const forge::GPUChip &chip) {
    FailureOr<forge::ScheduleAttr> chosen = complete(kernel, chip, forge::kScheduleAttr, library);
    if (failed(chosen))
      return failure();
    if (!forge::findStrategy(chosen->strategy())->callsLibrary) {
      kernel->setAttr(forge::kScheduleAttr, *chosen);
      return success();
    }
    FailureOr<forge::ScheduleAttr> fallback =
        complete(kernel, chip, forge::kFallbackScheduleAttr, "never");
    if (failed(fallback))
      return failure();
    if (forge::findStrategy(fallback->strategy())->callsLibrary)
      return forge::emitScheduleError(kernel, "expected a strategy with device code in ")
             << forge::kFallbackScheduleAttr << ", but got '" << fallback->strategy() << "'";
    kernel->setAttr(forge::kScheduleAttr, *chosen);
    kernel->setAttr(forge::kFallbackScheduleAttr, *fallback);
    return success();
  }

  /// The schedule in the file, or an empty one, with all fields, checked. Who wrote it hears of a
  /// mistake.
  FailureOr<forge::ScheduleAttr> complete(func::FuncOp kernel, const forge::GPUChip &chip,
                                          StringRef attribute, StringRef use) {
    forge::ScheduleAttr given = forge::getSchedule(kernel, attribute);
    std::optional<forge::UserErrorScope> scope;
    if (given)
      scope.emplace(&getContext());
    else
      given = forge::ScheduleAttr::empty(&getContext());
    given = given.orWord("library", use);
    FailureOr<forge::ScheduleAttr> planned =
        given.strategy().empty() ? choose(kernel, chip, given) : planNamed(kernel, chip, given);
    if (failed(planned) || failed(forge::verifyKernelSchedule(kernel, *planned, chip)))
      return failure();
    return planned;
  }

  static bool hasAllFields(forge::ScheduleAttr given, const forge::Strategy &strategy) {
    return llvm::all_of(strategy.fields, [&](StringLiteral field) { return given.has(field); });
  }

  FailureOr<forge::ScheduleAttr> planNamed(func::FuncOp kernel, const forge::GPUChip &chip,
                                           forge::ScheduleAttr given) {
    FailureOr<const forge::Strategy *> strategy = forge::strategyOf(kernel, given);
    if (failed(strategy))
      return failure();
    if (hasAllFields(given, **strategy))
      return given;
    std::string why;
    FailureOr<forge::ScheduleAttr> plan =
        (*strategy)->plan(kernel, chip, given, [&](const Twine &reason) { why = reason.str(); });
    if (failed(plan))
      return forge::emitScheduleError(kernel, "strategy '")
                 << given.strategy() << "' cannot take this kernel: " << why,
             failure();
    return plan;
  }

  FailureOr<forge::ScheduleAttr> choose(func::FuncOp kernel, const forge::GPUChip &chip,
                                        forge::ScheduleAttr given) {
    if (genericOnly)
      return planNamed(kernel, chip, given.orWord("strategy", forge::strategies().back()->name));
    SmallVector<forge::Offer> offers = forge::offersFor(kernel, chip, given);
    auto use = forge::LibraryUse::byName(given.findWord("library"));
    if (const forge::Offer *best = forge::bestOffer(offers, *use))
      return best->schedule;
    InFlightDiagnostic error =
        forge::emitScheduleError(kernel, "no strategy takes this kernel with this schedule");
    for (const forge::Offer &offer : offers)
      error << "; " << offer.strategy->name << ": " << offer.whyNot;
    return failure();
  }
};
} // namespace
