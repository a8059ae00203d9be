#include "LibraryProduct.h"
#include "ResultOrder.h"
#include "SplitFactors.h"

#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_PACKPRODUCTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-pack-products"

using namespace mlir;

/// The fewest multiplications that are worth a copy of a factor.
static constexpr int64_t kLeast = int64_t(1) << 20;

static bool mayHaveLeast(linalg::LinalgOp contraction) {
  int64_t all = 1;
  for (int64_t size : contraction.getStaticLoopRanges())
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(all, size, all))
      return true;
  return all >= kLeast;
}

namespace {
/// The loops of a contraction by their roles in it, in the order of its result, terms in that of
/// the first factor.
struct Roles {
  SmallVector<unsigned> batch, rows, columns, terms;
};
} // namespace

/// The loops that a map reads, in the order of its results.
static SmallVector<unsigned> loopsIn(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr part) {
      auto loop = dyn_cast<AffineDimExpr>(part);
      if (loop && !llvm::is_contained(loops, loop.getPosition()))
        loops.push_back(loop.getPosition());
    });
  return loops;
}

/// Nothing if a loop is of none of these.
static std::optional<Roles> rolesOf(ArrayRef<AffineMap> maps) {
  Roles loops;
  std::optional<SmallVector<unsigned>> outLoops = forge::loopsOf(maps[2]);
  if (!outLoops)
    return std::nullopt;
  for (unsigned loop : *outLoops) {
    bool inLeft = maps[0].isFunctionOfDim(loop), inRight = maps[1].isFunctionOfDim(loop);
    if (!inLeft && !inRight)
      return std::nullopt;
    (inLeft && inRight ? loops.batch : inLeft ? loops.rows : loops.columns).push_back(loop);
  }
  for (unsigned loop : loopsIn(maps[0]))
    if (!maps[2].isFunctionOfDim(loop)) {
      if (!maps[1].isFunctionOfDim(loop))
        return std::nullopt;
      loops.terms.push_back(loop);
    }
  size_t all = loops.batch.size() + loops.rows.size() + loops.columns.size() + loops.terms.size();
  return all == maps[0].getNumDims() ? std::optional(loops) : std::nullopt;
}

/// Of a map's results, those loops in the order of `wanted`, as numbers of the results.
static SmallVector<unsigned> orderOf(AffineMap map, ArrayRef<unsigned> wanted) {
  SmallVector<unsigned> loops = *forge::loopsOf(map), order;
  for (unsigned loop : wanted)
    if (auto *found = llvm::find(loops, loop); found != loops.end())
      order.push_back(static_cast<unsigned>(found - loops.begin()));
  return order;
}

/// A copy of what `loops` read of `value` by `map`, a dimension a loop: windows become patches.
/// `sizes` are those of all loops; one that is not known reads a dimension alone.
static Value copyByLoops(OpBuilder &builder, Location loc, Value value, AffineMap map,
                         ArrayRef<unsigned> loops, ArrayRef<int64_t> sizes) {
  SmallVector<AffineExpr> places(map.getNumDims(), builder.getAffineConstantExpr(0));
  SmallVector<OpFoldResult> extents;
  for (auto [place, loop] : llvm::enumerate(loops)) {
    places[loop] = builder.getAffineDimExpr(place);
    if (!ShapedType::isDynamic(sizes[loop])) {
      extents.push_back(builder.getIndexAttr(sizes[loop]));
      continue;
    }
    std::optional<unsigned> dim = map.getResultPosition(builder.getAffineDimExpr(loop));
    extents.push_back(tensor::getMixedSize(builder, loc, value, *dim));
  }
  unsigned rank = loops.size();
  SmallVector<AffineMap> maps = {map.replaceDimsAndSymbols(places, {}, rank, 0),
                                 builder.getMultiDimIdentityMap(rank)};
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, getElementTypeOrSelf(value.getType()));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), value, empty, maps, iterators,
                                   [](OpBuilder &inside, Location where, ValueRange values) {
                                     linalg::YieldOp::create(inside, where, values.front());
                                   })
      .getResult(0);
}

/// A copy of `value` with dimension `order[i]` as the i-th one.
static Value copyInOrder(OpBuilder &builder, Location loc, Value value, ArrayRef<unsigned> order) {
  auto type = cast<RankedTensorType>(value.getType());
  return copyByLoops(builder, loc, value, builder.getMultiDimIdentityMap(type.getRank()), order,
                     type.getShape());
}

/// Has an elementwise operation that only `copy` reads write its results where the copy has them,
/// so that they are written once.
static void fuseMaker(linalg::GenericOp copy) {
  OpOperand *source = copy.getDpsInputOperand(0);
  auto maker = source->get().getDefiningOp<linalg::GenericOp>();
  if (!maker || maker->getNumResults() != 1 || !maker->hasOneUse() ||
      !copy.getMatchingIndexingMap(source).isPermutation() || !forge::shouldFuseProducer(source) ||
      !linalg::areElementwiseOpsFusable(source))
    return;
  IRRewriter rewriter(copy);
  FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, source);
  if (failed(fused))
    return;
  rewriter.replaceOp(copy, fused->fusedOp->getResults());
  rewriter.eraseOp(maker);
}

/// The factor that is read by windows, if its patches are worth a copy: 0 or 1.
static std::optional<unsigned> windowsOf(linalg::LinalgOp contraction, const Roles &loops) {
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return std::nullopt;
  auto sizeOf = [&](ArrayRef<unsigned> of) {
    int64_t all = 1;
    for (unsigned loop : of)
      all = llvm::SaturatingMultiply<uint64_t>(all, sizes[loop]);
    return all;
  };
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  std::optional<unsigned> found;
  for (unsigned number : {0u, 1u}) {
    if (maps[number].isProjectedPermutation())
      continue;
    if (found || sizeOf(number == 0 ? loops.columns : loops.rows) < forge::kPatchUses)
      return std::nullopt;
    found = number;
  }
  return found;
}

namespace {
/// Copies of factors, and an order of the result, in which a contraction is taken.
struct Packing {
  bool isCopied[2] = {false, false};
  bool isOrdered = false;
  /// Whether it stays where neither `wgmma` nor the library takes it: `tiles` does.
  bool isKept = false;
};

/// For each contraction of two factors, from zeros, with enough multiplications:
/// 1. If strategy wgmma or the vendor's library takes it as it is, nothing is done.
/// 2. Else, of these the first with which one of them does: a copy of one factor, of both; the
///    result as [batch, rows, columns], alone or with such copies.
/// 3. A factor is copied to [batch, rows or columns, terms], by what makes its elements if nothing
///    else reads them. Whoever reads a result in another order is elementwise, and reads it in that
///    order, or a copy does.
/// 4. A factor that is read by windows is always copied, as patches: no other strategy than
///    `generic` reads windows then. Where f32 factors are worth being split into pieces, strategy
///    wgmma reads windows of those. They keep what is side by side in the factor innermost, and the
///    batch next to it.
struct PackProductsPass : public forge::impl::PackProductsPassBase<PackProductsPass> {
  using PackProductsPassBase::PackProductsPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    chip = forge::findChip(chipName);
    if (!chipName.empty() && !chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    std::optional<forge::LibraryUse> found = forge::parseLibraryUse(getOperation(), library);
    if (!found)
      return signalPassFailure();
    use = *found;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && !op->hasAttr(forge::kClusterAttr) &&
          forge::isSumOfProducts(op) && mayHaveLeast(op))
        contractions.push_back(op);
    });
    for (linalg::LinalgOp contraction : contractions)
      if (!isTaken(contraction))
        pack(contraction);
  }

  bool isTaken(linalg::LinalgOp contraction) const {
    if (use.isAsked())
      if (auto product = forge::matchProduct(contraction, linalg::GenericOp());
          product && forge::mayHave(*product, use.least))
        return true;
    auto product = chip ? forge::matchWgmma({contraction}, linalg::GenericOp()) : std::nullopt;
    return product && forge::takesProduct(*product, *chip);
  }

  void pack(linalg::LinalgOp contraction) const {
    std::optional<Roles> loops = rolesOf(contraction.getIndexingMapsArray());
    if (!loops)
      return;
    std::optional<unsigned> windows;
    if (!llvm::all_of(contraction.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); })) {
      windows = windowsOf(contraction, *loops);
      // Pieces of f32 numbers are read by windows as well.
      if (!windows || (chip && forge::FactorSplitter(*chip).isWorth(contraction)))
        return;
    }
    for (bool isOrdered : {false, true})
      for (Packing packing : {Packing{{false, false}, isOrdered}, Packing{{true, false}, isOrdered},
                              Packing{{false, true}, isOrdered}, Packing{{true, true}, isOrdered}})
        if ((!windows || packing.isCopied[*windows]) && apply(contraction, *loops, packing))
          return;
    if (windows)
      apply(contraction, *loops, Packing{{*windows == 0, *windows == 1}, false, /*isKept=*/true});
  }

  /// The loops of a copy of factor `number`, the outermost first.
  static SmallVector<unsigned> wantedLoops(linalg::LinalgOp contraction, const Roles &loops,
                                           const Packing &packing, unsigned number) {
    SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
    SmallVector<unsigned> own(number == 0 ? loops.rows : loops.columns), terms;
    // One copied factor has the terms as the other one has them.
    if (packing.isCopied[1 - number])
      terms = loops.terms;
    else
      llvm::copy_if(loopsIn(maps[1 - number]), std::back_inserter(terms),
                    [&](unsigned loop) { return llvm::is_contained(loops.terms, loop); });
    SmallVector<unsigned> wanted(loops.batch);
    if (maps[number].isProjectedPermutation() ||
        llvm::is_contained(loops.batch, loopsIn(maps[number]).back())) {
      llvm::append_range(wanted, own);
      llvm::append_range(wanted, terms);
      return wanted;
    }
    bool isTermInner = llvm::is_contained(terms, loopsIn(maps[number]).back());
    wanted = isTermInner ? own : terms;
    llvm::append_range(wanted, loops.batch);
    llvm::append_range(wanted, isTermInner ? terms : own);
    return wanted;
  }

  /// Leaves everything as it was, and says false, if nothing takes the contraction then.
  bool apply(linalg::LinalgOp contraction, const Roles &loops, const Packing &packing) const {
    OpBuilder builder(contraction);
    Location loc = contraction.getLoc();
    SmallVector<Value> factors = contraction.getDpsInputs();
    SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
    Operation *before = contraction->getPrevNode();
    // 1. The copies.
    SmallVector<linalg::GenericOp, 2> copies;
    for (unsigned number : {0u, 1u}) {
      if (!packing.isCopied[number])
        continue;
      SmallVector<unsigned> wanted = wantedLoops(contraction, loops, packing, number);
      factors[number] = copyByLoops(builder, loc, factors[number], maps[number], wanted,
                                    contraction.getStaticLoopRanges());
      copies.push_back(factors[number].getDefiningOp<linalg::GenericOp>());
      SmallVector<AffineExpr> exprs = llvm::map_to_vector(
          wanted, [&](unsigned loop) { return builder.getAffineDimExpr(loop); });
      maps[number] = AffineMap::get(maps[number].getNumDims(), 0, exprs, builder.getContext());
    }
    // 2. The result.
    SmallVector<unsigned> wanted(*forge::loopsOf(maps.back()));
    if (packing.isOrdered) {
      wanted = loops.batch;
      llvm::append_range(wanted, loops.rows);
      llvm::append_range(wanted, loops.columns);
    }
    SmallVector<unsigned> order = orderOf(maps.back(), wanted);
    linalg::GenericOp made =
        forge::remakeContraction(contraction, factors, ArrayRef(maps).drop_back(), order);
    // 3. Is it taken now?
    if (!packing.isKept && !isTaken(made)) {
      for (Operation *op = contraction->getPrevNode(); op != before;) {
        Operation *next = op->getPrevNode();
        op->erase();
        op = next;
      }
      return false;
    }
    Value result = made.getResult(0);
    if (!llvm::is_sorted(order)) {
      builder.setInsertionPointAfter(made);
      result = copyInOrder(builder, loc, result, forge::inverseOrder(order));
    }
    contraction->replaceAllUsesWith(ValueRange(result));
    contraction->erase();
    llvm::for_each(copies, fuseMaker);
    return true;
  }

  const forge::GPUChip *chip = nullptr;
  forge::LibraryUse use;
};
} // namespace
