#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/Kernel.h"

#include "../Gemv/GemvProduct.h"
#include "../Library/LibraryProduct.h"
#include "../Library/LibraryStrategy.h"
#include "../Wgmma/WgmmaPlan.h"

namespace forge {
#define GEN_PASS_DEF_SCHEDULEKERNELSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-schedule-kernels"

using namespace mlir;

namespace {
/// 1. What a schedule in the file says stays; the strategy that it names chooses the rest.
/// 2. Where it names none, the first strategy of the table that knows its fields and takes the
/// kernel
///    does; first of all the vendor's library, if it may be asked.
/// 3. A kernel for the vendor's library gets a second schedule, of the next strategy, for machines
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

  /// Operations on tensors of size 0 vanish after scheduling; what is left has no strategy.
  static bool hasNoElements(func::FuncOp kernel) {
    return llvm::any_of(kernel.getArgumentTypes(), [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && llvm::is_contained(tensor.getShape(), 0);
    });
  }

  LogicalResult schedule(func::FuncOp kernel, const forge::GPUChip &chip) {
    FailureOr<forge::ScheduleAttr> chosen = complete(kernel, chip, forge::kScheduleAttr, true);
    if (failed(chosen))
      return failure();
    if (chosen->strategy() != "library") {
      kernel->setAttr(forge::kScheduleAttr, *chosen);
      return success();
    }
    FailureOr<forge::ScheduleAttr> fallback =
        complete(kernel, chip, forge::kFallbackScheduleAttr, false);
    if (failed(fallback) || failed(forge::verifyFallbackSchedule(kernel, *fallback, chip)))
      return failure();
    kernel->setAttr(forge::kScheduleAttr, *chosen);
    kernel->setAttr(forge::kFallbackScheduleAttr, *fallback);
    return success();
  }

  /// The schedule in the file, or an empty one, with all fields, checked. Who wrote it hears of a
  /// mistake.
  FailureOr<forge::ScheduleAttr> complete(func::FuncOp kernel, const forge::GPUChip &chip,
                                          StringRef attribute, bool mayCallLibrary) {
    forge::ScheduleAttr given = forge::getSchedule(kernel, attribute);
    std::optional<forge::UserErrorScope> scope;
    if (given)
      scope.emplace(&getContext());
    else
      given = forge::ScheduleAttr::empty(&getContext());
    given = given.orWord("library", library);
    FailureOr<forge::ScheduleAttr> planned = given.strategy().empty()
                                                 ? choose(kernel, chip, given, mayCallLibrary)
                                                 : planNamed(kernel, chip, given);
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
                                        forge::ScheduleAttr given, bool mayCallLibrary) {
    bool anyStrategy = !genericOnly && !hasNoElements(kernel);
    std::string reasons;
    for (const forge::Strategy *strategy : forge::strategies()) {
      if (!anyStrategy && strategy != forge::strategies().back())
        continue;
      bool isLibrary = strategy->name == "library";
      if (isLibrary && (!mayCallLibrary || !mayAskLibrary(kernel, chip, given)))
        continue;
      std::optional<StringRef> unknown = unknownField(given, *strategy);
      if (unknown) {
        reasons += ("; " + strategy->name + ": it has no field '" + *unknown + "'").str();
        continue;
      }
      auto plan = strategy->plan(
          kernel, chip, isLibrary ? withLeast(given) : given,
          [&](const Twine &reason) { reasons += ("; " + strategy->name + ": " + reason).str(); });
      if (succeeded(plan))
        return plan->orWord("strategy", strategy->name);
    }
    return forge::emitScheduleError(kernel, "no strategy takes this kernel with this schedule")
               << reasons,
           failure();
  }

  static std::optional<StringRef> unknownField(forge::ScheduleAttr given,
                                               const forge::Strategy &strategy) {
    for (NamedAttribute entry : given.getFields())
      if (entry.getName() != "library" &&
          !llvm::is_contained(strategy.fields, entry.getName().getValue()))
        return entry.getName().getValue();
    return std::nullopt;
  }

  static forge::LibraryUse useOf(forge::ScheduleAttr given) {
    return *forge::LibraryUse::byName(given.findWord("library"));
  }

  static forge::ScheduleAttr withLeast(forge::ScheduleAttr given) {
    return given.orSize("min_macs", useOf(given).least);
  }

  /// Whether the vendor's library may be asked for this kernel.
  static bool mayAskLibrary(func::FuncOp kernel, const forge::GPUChip &chip,
                            forge::ScheduleAttr given) {
    forge::LibraryUse use = useOf(given);
    if (!use.isAsked())
      return false;
    // Few rows: a generated kernel reads the matrix as fast, and does more of what follows.
    auto gemv = forge::matchGemvKernel(kernel, chip.warpSize);
    if (gemv && gemv->rows <= use.gemvRows)
      return false;
    auto product = forge::matchLibraryProduct(kernel);
    return product && forge::mayHave(*product, use.least) &&
           !(use.byCost && isFasterThanLibrary(kernel, chip));
  }

  static bool isFasterThanLibrary(func::FuncOp kernel, const forge::GPUChip &chip) {
    auto product = forge::matchWgmmaKernel(kernel);
    return product && forge::beatsLibrary(*product, chip);
  }
};
} // namespace
