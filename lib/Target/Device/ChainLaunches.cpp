#include "FusedKernel.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Target/Device/HostCode.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace forge {
#define GEN_PASS_DEF_CHAINLAUNCHESPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-chain-launches"

using namespace mlir;

/// Launches of one at most: all their arguments are arguments of it.
static constexpr size_t kMostPhases = 8;
/// Of a block.
static constexpr int64_t kMostThreads = 1024;

namespace {

using Part = forge::LaunchPart;
using Chain = SmallVector<Part>;

/// Static shared memory of a chain in bytes: what a kernel has without asking for more.
static constexpr int64_t kMostChainShared = 48 << 10;

/// Whether a launch may be moved behind `op` without a look at memory.
static bool isHarmless(Operation &op) {
  return isa<memref::AllocOp>(op) || (op.getNumRegions() == 0 && isPure(&op));
}

/// 1. In each block of the host, small launches with nothing but allocations and views between
///    them are a chain, as long as it is.
/// 2. A chain becomes one kernel, launched where its last one was.
struct ChainLaunchesPass : public forge::impl::ChainLaunchesPassBase<ChainLaunchesPass> {
  using ChainLaunchesPassBase::ChainLaunchesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    SmallVector<Chain> chains;
    module.walk([&](func::FuncOp function) {
      function.walk([&](Block *block) { collect(*block, symbols, chains); });
    });
    std::map<std::vector<Operation *>, gpu::GPUFuncOp> chained;
    llvm::SetVector<Operation *> kernels;
    for (Chain &chain : chains)
      replace(chain, chained, kernels);
    llvm::DenseSet<StringAttr> used;
    module.walk([&](gpu::LaunchFuncOp launch) { used.insert(launch.getKernelName()); });
    for (Operation *kernel : kernels)
      if (!used.contains(cast<gpu::GPUFuncOp>(kernel).getNameAttr()))
        kernel->erase();
  }

private:
  std::optional<Part> partOf(gpu::LaunchFuncOp launch, SymbolTableCollection &symbols) {
    auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
    if (!kernel || !kernel.getBody().hasOneBlock() || !forge::getSchedule(kernel) ||
        !kernel.getKnownBlockSizeAttr() || kernel.getKnownClusterSizeAttr() ||
        kernel.getNumPrivateAttributions() > 0 || launch->hasAttr(forge::kByValueAttr) ||
        launch.getDynamicSharedMemorySize() || launch.getAsyncToken() || launch.hasClusterSize())
      return std::nullopt;
    StringRef strategy = forge::getSchedule(kernel).strategy();
    if (strategy != "rows" && strategy != "generic")
      return std::nullopt;
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    std::optional<int64_t> blocks = getConstantIntValue(grid.x);
    ArrayRef<int32_t> size = kernel.getKnownBlockSizeAttr().asArrayRef();
    if (!blocks || *blocks > cluster || !isConstantIntValue(grid.y, 1) ||
        !isConstantIntValue(grid.z, 1) || size[1] != 1 || size[2] != 1 || size[0] > kMostThreads)
      return std::nullopt;
    return Part{launch, kernel, *blocks, size[0], {}};
  }

  /// Whether both can be phases of one kernel.
  static bool canFollow(const Part &part, const Part &other) {
    constexpr int64_t kWarp = 32;
    return forge::sharedAttributes(part.kernel) == forge::sharedAttributes(other.kernel) &&
           (part.threads == other.threads || std::min(part.threads, other.threads) % kWarp == 0);
  }

  static bool fits(const Chain &chain, const Part &part) {
    SmallVector<gpu::GPUFuncOp> kernels{part.kernel};
    for (const Part &phase : chain)
      kernels.push_back(phase.kernel);
    return forge::sharedBytes(kernels) <= kMostChainShared;
  }

  void collect(Block &block, SymbolTableCollection &symbols, SmallVectorImpl<Chain> &chains) {
    Chain chain;
    auto close = [&] {
      if (chain.size() > 1)
        chains.push_back(std::move(chain));
      chain.clear();
    };
    for (Operation &op : block) {
      auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
      if (!launch) {
        if (!isHarmless(op))
          close();
        continue;
      }
      std::optional<Part> part = partOf(launch, symbols);
      if (!part || chain.size() == kMostPhases ||
          (!chain.empty() && !canFollow(*part, chain.front())) || !fits(chain, *part))
        close();
      if (part)
        chain.push_back(std::move(*part));
    }
    close();
  }

  void replace(Chain &chain, std::map<std::vector<Operation *>, gpu::GPUFuncOp> &chained,
               llvm::SetVector<Operation *> &kernels) {
    std::vector<Operation *> key;
    int64_t blocks = 1;
    SmallVector<Location> locations;
    SmallVector<Value> operands;
    SmallVector<std::string> descriptions;
    for (Part &part : chain) {
      key.push_back(part.kernel);
      kernels.insert(part.kernel);
      blocks = std::max(blocks, part.blocks);
      locations.push_back(part.launch.getLoc());
      llvm::append_range(operands, part.launch.getKernelOperands());
      if (auto text = part.launch->getAttrOfType<StringAttr>(forge::kDescriptionAttr))
        descriptions.push_back(text.str());
    }
    blocks = static_cast<int64_t>(llvm::PowerOf2Ceil(blocks));
    gpu::GPUFuncOp &kernel = chained[key];
    if (!kernel)
      kernel = forge::chainKernels(chain, blocks);
    gpu::LaunchFuncOp last = chain.back().launch;
    OpBuilder builder(last);
    Location loc = FusedLoc::get(&getContext(), locations);
    gpu::KernelDim3 grid = last.getGridSizeOperandValues();
    grid.x = arith::ConstantIndexOp::create(builder, loc, blocks);
    auto launch = gpu::LaunchFuncOp::create(
        builder, loc, kernel, grid,
        gpu::LaunchFuncOp(forge::largestPart(chain).launch).getBlockSizeOperandValues(), Value(),
        operands);
    launch->setAttr(forge::kDescriptionAttr,
                    builder.getStringAttr(llvm::join(descriptions, " | ")));
    for (Part &part : chain)
      part.launch.erase();
  }
};
} // namespace
