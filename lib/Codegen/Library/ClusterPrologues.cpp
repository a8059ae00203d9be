#include "../Gemv/GemvProduct.h"
#include "../Gemv/GemvPrologue.h"
#include "../RowKernels/RowClusters.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace forge {
#define GEN_PASS_DEF_CLUSTERPROLOGUESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-cluster-prologues"

using namespace mlir;

namespace {
/// What computes the left factor of products, one row after the other.
struct Prologue {
  /// In program order, fills among them; the last one computes the factor.
  SmallVector<Operation *> members;
  SmallVector<forge::GemvProduct> products;
};

/// The operation that computes `value`, or what `value` has unit dimensions added to.
linalg::GenericOp producerOf(Value value) {
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
    value = expand.getSrc();
  return value.getDefiningOp<linalg::GenericOp>();
}

/// The loops of `root` as those of its result with unit dimensions added by `expand`: for each of
/// them the new loop. Nothing if other dimensions are added.
std::optional<SmallVector<unsigned>> loopsOf(linalg::GenericOp root, tensor::ExpandShapeOp expand) {
  AffineMap written = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  SmallVector<unsigned> loops(root.getNumLoops());
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    auto isLong = [&](int64_t at) { return shape[at] != 1; };
    if (llvm::count_if(group, isLong) > 1)
      return std::nullopt;
    const auto *kept = llvm::find_if(group, isLong);
    int64_t at = kept == group.end() ? group.front() : *kept;
    loops[cast<AffineDimExpr>(written.getResult(dim)).getPosition()] = at;
  }
  return loops;
}

/// 1. The left factors of products that strategy gemv computes.
/// 2. Each with what row kernels would compute of it in one, if only these products read that.
/// 3. Each product gets a copy of those operations of its own, in its cluster.
struct ClusterProloguesPass : public forge::impl::ClusterProloguesPassBase<ClusterProloguesPass> {
  using ClusterProloguesPassBase::ClusterProloguesPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    chip = forge::findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    std::optional<forge::LibraryUse> use = forge::LibraryUse::byName(library);
    if (!use) {
      getOperation().emitError("expected prefer, cost or never as library, but got '")
          << library << "'";
      return signalPassFailure();
    }
    llvm::MapVector<Operation *, SmallVector<forge::GemvProduct>> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (auto product = productOf(op, *use))
        if (linalg::GenericOp root = producerOf(product->left()))
          products[root].push_back(*product);
    });
    int64_t next = 0;
    for (auto &[root, readers] : products)
      if (auto prologue = prologueOf(cast<linalg::GenericOp>(root), readers))
        repeat(*prologue, next);
  }

private:
  /// The product that `op` and what is in its cluster are, if strategy gemv computes them.
  std::optional<forge::GemvProduct> productOf(linalg::LinalgOp op, const forge::LibraryUse &use) {
    auto product = forge::matchGemvCluster(op, *chip);
    bool isTaken = product && forge::isBeforeLibrary(*product, use) && !product->columnsInside;
    return isTaken ? product : std::nullopt;
  }

  /// What computes the result of `root` for `products`, which are all that reads it.
  std::optional<Prologue> prologueOf(linalg::GenericOp root,
                                     ArrayRef<forge::GemvProduct> products) {
    if (!root.hasPureTensorSemantics() || root->hasAttr(forge::kClusterAttr) ||
        root->getNumResults() != 1 || root.getNumReductionLoops() > 0 || root.hasIndexSemantics() ||
        !root.getMatchingIndexingMap(root.getDpsInitOperand(0)).isPermutation())
      return std::nullopt;
    Prologue prologue;
    prologue.products.assign(products.begin(), products.end());
    if (!isOnlyRead(root->getResult(0), products))
      return std::nullopt;
    llvm::SmallPtrSet<Operation *, 8> members;
    SmallVector<Operation *> cluster = forge::clusterRows(root);
    for (Operation *op : llvm::reverse(cluster)) {
      bool isInside = op == root || llvm::all_of(op->getUsers(), [&](Operation *user) {
                        return members.contains(user);
                      });
      // A fill may be the start of others, too.
      if (isInside || isa<linalg::FillOp>(op))
        members.insert(op);
    }
    for (Operation *op : cluster)
      if (members.contains(op))
        prologue.members.push_back(op);
    for (const forge::GemvProduct &product : products) {
      linalg::LinalgOp op = product.op;
      if (op->getBlock() != root->getBlock() || product.lhs > 1 ||
          llvm::any_of(prologue.members,
                       [&](Operation *member) { return forge::wouldReadOverwritten(member, op); }))
        return std::nullopt;
      if (auto expand = product.left().getDefiningOp<tensor::ExpandShapeOp>();
          expand && !loopsOf(root, expand))
        return std::nullopt;
    }
    bool isFew = llvm::all_of(products, [&](const forge::GemvProduct &product) {
      return forge::isWorthPrologue(product, prologue.members, *chip);
    });
    return isFew ? std::optional(std::move(prologue)) : std::nullopt;
  }

  /// Whether `value` is read by the left factors of `products` and by nothing else.
  static bool isOnlyRead(Value value, ArrayRef<forge::GemvProduct> products) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(use.getOwner()))
        return isOnlyRead(expand.getResult(), products);
      return llvm::any_of(products, [&](const forge::GemvProduct &product) {
        return llvm::any_of(product.matrices, [&](const forge::GemvMatrix &matrix) {
          return matrix.op.getOperation() == use.getOwner() &&
                 use.getOperandNumber() != matrix.operand;
        });
      });
    });
  }

  void repeat(const Prologue &prologue, int64_t &next) {
    for (forge::GemvProduct product : prologue.products) {
      linalg::LinalgOp op = product.op;
      Attribute cluster = op->getAttr(forge::kClusterAttr);
      if (!cluster)
        cluster = StringAttr::get(&getContext(), "prologue" + std::to_string(next++));
      op->setAttr(forge::kClusterAttr, cluster);
      OpBuilder builder(op); // the first of its products
      IRMapping mapping;
      for (Operation *member : prologue.members) {
        Operation *copy = member == prologue.members.back()
                              ? copyRoot(builder, cast<linalg::GenericOp>(member), product, mapping)
                              : builder.clone(*member, mapping);
        if (!isa<linalg::FillOp>(copy))
          copy->setAttr(forge::kClusterAttr, cluster);
      }
    }
    for (Operation *member : llvm::reverse(prologue.members)) {
      eraseUnusedReshapes(member);
      if (member->use_empty())
        member->erase();
    }
  }

  static void eraseUnusedReshapes(Operation *op) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (isa<tensor::ExpandShapeOp>(user) && user->use_empty())
        user->erase();
  }

  /// A copy of `root` that has the shape of the left factor of `product`, which reads it.
  static Operation *copyRoot(OpBuilder &builder, linalg::GenericOp root,
                             forge::GemvProduct &product, IRMapping &mapping) {
    auto expand = product.left().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand) {
      Operation *copy = builder.clone(*root, mapping);
      product.setLeft(copy->getResult(0));
      return copy;
    }
    RankedTensorType type = expand.getResultType();
    unsigned rank = type.getRank();
    SmallVector<AffineExpr> loops;
    SmallVector<unsigned> places = *loopsOf(root, expand);
    for (unsigned loop : places)
      loops.push_back(builder.getAffineDimExpr(loop));
    SmallVector<AffineMap> maps;
    SmallVector<Value> inputs;
    for (OpOperand *input : root.getDpsInputOperands()) {
      inputs.push_back(mapping.lookupOrDefault(input->get()));
      maps.push_back(root.getMatchingIndexingMap(input).replaceDimsAndSymbols(loops, {}, rank, 0));
    }
    maps.push_back(builder.getMultiDimIdentityMap(rank));
    Location loc = root.getLoc();
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
    auto copy = linalg::GenericOp::create(builder, loc, type, inputs, empty, maps, types);
    root.getRegion().cloneInto(&copy.getRegion(), mapping);
    product.setLeft(copy.getResult(0));
    return copy;
  }

  const forge::GPUChip *chip = nullptr;
};
} // namespace
