#include "forge/Target/Device/HostCode.h"
#include "forge/Target/NVVM/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace forge {
#define GEN_PASS_DEF_DEPENDENTLAUNCHESPASS
#include "forge/Target/NVVM/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-dependent-launches"

using namespace mlir;

static bool controlsDependents(gpu::GPUFuncOp kernel) {
  return kernel.walk([](NVVM::GriddepcontrolOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
/// 1. Every kernel begins with both instructions. Dependents may be set up at once: they start when
///    all blocks of this kernel run or have ended, so they take no place that one of its blocks
///    waits for.
/// 2. Its launches say so. A launch that said so already, of a kernel that does not wait, would be
///    a race: it is made a plain one.
struct DependentLaunchesPass
    : public forge::impl::DependentLaunchesPassBase<DependentLaunchesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::DenseSet<Operation *> waiting;
    for (auto device : module.getOps<gpu::GPUModuleOp>())
      for (auto kernel : device.getOps<gpu::GPUFuncOp>())
        if (kernel.isKernel() && !controlsDependents(kernel)) {
          wait(kernel);
          waiting.insert(kernel);
        }
    SymbolTableCollection symbols;
    module.walk([&](gpu::LaunchFuncOp launch) {
      Operation *kernel = symbols.lookupNearestSymbolFrom(launch, launch.getKernel());
      if (waiting.contains(kernel))
        launch->setAttr(forge::kDependentLaunchAttr, UnitAttr::get(&getContext()));
      else
        launch->removeAttr(forge::kDependentLaunchAttr);
    });
  }

  static void wait(gpu::GPUFuncOp kernel) {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    for (auto kind : {NVVM::GridDepActionKind::launch_dependents, NVVM::GridDepActionKind::wait})
      NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), kind);
  }
};
} // namespace
