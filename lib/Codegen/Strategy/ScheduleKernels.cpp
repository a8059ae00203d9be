#include "JoinedLaunches.h"

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Offers.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/ShippedPlans.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Diagnostics/ErrorContext.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/Kernel.h"

namespace forge {
#define GEN_PASS_DEF_SCHEDULEKERNELSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-schedule-kernels"

using namespace mlir;

namespace {
/// While alive keeps back the errors of its thread: the first of them is told at another place.
class HeldErrors {
public:
  explicit HeldErrors(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (message.empty()) {
            message = diagnostic.str();
            details = forge::errorDetailsOf(diagnostic);
          }
          return success();
        }) {}

  std::string message;
  forge::ErrorDetails details;

private:
  ScopedDiagnosticHandler handler;
};

/// 1. A schedule that the module's plan has for the kernel replaces that in the file.
/// 2. What a schedule in the file says stays; the strategy that it names chooses the rest.
/// 3. Where it says nothing, a schedule that comes with the compiler for this kernel is taken.
/// 4. Else, and where it names no strategy, all strategies that know its fields make an offer, and
/// the best is taken.
/// 5. A kernel for the vendor's library gets a second schedule, of the best other offer, for
/// machines
///    without the library.
/// 6. All are checked.
/// 7. Products for the library, which launches each alone, are computed by kernels that are one
///    launch where that is predicted to be faster (JoinedLaunches.h).
struct ScheduleKernelsPass : public forge::impl::ScheduleKernelsPassBase<ScheduleKernelsPass> {
  using ScheduleKernelsPassBase::ScheduleKernelsPassBase;

  void runOnOperation() override {
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    if (!forge::parseLibraryUse(getOperation(), library))
      return signalPassFailure();
    FailureOr<DictionaryAttr> plan = takePlan();
    if (failed(plan))
      return signalPassFailure();
    bool isUsed = plan->empty();
    llvm::SetVector<Operation *> free;
    for (func::FuncOp kernel : getOperation().getOps<func::FuncOp>()) {
      if (!forge::isKernel(kernel))
        continue;
      std::optional<forge::PlannedSchedule> planned;
      if (!plan->empty())
        planned = forge::findPlanned(*plan, forge::kernelHash(kernel));
      isUsed |= planned.has_value();
      if (isFree(kernel, planned.has_value(), *chip))
        free.insert(kernel);
      if (failed(planned ? scheduleAsPlanned(kernel, *planned, *chip) : schedule(kernel, *chip)))
        return signalPassFailure();
    }
    if (!isUsed)
      warnOfUnused(*plan);
    forge::preferJoinedLaunches(getOperation(), free, *chip);
  }

  /// Whether neither a plan nor a file nor the compiler's own plans say how it is computed.
  bool isFree(func::FuncOp kernel, bool isPlanned, const forge::GPUChip &chip) {
    return !isPlanned && !genericOnly && !forge::getSchedule(kernel) &&
           !forge::getSchedule(kernel, forge::kFallbackScheduleAttr) &&
           !forge::findShipped(kernel, chip, library);
  }

  /// The module's, which goes. There is none for the naive form.
  FailureOr<DictionaryAttr> takePlan() {
    FailureOr<DictionaryAttr> plan =
        genericOnly ? DictionaryAttr::get(&getContext()) : forge::planFor(getOperation(), chipName);
    getOperation()->removeDiscardableAttr(forge::kPlanAttr);
    return plan;
  }

  /// A plan may be for several modules, but one with nothing for this one is hardly meant.
  void warnOfUnused(DictionaryAttr plan) {
    StringRef first = plan.begin()->getName();
    emitWarning(forge::findPlanned(plan, first)->place)
        << "no kernel of this module is in the plan, which has " << plan.size() << " for "
        << chipName;
  }

  /// What is wrong with the schedule is told where the plan has it.
  LogicalResult scheduleAsPlanned(func::FuncOp kernel, const forge::PlannedSchedule &planned,
                                  const forge::GPUChip &chip) {
    kernel->setDiscardableAttr(forge::kScheduleAttr, planned.schedule);
    kernel->removeDiscardableAttr(forge::kFallbackScheduleAttr);
    std::string message;
    forge::ErrorDetails details;
    {
      HeldErrors errors(&getContext());
      if (succeeded(schedule(kernel, chip)))
        return success();
      message = std::move(errors.message);
      details = std::move(errors.details);
    }
    InFlightDiagnostic error = forge::emitUserError(Location(planned.place));
    forge::addErrorDetails(*error.getUnderlyingDiagnostic(), details);
    error << "this schedule does not fit its kernel, " << kernel.getName() << ": " << message;
    error.attachNote(kernel.getLoc()) << "the kernel is made of this";
    return error;
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
    if (!given && !genericOnly && attribute == forge::kScheduleAttr)
      if (std::optional<forge::PlannedSchedule> shipped = forge::findShipped(kernel, chip, use))
        return shipped->schedule;
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
