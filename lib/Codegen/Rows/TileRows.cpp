// Tiling of row clusters.
#include "RowCluster.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

namespace forge {
#define GEN_PASS_DEF_TILEROWSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-tile-rows"

using namespace mlir;

namespace forge {
namespace {

/// The slices of results of `producer` that the loop body reads.
SmallVector<tensor::ExtractSliceOp> slicesInLoop(Operation *producer, LoopLikeOpInterface loop) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (Operation *user : producer->getUsers())
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
      if (loop->isProperAncestor(slice))
        slices.push_back(slice);
  return slices;
}

void mergeEqualOperations(RewriterBase &rewriter, Operation *op) {
  DominanceInfo dominance(op);
  eliminateCommonSubExpressions(rewriter, dominance, op);
}

/// True for a use after the loop. A producer that could not be moved is still before it, and
/// keeps what it reads.
bool isAfter(Operation *user, LoopLikeOpInterface loop) {
  Operation *ancestor = loop->getBlock()->findAncestorOpInBlock(*user);
  return ancestor && loop->isBeforeInBlock(ancestor);
}

/// Computes `producer` inside the loop, tile by tile; its results that are used afterwards become
/// results of the loop, all at once. Returns true if it was moved. Two slices of one result that
/// still differ are left alone: computing both would repeat work.
bool fuseIntoLoop(RewriterBase &rewriter, linalg::LinalgOp producer,
                  SmallVector<LoopLikeOpInterface> &loops) {
  SmallVector<tensor::ExtractSliceOp> slices = slicesInLoop(producer, loops.front());
  llvm::SmallDenseSet<Value> sources;
  for (tensor::ExtractSliceOp slice : slices)
    if (!sources.insert(slice.getSource()).second)
      return false;
  SmallVector<unsigned> needed;
  if (!isa<linalg::FillOp>(producer.getOperation()))
    for (OpResult result : producer->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return isAfter(user, loops.front()); }))
        needed.push_back(result.getResultNumber());
  for (auto [index, slice] : llvm::enumerate(slices)) {
    auto fused = scf::tileAndFuseProducerOfSlice(rewriter, slice, loops);
    if (!fused)
      return false;
    if (index > 0 || needed.empty())
      continue;
    if (failed(scf::yieldReplacementForFusedProducer(rewriter, slice, *fused, loops, needed)))
      return false;
    auto replacements = loops.front()->getResults().take_back(needed.size());
    for (auto [number, replacement] : llvm::zip_equal(needed, replacements))
      rewriter.replaceUsesWithIf(producer->getResult(number), replacement, [&](OpOperand &use) {
        return isAfter(use.getOwner(), loops.front());
      });
  }
  for (tensor::ExtractSliceOp slice : slices)
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return true;
}

/// A fill of a whole result before the loop becomes a fill of each tile inside it.
void moveFillsIntoLoop(RewriterBase &rewriter, scf::ForallOp loop) {
  for (auto [init, argument] :
       llvm::zip_equal(loop.getOutputsMutable(), loop.getRegionIterArgs())) {
    auto fill = init.get().getDefiningOp<linalg::FillOp>();
    if (!fill)
      continue;
    for (Operation *user : llvm::to_vector(argument.getUsers())) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!slice)
        continue;
      rewriter.setInsertionPointAfter(slice);
      auto tile = linalg::FillOp::create(rewriter, fill.getLoc(), fill.getInputs(),
                                         ValueRange{slice.getResult()});
      rewriter.replaceAllUsesExcept(slice, tile.getResult(0), tile);
    }
    rewriter.modifyOpInPlace(loop, [&] { init.set(fill.getOutputs()[0]); });
    if (fill->use_empty())
      rewriter.eraseOp(fill);
  }
}

/// 1. Tile the root along its row dimensions into one scf.forall.
/// 2. Backwards through the members, compute each at the slices the loop reads; equal slices are
///    merged first, so that nothing is computed twice. What is used elsewhere too is returned by
///    the loop.
/// 3. Move fills of accumulators into the loop.
/// 4. Fold the slices of empty tensors: the temporaries then are as small as a tile.
struct TileRows : impl::TileRowsPassBase<TileRows> {
  LogicalResult tileCluster(RewriterBase &rewriter, RowCluster cluster, ScheduleAttr schedule) {
    auto options = scf::SCFTilingOptions().setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
    options.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), tileOf(schedule)));
    rewriter.setInsertionPoint(cluster.root);
    cluster.root->removeDiscardableAttr(kScheduleAttr);
    auto tiled =
        scf::tileUsingSCF(rewriter, cast<TilingInterface>(cluster.root.getOperation()), options);
    if (failed(tiled))
      return cluster.root.emitOpError("cannot be tiled by rows");
    rewriter.replaceOp(cluster.root, tiled->replacements);
    SmallVector<LoopLikeOpInterface> loops = tiled->loops;
    for (linalg::LinalgOp member : llvm::reverse(cluster.members)) {
      mergeEqualOperations(rewriter, loops.front());
      fuseIntoLoop(rewriter, member, loops);
    }
    auto loop = cast<scf::ForallOp>(loops.front().getOperation());
    moveFillsIntoLoop(rewriter, loop);
    mergeEqualOperations(rewriter, loop);
    loop->setDiscardableAttr(kScheduleAttr, schedule);
    return success();
  }

  LogicalResult tileScheduled(RewriterBase &rewriter, Block &block) {
    SmallVector<linalg::LinalgOp> roots;
    for (Operation &op : llvm::reverse(block))
      if (auto root = dyn_cast<linalg::LinalgOp>(op); root && root->hasAttr(kScheduleAttr))
        roots.push_back(root);
    for (linalg::LinalgOp root : roots) {
      ScheduleAttr schedule = getSchedule(root);
      if (schedule.strategy() != "rows") {
        if (!schedule.strategy().empty() && !isContractionStrategy(schedule.strategy()))
          return emitScheduleError(root, "expected strategy rows, packed, stream or dot, but got '")
                 << schedule.strategy() << "'";
        // Used once there are buffers; of another form it is refused now.
        if (failed(checkContractionFields(root, schedule)))
          return failure();
        continue;
      }
      if (failed(checkSchedule(root, schedule)))
        return failure();
      SmallVector<unsigned> rowDims;
      for (auto [dim, size] : llvm::enumerate(tileOf(schedule)))
        if (size != 0)
          rowDims.push_back(dim);
      if (failed(tileCluster(rewriter, growCluster(root, rowDims), schedule)))
        return failure();
    }
    return success();
  }

  static ArrayRef<int64_t> tileOf(ScheduleAttr schedule) { return *schedule.findSizes("tile"); }

  LogicalResult checkSchedule(linalg::LinalgOp root, ScheduleAttr schedule) {
    if (failed(checkFields(root, schedule, "rows", StringLiteral("tile"))))
      return failure();
    if (!isRowOp(root))
      return emitScheduleError(root, "strategy 'rows' does not tile this operation");
    if (!schedule.has("tile"))
      return emitScheduleError(root, "expected field 'tile' of strategy 'rows', one size per loop");
    if (tileOf(schedule).size() != root.getNumLoops())
      return emitScheduleError(root, "expected ")
             << root.getNumLoops() << " tile sizes, one per loop, but got "
             << tileOf(schedule).size();
    auto types = root.getIteratorTypesArray();
    bool any = false;
    for (auto [size, type] : llvm::zip_equal(tileOf(schedule), types)) {
      if (size > 0 && !linalg::isParallelIterator(type))
        return emitScheduleError(root, "expected tile size 0 for a reduction loop, but got ")
               << size;
      any |= size > 0;
    }
    if (!any)
      return emitScheduleError(root, "expected a tile size above 0 for some loop");
    return success();
  }

  LogicalResult foldTemporaries() {
    RewritePatternSet patterns(&getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    scf::ForallOp::getCanonicalizationPatterns(patterns, &getContext());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Operation *op) {
      if (op->hasAttr(kScheduleAttr) && isa<linalg::LinalgOp>(op) &&
          !llvm::is_contained(blocks, op->getBlock()))
        blocks.push_back(op->getBlock());
    });
    if (blocks.empty())
      return;
    for (Block *block : blocks)
      if (failed(tileScheduled(rewriter, *block)))
        return signalPassFailure();
    if (failed(foldTemporaries()))
      return signalPassFailure();
    mergeEqualOperations(rewriter, getOperation());
  }
};

} // namespace
} // namespace forge
