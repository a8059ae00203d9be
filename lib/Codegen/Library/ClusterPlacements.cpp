#include "../Fusion/PlacedElements.h"
#include "../Gemv/GemvProduct.h"
#include "../Strategy/ProductFollow.h"
#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_CLUSTERPLACEMENTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-cluster-placements"

using namespace mlir;
using namespace forge;

/// The operation of the block of `value` that alone reads it, perhaps by reshapes and in loops;
/// null if there is none.
static Operation *onlyReader(Value value) {
  Operation *reader = nullptr;
  SmallVector<Value> views{value};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (isElementView(user)) {
        views.push_back(user->getResult(0));
        continue;
      }
      Operation *ancestor = value.getParentBlock()->findAncestorOpInBlock(*user);
      if (!ancestor || (reader && ancestor != reader))
        return nullptr;
      reader = ancestor;
    }
  }
  return reader;
}

/// Places in `loops` as arithmetic.
static void expandPlaces(scf::ForOp loops) {
  SmallVector<affine::AffineApplyOp> places;
  loops->walk([&](affine::AffineApplyOp place) { places.push_back(place); });
  for (affine::AffineApplyOp place : places) {
    OpBuilder builder(place);
    auto values = affine::expandAffineMap(builder, place.getLoc(), place.getAffineMap(),
                                          llvm::to_vector<8>(place.getMapOperands()));
    if (!values)
      continue;
    place->replaceAllUsesWith(*values);
    place->erase();
  }
}

namespace {
/// A product whose kernel may put its results to places.
struct Placeable {
  SmallVector<linalg::LinalgOp, 2> contractions;
  linalg::GenericOp follow;
  Value values;
  /// Whether the strategy that computes it takes loops that read `values`.
  std::function<bool(scf::ForOp)> takes;

  linalg::LinalgOp op() const { return contractions.front(); }
};

/// 1. Products of few rows that strategy gemv or wgmma computes, whose results only one operation
///    reads.
/// 2. Loops that put these results to places are it; an elementwise operation becomes such loops,
///    if it computes its elements of few columns each.
/// 3. They join the cluster of the product.
struct ClusterPlacementsPass
    : public forge::impl::ClusterPlacementsPassBase<ClusterPlacementsPass> {
  using ClusterPlacementsPassBase::ClusterPlacementsPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    const GPUChip *chip = findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    std::optional<LibraryUse> use = parseLibraryUse(getOperation(), library);
    if (!use)
      return signalPassFailure();
    SmallVector<Placeable, 0> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      std::optional<Placeable> product = byGemv(op, *use, *chip);
      if (!product)
        product = byWgmma(op, *use, *chip);
      if (product)
        products.push_back(std::move(*product));
    });
    int64_t next = 0;
    for (Placeable &product : products)
      join(product, next);
  }

private:
  static std::optional<Placeable> byGemv(linalg::LinalgOp op, const LibraryUse &use,
                                         const GPUChip &chip) {
    std::optional<GemvProduct> gemv = matchGemvCluster(op, chip);
    if (!gemv || !isBeforeLibrary(*gemv, use) || gemv->isByThreadsInside())
      return std::nullopt;
    Placeable found;
    for (const GemvMatrix &matrix : gemv->matrices)
      found.contractions.push_back(matrix.op);
    found.follow = gemv->follow;
    found.values = gemv->values();
    found.takes = [product = *gemv](scf::ForOp loops) mutable {
      std::string why;
      product.placement =
          matchPlacement(loops, product.values(), product.rows, product.columns, why);
      return product.placement && product.settleColumns();
    };
    return found;
  }

  static std::optional<Placeable> byWgmma(linalg::LinalgOp op, const LibraryUse &use,
                                          const GPUChip &chip) {
    if (!op.hasPureTensorSemantics())
      return std::nullopt;
    std::optional<ProductCluster> cluster = clusterOf(op);
    if (!cluster || cluster->contractions.size() != 1 ||
        (op->hasAttr(kClusterAttr) && !cluster->follow))
      return std::nullopt;
    std::optional<WgmmaProduct> product = matchWgmma(cluster->contractions, cluster->follow);
    if (!product || !takesProduct(*product, chip) ||
        (use.isAsked() && !(use.byCost && beatsLibrary(*product, chip))))
      return std::nullopt;
    Placeable found{cluster->contractions, cluster->follow, product->values(), nullptr};
    found.takes = [product = *product, chip](scf::ForOp loops) mutable {
      return product.takePlacement(loops) && takesProduct(product, chip);
    };
    return found;
  }

  static void join(Placeable &product, int64_t &next) {
    Operation *reader = onlyReader(product.values);
    if (!reader || reader->hasAttr(kClusterAttr) || !canMoveTo(product, reader))
      return;
    auto generic = dyn_cast<linalg::GenericOp>(reader);
    auto loops = generic ? asLoops(generic) : dyn_cast<scf::ForOp>(reader);
    if (loops)
      expandPlaces(loops);
    if (!loops || loops->getNumResults() != 1 || !isKernelRoot(loops)) {
      erase(loops, generic);
      return;
    }
    SmallVector<tensor::ExtractOp> extracts;
    loops->walk([&](tensor::ExtractOp extract) { extracts.push_back(extract); });
    llvm::for_each(extracts, forge::readThroughViews);
    if (!product.takes(loops)) {
      erase(loops, generic);
      return;
    }
    if (generic) {
      generic->replaceAllUsesWith(loops->getResults());
      generic->erase();
    }
    linalg::LinalgOp op = product.op();
    Attribute cluster = op->getAttr(kClusterAttr);
    if (!cluster) {
      cluster = StringAttr::get(op->getContext(), "placed" + std::to_string(next++));
      op->setAttr(kClusterAttr, cluster);
    }
    loops->setAttr(kClusterAttr, cluster);
  }

  /// Loops that were made for `generic`.
  static void erase(scf::ForOp loops, linalg::GenericOp generic) {
    if (loops && generic)
      loops->erase();
  }

  /// Whether all that is computed with `product` can be where `reader` is.
  static bool canMoveTo(const Placeable &product, Operation *reader) {
    linalg::LinalgOp op = product.op();
    Attribute cluster = op->getAttr(kClusterAttr);
    return llvm::all_of(*op->getBlock(), [&](Operation &other) {
      bool isMember =
          &other == op.getOperation() || (cluster && other.getAttr(kClusterAttr) == cluster);
      // What the kernel leaves in memory for others is there for them.
      return !isMember || (!wouldReadOverwritten(&other, reader) &&
                           (isOfProduct(product, &other) || isReadBehind(&other, reader)));
    });
  }

  static bool isOfProduct(const Placeable &product, Operation *op) {
    linalg::GenericOp follow = product.follow;
    return op == follow.getOperation() ||
           llvm::any_of(product.contractions,
                        [&](linalg::LinalgOp of) { return of.getOperation() == op; });
  }

  /// Whether what is before the product is there for others, where its kernel leaves it in memory.
  static bool isReadBehind(Operation *member, Operation *reader) {
    return llvm::all_of(member->getUsers(), [&](Operation *user) {
      Operation *ancestor = member->getBlock()->findAncestorOpInBlock(*user);
      return (ancestor && reader->isBeforeInBlock(ancestor)) ||
             (ancestor && ancestor->hasAttr(kClusterAttr) &&
              ancestor->getAttr(kClusterAttr) == member->getAttr(kClusterAttr));
    });
  }
};
} // namespace
