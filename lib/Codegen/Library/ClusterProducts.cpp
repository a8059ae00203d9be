#include "../Gemv/GemvProduct.h"
#include "LibraryProduct.h"

#include "../Strategy/ProductFollow.h"
#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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
      !follow.hasPureTensorSemantics() || forge::wouldReadOverwritten(contraction, follow))
    return {};
  return follow;
}

/// The sizes of the result of `contraction`, from what it starts with: a question to the result
/// itself would be a use of it outside the cluster.
static SmallVector<OpFoldResult> sizesOf(linalg::LinalgOp contraction, OpBuilder &builder) {
  Value start = contraction.getDpsInits().front();
  while (auto fill = start.getDefiningOp<linalg::FillOp>())
    start = fill.getDpsInits().front();
  if (auto empty = start.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes();
  return tensor::getMixedSizes(builder, contraction.getLoc(), start);
}

/// Where `follow` rounds the result of `contraction` to the type of the factors before it does
/// anything else with it, that becomes an operation of its own, given back; null if it does not.
static linalg::GenericOp splitRounding(linalg::LinalgOp contraction, linalg::GenericOp follow) {
  Value sums = contraction->getResult(0);
  Type narrow = getElementTypeOrSelf(contraction->getOperand(0));
  OpOperand *read = forge::roundedRead(follow, sums, narrow);
  if (!read)
    return {};
  BlockArgument element = follow.getMatchingBlockArgument(read);
  SmallVector<Operation *> roundings(element.getUsers());
  OpBuilder builder(contraction);
  Location loc = roundings.front()->getLoc();
  auto type = cast<RankedTensorType>(sums.getType()).clone(narrow);
  Value empty = tensor::EmptyOp::create(builder, loc, sizesOf(contraction, builder), narrow);
  builder.setInsertionPointAfter(contraction);
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto rounding = linalg::GenericOp::create(
      builder, loc, type, sums, empty, maps, loops,
      [&](OpBuilder &inside, Location where, ValueRange values) {
        Value rounded = arith::TruncFOp::create(inside, where, narrow, values.front());
        linalg::YieldOp::create(inside, where, rounded);
      });
  read->set(rounding.getResult(0));
  element.setType(narrow);
  for (Operation *user : roundings) {
    user->getResult(0).replaceAllUsesWith(element);
    user->erase();
  }
  return rounding;
}

/// Another contraction of the same left factor that only `follow` uses, such that both and `follow`
/// are a pair for strategy wgmma; null if there is none.
static linalg::LinalgOp otherOfPair(linalg::LinalgOp contraction, linalg::GenericOp follow) {
  for (Value input : follow.getInputs()) {
    auto other = input.getDefiningOp<linalg::LinalgOp>();
    if (other && other != contraction && other->getNumResults() == 1 &&
        other.hasPureTensorSemantics() && !other->hasAttr(forge::kClusterAttr) &&
        onlyFollower(other) == follow && forge::matchWgmma({contraction, other}, follow))
      return other;
  }
  return {};
}

namespace {
/// 1. A contraction of few rows, and whatever elementwise operation alone uses its result, become a
///    cluster for strategy gemv.
/// 2. Two contractions with one left factor, and the operation that alone uses both, become one for
///    strategy wgmma, unless the vendor's library is faster with what it computes of them.
/// 3. Another contraction of matrices does with that operation if the library computes both at
/// once,
///    or a kernel on matrix units does and the library is not faster.
/// 4. Otherwise, if that operation rounds the result first of all, the contraction and the rounding
///    do.
struct ClusterProductsPass : public forge::impl::ClusterProductsPassBase<ClusterProductsPass> {
  using ClusterProductsPassBase::ClusterProductsPassBase;

  void runOnOperation() override {
    chip = forge::findChip(chipName);
    if (!chipName.empty() && !chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    int64_t next = 0;
    getOperation().walk([&](linalg::LinalgOp contraction) {
      if (!contraction.hasPureTensorSemantics() || contraction->getNumResults() != 1 ||
          contraction->hasAttr(forge::kClusterAttr) || contraction.getNumReductionLoops() == 0)
        return;
      SmallVector<Operation *> others = findOthers(contraction);
      if (others.empty())
        return;
      // Row clusters have numbers; a name of another type is never one of theirs.
      auto name = StringAttr::get(&getContext(), "product" + std::to_string(next++));
      contraction->setAttr(forge::kClusterAttr, name);
      for (Operation *other : others)
        other->setAttr(forge::kClusterAttr, name);
    });
  }

  /// What is computed together with `contraction`.
  SmallVector<Operation *> findOthers(linalg::LinalgOp contraction) {
    auto product = forge::matchProduct(contraction, linalg::GenericOp());
    linalg::GenericOp follow = onlyFollower(contraction);
    if (!product || !follow)
      return {};
    bool isCalled = least >= 0 && forge::mayHave(*product, least);
    // What another product takes along still reads this one rounded.
    if (!follow->hasAttr(forge::kClusterAttr)) {
      auto gemv = chip ? forge::matchGemv(contraction, follow, chip->warpSize) : std::nullopt;
      if (gemv && gemv->rows <= gemvRows)
        return {follow};
      linalg::LinalgOp other = otherOfPair(contraction, follow);
      if (other && isForMatrixUnits({contraction, other}, follow, isCalled))
        return {other, follow};
      if (isCalled && forge::matchProduct(contraction, follow))
        return {follow};
      if (isForMatrixUnits({contraction}, follow, isCalled))
        return {follow};
    }
    if (!isCalled && !isForMatrixUnits({contraction}, {}, isCalled))
      return {};
    if (linalg::GenericOp rounding = splitRounding(contraction, follow))
      return {rounding};
    return {};
  }

  /// Whether strategy wgmma takes these, and is not slower than the library where that is asked.
  bool isForMatrixUnits(ArrayRef<linalg::LinalgOp> contractions, linalg::GenericOp follow,
                        bool isCalled) {
    auto product = chip ? forge::matchWgmma(contractions, follow) : std::nullopt;
    return product && forge::takesProduct(*product, *chip) &&
           (!isCalled || (preferFaster && forge::beatsLibrary(*product, *chip)));
  }

  const forge::GPUChip *chip = nullptr;
};
} // namespace
