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
  /// In program order, fills among them; the last one computes the factor. The first product's
  /// kernel leaves in memory what others need of them, too.
  SmallVector<Operation *> members;
  SmallVector<forge::GemvProduct, 0> products;
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
/// 2. Each with what row kernels would compute of it in one. It, and what it is computed of, as a
///    residual sum is, may be needed behind the first of these products, too.
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
    std::optional<forge::LibraryUse> use = forge::parseLibraryUse(getOperation(), library);
    if (!use)
      return signalPassFailure();
    llvm::MapVector<Operation *, SmallVector<forge::GemvProduct, 0>> products;
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
    return product && forge::isBeforeLibrary(*product, use) ? product : std::nullopt;
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
    if (!isOnlyRead(root->getResult(0), products, lastOfCluster(products.front())))
      return std::nullopt;
    llvm::SmallPtrSet<Operation *, 8> members;
    SmallVector<Operation *> cluster = forge::clusterRows(root);
    Operation *first = lastOfCluster(products.front());
    for (Operation *op : llvm::reverse(cluster)) {
      bool isInside = op == root || llvm::all_of(op->getUsers(), [&](Operation *user) {
                        return members.contains(user) || isBehind(user, first);
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
    bool isOne = llvm::all_of(products, [&](const forge::GemvProduct &product) {
      return forge::hasRowsOfFactor(product, prologue.members) &&
             forge::isWorthPrologue(product, prologue.members, *chip);
    });
    return isOne ? std::optional(std::move(prologue)) : std::nullopt;
  }

  /// The operation that takes the place of the kernel of `product`.
  static Operation *lastOfCluster(const forge::GemvProduct &product) {
    linalg::GenericOp follow = product.follow;
    if (follow)
      return follow;
    return product.matrices.back().op;
  }

  static bool isReshape(Operation *op) {
    return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
  }

  /// Whether `user`, or what it is in, is behind `op`, or can be: what reads a reshape is.
  static bool isBehind(Operation *user, Operation *op) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    return ancestor &&
           (op->isBeforeInBlock(ancestor) ||
            (isReshape(ancestor) && llvm::all_of(ancestor->getUsers(), [&](Operation *reader) {
               return isBehind(reader, op);
             })));
  }

  /// Moves the reshapes of `value` to where they are read first.
  static void moveReshapes(Value value) {
    for (Operation *user : llvm::to_vector(value.getUsers())) {
      if (!isReshape(user))
        continue;
      moveReshapes(user->getResult(0));
      Operation *earliest = nullptr;
      for (Operation *reader : user->getUsers()) {
        Operation *ancestor = user->getBlock()->findAncestorOpInBlock(*reader);
        if (ancestor && (!earliest || ancestor->isBeforeInBlock(earliest)))
          earliest = ancestor;
      }
      if (earliest)
        user->moveBefore(earliest);
    }
  }

  /// An operation that gives the elements of `tensor`.
  static linalg::GenericOp sameAs(OpBuilder &builder, Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Location loc = tensor.getLoc();
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    return linalg::GenericOp::create(
        builder, loc, type, tensor, empty, ArrayRef{identity, identity},
        SmallVector<utils::IteratorType>(type.getRank(), utils::IteratorType::parallel),
        [](OpBuilder &inside, Location at, ValueRange elements) {
          linalg::YieldOp::create(inside, at, elements.front());
        });
  }

  /// Whether `value` is read by the left factors of `products`, and else behind `first` only; by
  /// nothing else, if that is null.
  static bool isOnlyRead(Value value, ArrayRef<forge::GemvProduct> products, Operation *first) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(use.getOwner()))
        return isOnlyRead(expand.getResult(), products, first);
      return (first && isBehind(use.getOwner(), first)) ||
             llvm::any_of(products, [&](const forge::GemvProduct &product) {
               return llvm::any_of(product.matrices, [&](const forge::GemvMatrix &matrix) {
                 return matrix.op.getOperation() == use.getOwner() &&
                        use.getOperandNumber() != matrix.operand;
               });
             });
    });
  }

  void repeat(const Prologue &prologue, int64_t &next) {
    auto root = cast<linalg::GenericOp>(prologue.members.back());
    SmallVector<Operation *> copies; // the first product's
    for (forge::GemvProduct product : prologue.products) {
      linalg::LinalgOp op = product.op;
      Attribute cluster = op->getAttr(forge::kClusterAttr);
      if (!cluster)
        cluster = StringAttr::get(&getContext(), "prologue" + std::to_string(next++));
      op->setAttr(forge::kClusterAttr, cluster);
      OpBuilder builder(op); // the first of its products
      IRMapping mapping;
      bool isFirst = copies.empty();
      auto add = [&](Operation *copy) {
        if (!isa<linalg::FillOp>(copy))
          copy->setAttr(forge::kClusterAttr, cluster);
        if (isFirst)
          copies.push_back(copy);
      };
      for (Operation *member : ArrayRef(prologue.members).drop_back())
        add(builder.clone(*member, mapping));
      if (isFirst && !isOnlyRead(root->getResult(0), prologue.products, nullptr)) {
        // The factor is the block's own, also where others need the same.
        add(builder.clone(*root, mapping));
        linalg::GenericOp same = sameAs(builder, copies.back()->getResult(0));
        copyRoot(builder, same, product, mapping)->setAttr(forge::kClusterAttr, cluster);
        same.erase();
      } else {
        copyRoot(builder, root, product, mapping)->setAttr(forge::kClusterAttr, cluster);
      }
    }
    for (auto [member, copy] : llvm::zip(prologue.members, copies)) {
      eraseUnusedReshapes(member);
      if (!isa<linalg::FillOp>(member))
        member->replaceUsesWithIf(copy->getResults(), [&](OpOperand &use) {
          return !llvm::is_contained(prologue.members, use.getOwner());
        });
      llvm::for_each(copy->getResults(), moveReshapes);
    }
    eraseUnusedReshapes(root);
    for (Operation *member : llvm::reverse(prologue.members))
      if (member->use_empty())
        member->erase();
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
