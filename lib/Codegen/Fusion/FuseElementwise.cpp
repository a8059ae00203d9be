// Elementwise fusion on tensors.
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fuse-elementwise"

using namespace mlir;

namespace forge {
namespace {

/// Named operations that compute element by element, or only move data, become linalg.generic;
/// contractions, convolutions and fills keep their names.
struct GeneralizeElementwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "already in the form wanted");
    if (linalg::isaContractionOpInterface(op) || linalg::isaConvolutionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "has a kernel of its own");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// A loop that is known to run no time leaves the outputs as they were. Tiles of it have no size,
/// and slices of dimensions of size 0 do not verify.
struct DropEmptyLoop : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !llvm::is_contained(op.getStaticLoopRanges(), 0))
      return rewriter.notifyMatchFailure(op, "may have something to compute");
    rewriter.replaceOp(op, op.getDpsInits());
    return success();
  }
};

SmallVector<unsigned> unitDimsToDrop(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || linalg::isaContractionOpInterface(generic) ||
      linalg::isaConvolutionOpInterface(generic))
    return {};
  // A window (d0 * 2 + d1) may leave the end of its operand unread; without d0 it would have to
  // read all of it.
  if (!llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation(/*allowZeroInResults=*/true);
      }))
    return {};
  return llvm::to_vector(llvm::seq<unsigned>(0, generic.getNumLoops()));
}

/// 1. Drop unit dimensions: they hide equal iteration spaces, and reshapes that only add them stand
///    between operations.
/// 2. Give every elementwise operation the general form; fuse producers into consumers, moving
///    reshapes out of the way, to a fixed point.
/// 3. Merge equal operations, then siblings over the same tensors; their results may fuse again.
struct FuseElementwise : impl::FuseElementwisePassBase<FuseElementwise> {
  LogicalResult fuse() {
    RewritePatternSet patterns(&getContext());
    populateFuseElementwisePatterns(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns),
                                 GreedyRewriteConfig().setUseTopDownTraversal(true));
  }

  LogicalResult dropUnitDims() {
    linalg::ControlDropUnitDims options;
    options.controlFn = unitDimsToDrop;
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // A reduction over a dimension of one element is elementwise now, and still adds to its init.
    // It must read it as an input: fused into a larger iteration space it would add to it again and
    // again.
    RewritePatternSet cleanup(&getContext());
    linalg::populateMoveInitOperandsToInputPattern(cleanup);
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(cleanup, options);
    return applyPatternsGreedily(getOperation(), std::move(cleanup));
  }

  void mergeEqualOperations() {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  void runOnOperation() override {
    mergeEqualOperations();
    if (failed(dropUnitDims()) || failed(fuse()))
      return signalPassFailure();
    // What fusion has moved together may have unit dimensions in common.
    if (failed(dropUnitDims()) || failed(fuse()))
      return signalPassFailure();
    mergeEqualOperations();
    if (fuseSiblings(getOperation()) && failed(fuse()))
      return signalPassFailure();
    mergeScalarCalls(getOperation());
    mergeEqualOperations();
  }
};

} // namespace

void populateFuseElementwisePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DropEmptyLoop, GeneralizeElementwise>(context);
  populateExtractOfElementwisePatterns(patterns);
  linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuseProducer);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldFuseProducer);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::populateInlineConstantOperandsPatterns(patterns);
  tensor::populateBubbleUpExpandShapePatterns(patterns);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  context->getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(patterns);
}

} // namespace forge
