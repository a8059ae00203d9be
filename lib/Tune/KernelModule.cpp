#include "KernelModule.h"

#include "forge/Codegen/Offers.h"

#include "mlir/IR/Builders.h"

using namespace forge;
using mlir::func::FuncOp;

/// The schedule without the library that a kernel for it carries: the one it has, or what is
/// offered first.
static ScheduleAttr fallbackOf(FuncOp kernel, const GPUChip &chip) {
  if (ScheduleAttr given = getSchedule(kernel, kFallbackScheduleAttr))
    return given;
  llvm::SmallVector<Offer> offers =
      offersFor(kernel, chip, ScheduleAttr::empty(kernel.getContext()).orWord("library", "never"));
  const Offer *best = bestOffer(offers, *LibraryUse::byName("never"));
  return best ? best->schedule : ScheduleAttr();
}

mlir::OwningOpRef<mlir::ModuleOp> forge::moduleOfKernel(FuncOp kernel, ScheduleAttr schedule,
                                                        const GPUChip &chip) {
  mlir::Location loc = kernel.getLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(module->getBody());
  auto copy = llvm::cast<FuncOp>(b.clone(*kernel));
  copy.setSymName("kernel");
  copy->setDiscardableAttr(kScheduleAttr, schedule);
  copy->removeDiscardableAttr(kFallbackScheduleAttr);
  if (findStrategy(schedule.strategy())->callsLibrary)
    if (ScheduleAttr fallback = fallbackOf(kernel, chip))
      copy->setDiscardableAttr(kFallbackScheduleAttr, fallback);
  auto main = FuncOp::create(b, loc, "main", kernel.getFunctionType());
  b.setInsertionPointToStart(main.addEntryBlock());
  auto call = mlir::func::CallOp::create(b, loc, copy, main.getArguments());
  mlir::func::ReturnOp::create(b, loc, call.getResults());
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp> forge::hostModuleOfKernel(FuncOp kernel) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(kernel.getLoc());
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(module->getBody());
  auto main = llvm::cast<FuncOp>(b.clone(*kernel));
  main.setSymName("main");
  main.setPublic();
  main->setDiscardableAttrs(b.getDictionaryAttr({}));
  return module;
}
