#include "SequenceWork.h"

#include "forge/Codegen/Strategy.h"
#include "forge/Target/Device/HostCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;

bool sequence::isDeviceAlloc(Operation *op) {
  return isa<memref::AllocOp>(op) && !op->hasAttr(kHostAttr);
}

bool sequence::mayMove(Operation *op) {
  return isa<memref::GetGlobalOp>(op) || (op->getNumRegions() == 0 && mlir::isPure(op));
}

/// The nodes of one graph of a whole loop: a driver needs about a microsecond for each to make it.
static constexpr int64_t kMostIssued = 16384;

static bool isLaunchOrCopy(Operation *op) {
  if (isa<memref::CopyOp>(op))
    return !op->hasAttr(kHostAttr);
  return isa<gpu::LaunchFuncOp>(op) && !op->hasAttr(sequence::kNotCapturedAttr);
}

/// A call that enqueues a product by the vendor's library, or says that it did not; or one that
/// writes a tensor map for a launch, and says nothing.
static bool isDeviceCall(Operation *op) {
  return isa<func::CallOp>(op) && op->hasAttr(kDeviceCallAttr);
}

bool sequence::isFallback(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  auto compare = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  Operation *asked = compare ? compare.getLhs().getDefiningOp() : nullptr;
  return asked && isDeviceCall(asked) && branch.getNumResults() == 0 && !branch.elseBlock() &&
         llvm::all_of(branch.thenBlock()->without_terminator(), [](Operation &inner) {
           bool isMap = isDeviceCall(&inner) && inner.getNumResults() == 0;
           return isLaunchOrCopy(&inner) || isMap || isDeviceAlloc(&inner) ||
                  isa<memref::DeallocOp>(inner) || mayMove(&inner);
         });
}

bool sequence::isProduct(Operation *op) {
  return isDeviceCall(op) && llvm::all_of(op->getUsers(), [](Operation *compare) {
           return llvm::all_of(compare->getUsers(), isFallback);
         });
}

bool sequence::isIssued(Operation *op) { return isLaunchOrCopy(op) || isProduct(op); }

bool sequence::isWork(Operation *op) { return isIssued(op) || isFallback(op); }

bool sequence::belongs(Operation *op) {
  return isWork(op) || isDeviceAlloc(op) || isa<memref::DeallocOp>(op) || mayMove(op);
}

/// True if `op` frees what another block allocates: a replay would not free it.
static bool freesFromOutside(Operation *op) {
  auto dealloc = dyn_cast<memref::DeallocOp>(op);
  Operation *alloc = dealloc ? dealloc.getMemref().getDefiningOp() : nullptr;
  return dealloc && (!alloc || alloc->getBlock() != op->getBlock());
}

static std::optional<int64_t> stepsOf(scf::ForOp loop) {
  std::optional<APInt> steps = loop.getStaticTripCount();
  if (!steps || !steps->isSignedIntN(32))
    return std::nullopt;
  return steps->getSExtValue();
}

int64_t sequence::countIssued(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return isIssued(op) || isa<gpu::LaunchFuncOp>(op);
  int64_t count = 0;
  for (Operation &inner : loop.getBody()->without_terminator())
    count += countIssued(&inner);
  return count * stepsOf(loop).value_or(0);
}

bool sequence::isReplayedLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getNumResults() > 0 || !stepsOf(loop))
    return false;
  return llvm::all_of(loop.getBody()->without_terminator(),
                      [](Operation &inner) {
                        return !freesFromOutside(&inner) &&
                               (belongs(&inner) || isa<gpu::LaunchFuncOp>(inner) ||
                                isReplayedLoop(&inner));
                      }) &&
         countIssued(loop) <= kMostIssued;
}
