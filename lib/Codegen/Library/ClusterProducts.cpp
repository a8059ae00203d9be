#include "LibraryProduct.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"

namespace forge {
#define GEN_PASS_DEF_CLUSTERPRODUCTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-cluster-products"

using namespace mlir;

/// The operation that alone uses the result of `contraction`, in its block, if it can be computed
/// where that one stands now.
static linalg::GenericOp onlyFollower(linalg::LinalgOp contraction) {
  Value sums = contraction->getResult(0);
  auto follow =
      sums.use_empty() ? linalg::GenericOp() : dyn_cast<linalg::GenericOp>(*sums.user_begin());
  bool isOnly = follow && llvm::all_of(sums.getUsers(), [&](Operation *user) {
                  return user == follow.getOperation();
                });
  if (!isOnly || follow->getBlock() != contraction->getBlock() ||
      !follow.hasPureTensorSemantics() || follow->hasAttr(forge::kClusterAttr) ||
      forge::wouldReadOverwritten(contraction, follow))
    return {};
  return follow;
}

namespace {
/// Every contraction of matrices, and the elementwise operation that alone uses its result, become
/// a cluster if the vendor's library computes both at once.
struct ClusterProductsPass : public forge::impl::ClusterProductsPassBase<ClusterProductsPass> {
  using ClusterProductsPassBase::ClusterProductsPassBase;

  void runOnOperation() override {
    int64_t next = 0;
    getOperation().walk([&](linalg::LinalgOp contraction) {
      if (!contraction.hasPureTensorSemantics() || contraction->getNumResults() != 1 ||
          contraction->hasAttr(forge::kClusterAttr) || contraction.getNumReductionLoops() == 0)
        return;
      linalg::GenericOp follow = onlyFollower(contraction);
      auto product = follow ? forge::matchProduct(contraction, follow) : std::nullopt;
      if (!product || !forge::mayHave(*product, least))
        return;
      // Row clusters have numbers; a name of another type is never one of theirs.
      auto name = StringAttr::get(&getContext(), "product" + std::to_string(next++));
      contraction->setAttr(forge::kClusterAttr, name);
      follow->setAttr(forge::kClusterAttr, name);
    });
  }
};
} // namespace
