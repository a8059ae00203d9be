// Tiling of a cluster of rows into one loop.
#include "RowCluster.h"

#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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

} // namespace

/// 1. Tile the root along its row dimensions into one scf.forall.
/// 2. Compute each member, the last first, at the slices that the loop reads. Equal slices are
///    merged first, so that nothing is computed twice. Members with other uses become results of
///    the loop.
/// 3. Move fills of accumulators into the loop.
FailureOr<scf::ForallOp> tileCluster(RewriterBase &rewriter, RowCluster cluster,
                                     ArrayRef<int64_t> tile) {
  auto options = scf::SCFTilingOptions().setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), tile));
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
  return loop;
}

LogicalResult foldTemporaries(Operation *op) {
  MLIRContext *context = op->getContext();
  RewritePatternSet patterns(context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  scf::ForallOp::getCanonicalizationPatterns(patterns, context);
  if (failed(applyPatternsGreedily(op, std::move(patterns))))
    return failure();
  IRRewriter rewriter(context);
  mergeEqualOperations(rewriter, op);
  return success();
}

} // namespace forge
