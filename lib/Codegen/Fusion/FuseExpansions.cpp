// What makes much of little is computed where it is read.
#include "Expansions.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_FUSEEXPANSIONSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fuse-expansions"

using namespace mlir;

namespace {

/// Elements of a part of a table of constants that becomes a constant, at most.
constexpr int64_t kMostConstants = 64;

/// 1. Slices of expansions are computed one by one.
/// 2. Expansions are computed in what reads them where that pays.
/// 3. Short reductions whose terms are computed are unrolled, and may be expansions then.
/// 4. What this has brought together is fused; again, while something changes.
struct FuseExpansionsPass : public forge::impl::FuseExpansionsPassBase<FuseExpansionsPass> {
  LogicalResult fuse() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    forge::populateFuseElementwisePatterns(patterns);
    tensor::populateFoldConstantExtractSlicePatterns(patterns, [](tensor::ExtractSliceOp slice) {
      return slice.getType().hasStaticShape() && slice.getType().getNumElements() <= kMostConstants;
    });
    tensor::ExtractOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     GreedyRewriteConfig().setUseTopDownTraversal(true))))
      return failure();
    IRRewriter rewriter(context);
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    return success();
  }

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    constexpr int kMostRounds = 4;
    for (int round = 0; round < kMostRounds; ++round) {
      bool changed = forge::computeSlicesOfExpansions(getOperation());
      changed |= forge::repeatExpansions(getOperation());
      changed |= forge::unrollReductions(getOperation());
      if (!changed)
        return;
      if (failed(fuse()))
        return signalPassFailure();
    }
  }
};

} // namespace
