#include "FusedKernel.h"

#include "forge/Codegen/JoinLimits.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Target/Device/HostCode.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace forge {
#define GEN_PASS_DEF_FUSELAUNCHESPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fuse-launches"

using namespace mlir;

/// Static shared memory of a fused kernel in bytes, or as much as one of its parts has.
static constexpr int64_t kMostShared = 24 << 10;
/// What a block takes of the shared memory besides its own (CUDA programming guide, compute
/// capability 9.0).
static constexpr int64_t kSharedOfBlock = 1024;

namespace {

using Part = forge::LaunchPart;

/// Whether kernels of these two strategies may be one. Those that compute element by element are
/// alike.
bool areAlike(StringRef strategy, StringRef other) {
  auto isByElement = [](StringRef name) { return name == "rows" || name == "generic"; };
  return strategy == other || (isByElement(strategy) && isByElement(other));
}

/// Launches side by side in their block, none of which needs another.
using Group = SmallVector<Part>;

/// 1. In each block of the host, in order, a launch looks back for the first one that it can run
///    at the same time with: kernels of like strategies, blocks of the same size or whose threads
///    do not need each other, nothing between them that reads what it writes or writes what it
///    reads or writes.
/// 2. It moves behind that one, with the views and allocations that it needs.
/// 3. Each group becomes one kernel: the blocks of its grid are those of its parts, one after the
///    other, and a block's number says which part it belongs to. Threads that a part does not have
///    do nothing.
struct FuseLaunchesPass : public forge::impl::FuseLaunchesPassBase<FuseLaunchesPass> {
  using FuseLaunchesPassBase::FuseLaunchesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    forge::BufferAccesses accesses;
    SmallVector<Group> groups;
    module.walk([&](func::FuncOp function) {
      function.walk([&](Block *block) { collect(*block, accesses, groups); });
    });
    std::map<Key, gpu::GPUFuncOp> fused;
    llvm::SetVector<Operation *> parts;
    for (Group &group : groups)
      if (group.size() > 1)
        replace(group, fused, parts);
    eraseUnused(module, parts);
  }

private:
  /// Kernels and their numbers of blocks.
  using Key = std::vector<std::pair<Operation *, int64_t>>;

  //===--- groups ---===//

  std::optional<Part> partOf(gpu::LaunchFuncOp launch, forge::BufferAccesses &accesses) {
    gpu::GPUFuncOp kernel = accesses.kernelOf(launch);
    if (!kernel || !kernel.getBody().hasOneBlock() || !forge::getSchedule(kernel) ||
        !kernel.getKnownBlockSizeAttr() || kernel.getKnownClusterSizeAttr() ||
        kernel.getNumPrivateAttributions() > 0 || launch.getAsyncToken() || launch.hasClusterSize())
      return std::nullopt;
    std::optional<int64_t> shared = 0;
    if (Value bytes = launch.getDynamicSharedMemorySize())
      shared = getConstantIntValue(bytes);
    if (!shared)
      return std::nullopt;
    // Of those with much shared memory, products by tiles, and by tensor maps of few rows; others
    // have a multiprocessor to themselves, or share work by counters.
    bool isPlain = *shared == 0 && !launch->hasAttr(forge::kByValueAttr);
    StringRef strategy = forge::getSchedule(kernel).strategy();
    if (!isPlain && ((strategy != "wgmma" && strategy != "tiles") || residentBlocks(*shared) < 2))
      return std::nullopt;
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    std::optional<int64_t> blocks = getConstantIntValue(grid.x);
    if (!blocks || !isConstantIntValue(grid.y, 1) || !isConstantIntValue(grid.z, 1))
      return std::nullopt;
    auto touched = accesses.of(launch);
    if (!touched)
      return std::nullopt;
    int64_t threads = 1;
    for (int32_t size : kernel.getKnownBlockSizeAttr().asArrayRef())
      threads *= size;
    return Part{launch, kernel, *blocks, threads, *shared, std::move(*touched)};
  }

  /// Blocks with so much shared memory that a multiprocessor has at once.
  int64_t residentBlocks(int64_t dynamicBytes) {
    return (sharedBytes + kSharedOfBlock) / (dynamicBytes + kSharedOfBlock);
  }

  /// With blocks of `threads`.
  bool fitsChip(const Part &part, int64_t threads) {
    return part.blocks * threads <= processors * forge::kResidentThreads;
  }

  bool canJoin(Part &part, Group &group) {
    if (group.size() >= forge::kMostJoined)
      return false;
    int64_t blocks = part.blocks;
    SmallVector<gpu::GPUFuncOp> kernels{part.kernel};
    int64_t threads = std::max(forge::largestPart(group).threads, part.threads);
    for (Part &other : group) {
      kernels.push_back(other.kernel);
      blocks += other.blocks;
      StringRef strategy = forge::getSchedule(part.kernel).strategy(),
                otherStrategy = forge::getSchedule(other.kernel).strategy();
      bool needSame =
          other.kernel == part.kernel || (strategy == "gemv" && otherStrategy == "gemv");
      if (!needSame && (!fitsChip(part, threads) || !fitsChip(other, threads)))
        return false;
      if (!areAlike(otherStrategy, strategy) || !forge::canHaveOneBlockSize(part, other) ||
          forge::sharedAttributes(other.kernel) != forge::sharedAttributes(part.kernel) ||
          forge::mayConflict(part.accesses, other.accesses))
        return false;
    }
    int64_t most = kMostShared;
    for (gpu::GPUFuncOp kernel : kernels)
      most = std::max(most, forge::sharedBytes(kernel));
    // Blocks with much shared memory stay in one wave, so that dependents may be set up with them.
    int64_t dynamicBytes = part.dynamicSharedBytes;
    for (const Part &other : group)
      dynamicBytes = std::max(dynamicBytes, other.dynamicSharedBytes);
    if (dynamicBytes > 0 && blocks > processors * residentBlocks(dynamicBytes))
      return false;
    return forge::sharedBytes(kernels) <= most && blocks <= std::numeric_limits<int32_t>::max();
  }

  void collect(Block &block, forge::BufferAccesses &accesses, SmallVectorImpl<Group> &groups) {
    llvm::DenseMap<Operation *, size_t> groupOf;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
      std::optional<Part> part = launch ? partOf(launch, accesses) : std::nullopt;
      if (!part)
        continue;
      SmallVector<Operation *> needed;
      std::optional<size_t> found = findGroup(*part, accesses, groups, groupOf, needed);
      size_t number = found.value_or(groups.size());
      if (found) {
        Operation *last = groups[number].back().launch;
        for (Operation *moved : llvm::reverse(needed)) {
          moved->moveAfter(last);
          last = moved;
        }
        launch->moveAfter(last);
      } else {
        groups.emplace_back();
      }
      groupOf[launch] = number;
      groups[number].push_back(std::move(*part));
    }
  }

  /// The earliest group before `part` that it can be moved to and join: what waits for it can be
  /// early too. `needed`: what has to move along, the last one first.
  std::optional<size_t> findGroup(Part &part, forge::BufferAccesses &accesses,
                                  MutableArrayRef<Group> groups,
                                  const llvm::DenseMap<Operation *, size_t> &groupOf,
                                  SmallVectorImpl<Operation *> &needed) {
    llvm::SmallPtrSet<Operation *, 16> sources;
    auto need = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp())
          sources.insert(source);
    };
    need(part.launch);
    std::optional<size_t> found;
    size_t numNeeded = 0;
    Operation *op = part.launch->getPrevNode();
    for (int64_t crossed = 0; op && crossed < forge::kMostCrossed;
         ++crossed, op = op->getPrevNode()) {
      bool makesMap = forge::makesTensorMapFor(op, sources);
      if (sources.contains(op) || makesMap) {
        bool isMovable = makesMap || isa<memref::AllocOp, memref::AllocaOp>(op);
        if (!isMovable && (op->getNumRegions() > 0 || !isPure(op)))
          break;
        needed.push_back(op);
        need(op);
        continue;
      }
      if (auto number = groupOf.find(op);
          number != groupOf.end() && canJoin(part, groups[number->second])) {
        // The first one met is the last of its group: what moves goes behind it.
        if (found != number->second)
          numNeeded = needed.size();
        found = number->second;
        continue;
      }
      auto between = accesses.of(op);
      if (!between || forge::mayConflict(part.accesses, *between))
        break;
    }
    needed.resize(numNeeded);
    return found;
  }

  //===--- kernels ---===//

  void replace(Group &group, std::map<Key, gpu::GPUFuncOp> &fused,
               llvm::SetVector<Operation *> &parts) {
    Key key;
    int64_t blocks = 0;
    SmallVector<Location> locations;
    SmallVector<Value> operands;
    SmallVector<std::string> descriptions;
    for (Part &part : group) {
      key.emplace_back(part.kernel, part.blocks);
      parts.insert(part.kernel);
      blocks += part.blocks;
      locations.push_back(part.launch.getLoc());
      llvm::append_range(operands, part.launch.getKernelOperands());
      if (auto text = part.launch->getAttrOfType<StringAttr>(forge::kDescriptionAttr))
        descriptions.push_back(text.str());
    }
    gpu::GPUFuncOp &kernel = fused[key];
    if (!kernel)
      kernel = forge::fuseKernels(group);
    gpu::LaunchFuncOp last = group.back().launch;
    OpBuilder builder(last);
    Location loc = FusedLoc::get(&getContext(), locations);
    gpu::KernelDim3 grid = last.getGridSizeOperandValues();
    grid.x = arith::ConstantIndexOp::create(builder, loc, blocks);
    int64_t dynamicBytes = 0;
    for (const Part &part : group)
      dynamicBytes = std::max(dynamicBytes, part.dynamicSharedBytes);
    Value shared;
    if (dynamicBytes > 0)
      shared = arith::ConstantIntOp::create(builder, loc, dynamicBytes, 32);
    auto launch = gpu::LaunchFuncOp::create(
        builder, loc, kernel, grid,
        gpu::LaunchFuncOp(forge::largestPart(group).launch).getBlockSizeOperandValues(), shared,
        operands);
    if (SmallVector<int64_t> byValue = forge::argumentsByValue(group); !byValue.empty())
      launch->setAttr(forge::kByValueAttr, builder.getDenseI64ArrayAttr(byValue));
    launch->setAttr(forge::kDescriptionAttr,
                    builder.getStringAttr(llvm::join(descriptions, " | ")));
    for (Part &part : group)
      part.launch.erase();
  }

  static void eraseUnused(ModuleOp module, const llvm::SetVector<Operation *> &parts) {
    llvm::DenseSet<StringAttr> used;
    module.walk([&](gpu::LaunchFuncOp launch) { used.insert(launch.getKernelName()); });
    for (Operation *part : parts)
      if (!used.contains(cast<gpu::GPUFuncOp>(part).getNameAttr()))
        part->erase();
  }
};
} // namespace
