#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "RowClusters.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_CLUSTERROWSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-cluster-rows"

using namespace mlir;

/// Moves each reshape in front of the first operation that needs it, so that none is between what
/// it reads and the end of a cluster.
static void sinkReshapes(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op))
      continue;
    Operation *first = nullptr;
    for (Operation *user : op.getUsers()) {
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      if (!first || ancestor->isBeforeInBlock(first))
        first = ancestor;
    }
    if (first)
      op.moveBefore(first);
  }
}

namespace {
/// 1. From the last operation of a block to the first, what is in no cluster yet becomes the root
///    of one.
/// 2. Its producers join as far as one kernel can compute them (clusterRows).
/// 3. Clusters of several operations are numbered.
struct ClusterRowsPass : public forge::impl::ClusterRowsPassBase<ClusterRowsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    int64_t next = 0;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<linalg::LinalgOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          markBlock(block, next);
      return WalkResult::advance();
    });
  }

  static void markBlock(Block &block, int64_t &next) {
    sinkReshapes(block);
    for (Operation &op : llvm::reverse(block)) {
      auto root = dyn_cast<linalg::GenericOp>(op);
      if (!root || !root.hasPureTensorSemantics() || root->hasAttr(forge::kClusterAttr))
        continue;
      SmallVector<Operation *> members = forge::clusterRows(root);
      llvm::erase_if(members, [](Operation *member) { return isa<linalg::FillOp>(member); });
      if (members.size() < 2)
        continue;
      for (Operation *member : members)
        member->setAttr(forge::kClusterAttr, Builder(member->getContext()).getI64IntegerAttr(next));
      ++next;
    }
  }
};
} // namespace
