#include "SteadyMemory.h"

#include "forge/Target/Device/HostCode.h"
#include "forge/Target/NVVM/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

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

/// What a multiprocessor holds at once (CUDA programming guide, compute capability 9.0).
static constexpr int64_t kResidentThreads = 2048, kResidentBlocks = 32;
/// Bytes of shared memory of a multiprocessor, and those that a block takes besides its own.
static constexpr int64_t kResidentShared = 228 << 10, kSharedOfBlock = 1 << 10;

/// Whether all blocks of `launch` can run at the same time on this many multiprocessors.
static bool isSmall(gpu::LaunchFuncOp launch, int64_t processors) {
  int64_t blocks = 1, threads = 1;
  auto multiply = [](int64_t &product, ValueRange sizes) {
    return llvm::all_of(sizes, [&](Value value) {
      std::optional<int64_t> size = getConstantIntValue(value);
      return size && !llvm::MulOverflow(product, *size, product);
    });
  };
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                  block = launch.getBlockSizeOperandValues();
  int64_t resident = kResidentBlocks;
  if (Value shared = launch.getDynamicSharedMemorySize()) {
    std::optional<int64_t> bytes = getConstantIntValue(shared);
    if (!bytes || *bytes < 0 || *bytes > kResidentShared)
      return false;
    resident = std::min(resident, kResidentShared / (*bytes + kSharedOfBlock));
  }
  return multiply(blocks, {grid.x, grid.y, grid.z}) &&
         multiply(threads, {block.x, block.y, block.z}) && blocks <= processors * resident &&
         blocks * threads <= processors * kResidentThreads;
}

/// Where warps give registers to others: one thread of a block that lets dependents be set up is
/// enough, and in front of it ptxas 13.0 has too few registers for kernels that use all (C7512).
static Operation *firstGivenRegisters(gpu::GPUFuncOp kernel) {
  Operation *first = nullptr;
  kernel.walk<WalkOrder::PreOrder>([&](NVVM::SetMaxRegisterOp op) {
    if (op.getAction() != NVVM::SetMaxRegisterAction::decrease)
      return WalkResult::advance();
    first = op;
    return WalkResult::interrupt();
  });
  return first;
}

namespace {
/// 1. Kernels are taken whose blocks, in every launch, all run at the same time. In one of many
///    short blocks each would pay for the wait.
/// 2. They let dependents be set up at once: those start when all blocks of this kernel run or have
///    ended. They wait before they touch memory that a launch writes: weights are read before.
/// 3. Their launches say so. A launch that said so already, of a kernel that does not wait, would
///    be a race: it is made a plain one. So is the first one of a run, where kernels read before
///    they wait: what they read may be from a run before.
struct DependentLaunchesPass
    : public forge::impl::DependentLaunchesPassBase<DependentLaunchesPass> {
  using DependentLaunchesPassBase::DependentLaunchesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    llvm::MapVector<Operation *, SmallVector<gpu::LaunchFuncOp>> launches;
    module.walk([&](gpu::LaunchFuncOp launch) {
      launch->removeAttr(forge::kDependentLaunchAttr);
      launches[symbols.lookupNearestSymbolFrom(launch, launch.getKernel())].push_back(launch);
    });
    forge::SteadyMemory steady(module);
    bool readsEarly = false;
    for (auto &[op, ofKernel] : launches) {
      auto kernel = dyn_cast_if_present<gpu::GPUFuncOp>(op);
      bool areSmall = llvm::all_of(
          ofKernel, [&](gpu::LaunchFuncOp launch) { return isSmall(launch, processors); });
      if (!kernel || !areSmall || controlsDependents(kernel))
        continue;
      // The first launch of a run has nothing to read early for.
      bool isOnlyFirst = llvm::all_of(ofKernel, [&](gpu::LaunchFuncOp launch) {
        return llvm::is_contained(steady.getFirstLaunches(), launch);
      });
      llvm::DenseSet<Value> early;
      if (!isOnlyFirst)
        early = steady.argumentsOf(kernel, ofKernel);
      readsEarly |= !early.empty();
      wait(kernel, early);
      for (gpu::LaunchFuncOp launch : ofKernel)
        launch->setAttr(forge::kDependentLaunchAttr, UnitAttr::get(&getContext()));
    }
    if (readsEarly)
      for (gpu::LaunchFuncOp launch : steady.getFirstLaunches())
        launch->removeAttr(forge::kDependentLaunchAttr);
  }

  static void wait(gpu::GPUFuncOp kernel, const llvm::DenseSet<Value> &early) {
    auto create = [&](OpBuilder &builder, NVVM::GridDepActionKind kind) {
      NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), kind);
    };
    Block &body = kernel.getBody().front();
    auto emitWait = [&](OpBuilder &builder) { create(builder, NVVM::GridDepActionKind::wait); };
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    if (early.empty())
      emitWait(builder);
    else
      forge::forEachFirstAccess(body, early, emitWait);
    builder.setInsertionPointToStart(&body);
    if (Operation *given = firstGivenRegisters(kernel))
      builder.setInsertionPointAfter(given);
    create(builder, NVVM::GridDepActionKind::launch_dependents);
  }
};
} // namespace
