#include "Generic.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_CLUSTERCOLUMNSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-cluster-columns"

using namespace mlir;

/// Whether `op` is free for a cluster, of known sizes, with one result.
static bool isFree(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && !op.hasDynamicShape() && op->getNumResults() == 1 &&
         !op->hasAttr(forge::kClusterAttr) && !op->hasAttr(forge::kScheduleAttr) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         llvm::all_of(*op.getBody(), [](Operation &inner) {
           return inner.getNumRegions() == 0 && !isa<tensor::ExtractOp>(inner);
         });
}

/// Whether a reduction reads each element of what it reduces once, as a product does not, where
/// neighbouring results are neighbours in all that it reads along them, and no threads share a
/// result.
static bool isOfColumns(linalg::GenericOp op, const forge::GPUChip &chip) {
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (op.getNumReductionLoops() == 0 || written.getNumResults() == 0 ||
      forge::planSharing(op, chip) || !op.getDpsInits().front().getDefiningOp<linalg::FillOp>())
    return false;
  unsigned along = written.getDimPosition(written.getNumResults() - 1);
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    bool isReduced = llvm::any_of(map.getResults(), [&](AffineExpr index) {
      return !written.isFunctionOfDim(cast<AffineDimExpr>(index).getPosition());
    });
    return (!isReduced || map.getNumResults() == op.getNumLoops()) &&
           (!map.isFunctionOfDim(along) || map.getDimPosition(map.getNumResults() - 1) == along);
  });
}

/// The elementwise operation that alone reads the result of `op`, element by element, and writes no
/// more; null if there is none.
static linalg::GenericOp followerOf(linalg::GenericOp op) {
  Value sums = op.getResult(0);
  if (!sums.hasOneUse())
    return {};
  OpOperand &use = *sums.use_begin();
  auto follow = dyn_cast<linalg::GenericOp>(use.getOwner());
  bool isElementwise = isFree(follow) && follow->getBlock() == op->getBlock() &&
                       follow.getNumReductionLoops() == 0 && follow.isDpsInput(&use) &&
                       follow.getMatchingIndexingMap(&use).isIdentity() &&
                       follow.getMatchingIndexingMap(follow.getDpsInitOperand(0)).isIdentity() &&
                       !follow.payloadUsesValueFromOperand(follow.getDpsInitOperand(0));
  return isElementwise && !forge::wouldReadOverwritten(op, follow) ? follow : linalg::GenericOp();
}

namespace {
/// 1. Reductions along columns that are in no cluster, each result by a thread, from a fill.
/// 2. With the elementwise operation that alone reads their results, they are a cluster.
struct ClusterColumnsPass : public forge::impl::ClusterColumnsPassBase<ClusterColumnsPass> {
  using ClusterColumnsPassBase::ClusterColumnsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (forge::isKernel(function) || !chip)
      return;
    int64_t next = 0;
    function.walk([&](Operation *op) {
      if (auto number = op->getAttrOfType<IntegerAttr>(forge::kClusterAttr))
        next = std::max(next, number.getInt() + 1);
    });
    function.walk([&](linalg::GenericOp op) {
      if (!isFree(op) || !isOfColumns(op, *chip))
        return;
      linalg::GenericOp follow = followerOf(op);
      if (!follow)
        return;
      auto number = Builder(&getContext()).getI64IntegerAttr(next++);
      op->setAttr(forge::kClusterAttr, number);
      follow->setAttr(forge::kClusterAttr, number);
    });
  }
};
} // namespace
