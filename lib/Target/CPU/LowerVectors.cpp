#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"

#define DEBUG_TYPE "forge-lower-vectors"

namespace forge {
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

namespace {
struct LowerVectorsPass : public forge::impl::LowerVectorsPassBase<LowerVectorsPass> {
  void runOnOperation() override {
    // Most functions have no vectors: nothing to build patterns for.
    bool found = false;
    getOperation()->walk([&](Operation *op) {
      found = isa_and_nonnull<vector::VectorDialect>(op->getDialect());
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found)
      return;
    RewritePatternSet patterns(&getContext());
    vector::populateVectorBitCastLoweringPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorContractLoweringPatterns(patterns,
                                                   vector::VectorContractLowering::OuterProduct);
    vector::populateVectorGatherLoweringPatterns(patterns);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    // Indices of 64 bits: a row may be longer than 32 say.
    vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/false);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerReduction);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorRankReducingFMAPattern(patterns);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorToVectorCanonicalizationPatterns(patterns);
    vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
    vector::populateVectorTransposeLoweringPatterns(patterns,
                                                    vector::VectorTransposeLowering::Shuffle16x16);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
