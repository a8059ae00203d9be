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
/// 1. A schedule in the file is checked, and stays.
/// 2. Where there is none, the first strategy of the table that can plan the kernel gives it one.
/// 3. A kernel for the vendor's library gets a second one, of the next strategy, for machines
///    without the library.
struct ScheduleKernelsPass : public forge::impl::ScheduleKernelsPassBase<ScheduleKernelsPass> {
  using ScheduleKernelsPassBase::ScheduleKernelsPassBase;

  void runOnOperation() override {
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
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
    auto written = readWritten(kernel, chip);
    if (failed(written))
      return failure();
    if (*written)
      return (*written)->strategy == "library" ? addFallback(kernel, chip) : success();
    if (std::optional<forge::KernelSchedule> plan = planLibrary(kernel, chip)) {
      forge::setKernelSchedule(kernel, *plan);
      return addFallback(kernel, chip);
    }
    std::optional<forge::KernelSchedule> plan = planCode(kernel, chip);
    if (!plan)
      return emitError(kernel.getLoc(), "no strategy takes this kernel");
    forge::setKernelSchedule(kernel, *plan);
    return success();
  }

  /// The schedule in the file, checked, if there is one. Who wrote it hears of a mistake.
  FailureOr<std::optional<forge::KernelSchedule>> readWritten(func::FuncOp kernel,
                                                              const forge::GPUChip &chip) {
    forge::UserErrorScope scope(&getContext());
    auto written = forge::getKernelSchedule(kernel);
    if (succeeded(written) && *written && failed(forge::verifyKernelSchedule(kernel, **written, chip)))
      return failure();
    return written;
  }

  /// A schedule for the vendor's library, if it may be asked for this kernel.
  std::optional<forge::KernelSchedule> planLibrary(func::FuncOp kernel,
                                                   const forge::GPUChip &chip) {
    if (libraryLeast < 0 || genericOnly || hasNoElements(kernel))
      return std::nullopt;
    // Few rows: a generated kernel reads the matrix as fast, and does more of what follows.
    auto gemv = forge::matchGemvKernel(kernel, chip.warpSize);
    if (gemv && gemv->rows <= gemvRows)
      return std::nullopt;
    auto product = forge::matchLibraryProduct(kernel);
    if (!product || !forge::mayHave(*product, libraryLeast) ||
        (preferFaster && isFasterThanLibrary(kernel, chip)))
      return std::nullopt;
    auto plan = forge::findStrategy("library")->plan(kernel, chip);
    if (plan)
      plan->tile = {libraryLeast};
    return plan;
  }

  static bool isFasterThanLibrary(func::FuncOp kernel, const forge::GPUChip &chip) {
    auto product = forge::matchWgmmaKernel(kernel);
    return product && forge::beatsLibrary(*product, chip);
  }

  LogicalResult addFallback(func::FuncOp kernel, const forge::GPUChip &chip) {
    auto written = forge::getKernelSchedule(kernel, forge::kFallbackScheduleAttr);
    if (failed(written))
      return failure();
    if (*written)
      return forge::verifyFallbackSchedule(kernel, **written, chip);
    std::optional<forge::KernelSchedule> plan = planCode(kernel, chip);
    if (!plan)
      return emitError(kernel.getLoc(), "no strategy takes this kernel where the library is "
                                        "missing");
    kernel->setAttr(forge::kFallbackScheduleAttr,
                    forge::scheduleAttribute(kernel.getContext(), *plan));
    return success();
  }

  /// The schedule of the first strategy that makes device code.
  std::optional<forge::KernelSchedule> planCode(func::FuncOp kernel, const forge::GPUChip &chip) {
    bool anyStrategy = !genericOnly && !hasNoElements(kernel);
    for (const forge::Strategy *strategy : forge::strategies()) {
      if (!anyStrategy && strategy != forge::strategies().back())
        continue;
      if (strategy->name == "library")
        continue;
      if (auto plan = strategy->plan(kernel, chip))
        return plan;
    }
    return std::nullopt;
  }
};
} // namespace
