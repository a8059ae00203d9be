// The pass: every transformer operation to linalg.
#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/TransformerToLinalg/Passes.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/Transformer/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/DialectConversion.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTTRANSFORMERTOLINALGPASS
#include "forge/Conversion/TransformerToLinalg/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "convert-transformer-to-linalg"

using namespace mlir;

namespace forge {
namespace {

/// An operation whose results have no elements, no matter what is dynamic, reads nothing: slices of
/// dimensions of size 0, which lowerings would emit, do not verify.
struct LowerEmpty : RewritePattern {
  LowerEmpty(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto shaped = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
    bool isEmpty = llvm::all_of(op->getResultTypes(), [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && llvm::is_contained(tensor.getShape(), 0);
    });
    if (!isa_and_nonnull<transformer::TransformerDialect>(op->getDialect()) || !shaped || !isEmpty)
      return failure();
    ReifiedRankedShapedTypeDims shapes;
    if (failed(shaped.reifyResultShapes(rewriter, shapes)))
      return failure();
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    SmallVector<Value> results;
    for (auto [type, shape] : llvm::zip_equal(op->getResultTypes(), shapes))
      results.push_back(
          castTo(b, tensor::EmptyOp::create(b, shape, getElementTypeOrSelf(type)), type));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The builders' tensors of one number. As a fill it joins the fusion and is a kernel's.
struct LowerSplat : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::SplatOp op, PatternRewriter &rewriter) const override {
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), op.getType(), op.getDynamicSizes());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
    return success();
  }
};

/// 1. Sizes that only a run tells are checked.
/// 2. Nothing of the dialect may stay.
/// 3. tensor.concat, which does not bufferize, becomes insertions of slices; tensor.splat a fill.
/// 4. Everything else is legal: modules mix it with other dialects.
struct ConvertTransformerToLinalg
    : impl::ConvertTransformerToLinalgPassBase<ConvertTransformerToLinalg> {
  using ConvertTransformerToLinalgPassBase::ConvertTransformerToLinalgPassBase;
  void runOnOperation() override {
    insertGradientSizeChecks(getOperation());
    ConversionTarget target(getContext());
    target.addIllegalDialect<transformer::TransformerDialect>();
    // A region's yield goes with the operation that the region belongs to.
    target.addLegalOp<transformer::YieldOp>();
    target.addIllegalOp<tensor::ConcatOp, tensor::SplatOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(&getContext());
    populateTransformerToLinalgPatterns(patterns, hostLoops, chunkedSorts);
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    patterns.add<LowerSplat>(&getContext());
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))) ||
        failed(checkResultSizes(getOperation())))
      signalPassFailure();
  }
};

} // namespace

void populateTransformerToLinalgPatterns(RewritePatternSet &patterns, bool hostLoops,
                                         bool chunkedSorts) {
  SortForm form = chunkedSorts ? SortForm::Chunked : SortForm::Sequential;
  patterns.add<LowerEmpty>(patterns.getContext());
  populateActivationPatterns(patterns);
  populateAttentionGradPatterns(patterns);
  populateAttentionPatterns(patterns);
  populateElementwiseGradPatterns(patterns, form);
  if (hostLoops)
    populateGroupedMatmulPatterns(patterns);
  populateGroupedMatmulByIndexPatterns(patterns);
  populateGroupedOuterPatterns(patterns);
  populateKvAppendGradPatterns(patterns);
  populateKvAppendPatterns(patterns, /*byElement=*/!hostLoops);
  populateMatmulPatterns(patterns);
  populateNormalizationGradPatterns(patterns);
  populateNormalizationPatterns(patterns);
  populatePagedAttentionPatterns(patterns);
  populateQuantizationPatterns(patterns);
  populateRopePatterns(patterns);
  populateRoutingPatterns(patterns, form);
  populateSamplePatterns(patterns, form);
  populateSelectionGradPatterns(patterns);
  populateSelectionPatterns(patterns, form);
  // Blocks become products first, which then are lowered.
  populateTransformerDecomposeBlockPatterns(patterns);
}

} // namespace forge
