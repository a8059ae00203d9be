#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_SINKRESHAPESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-sink-reshapes"

using namespace mlir;

static bool isReshape(Operation *op) {
  return op && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// Whether `value` is the result of a product of two factors, perhaps reshaped, that has no other
/// use on the way.
static bool isOfProduct(Value value) {
  while (isReshape(value.getDefiningOp()) && value.hasOneUse())
    value = value.getDefiningOp()->getOperand(0);
  auto product = value.getDefiningOp<linalg::LinalgOp>();
  return product && value.hasOneUse() && product.getNumReductionLoops() > 0 &&
         product.getNumDpsInputs() == 2 && product->getNumRegions() == 1 &&
         forge::addsProduct(product->getRegion(0).front());
}

/// Whether each element of the result is computed from the element at the same place of the one
/// input, and from nothing else.
static bool isOfOneElement(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() == 0 && !op.hasIndexSemantics() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }) &&
         op.getRegionOutputArgs().front().use_empty() &&
         llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); });
}

namespace {
/// elementwise(reshape(product)) becomes reshape(elementwise(product)).
struct SinkReshape : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!isOfOneElement(op))
      return rewriter.notifyMatchFailure(op, "not of one element");
    Value input = op.getDpsInputs().front();
    Operation *reshape = input.getDefiningOp();
    if (!isReshape(reshape) || !isOfProduct(input))
      return rewriter.notifyMatchFailure(op, "no reshape of a product's result");
    Value source = reshape->getOperand(0);
    auto from = cast<RankedTensorType>(source.getType());
    auto to = cast<RankedTensorType>(op.getResultTypes().front());
    if (!from.hasStaticShape() || !to.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "sizes known at run time only");
    Location loc = op.getLoc();
    auto type = RankedTensorType::get(from.getShape(), to.getElementType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    AffineMap map = rewriter.getMultiDimIdentityMap(static_cast<unsigned>(from.getRank()));
    SmallVector<utils::IteratorType> loops(static_cast<size_t>(from.getRank()),
                                           utils::IteratorType::parallel);
    auto moved = linalg::GenericOp::create(rewriter, loc, type, source, empty,
                                           ArrayRef<AffineMap>{map, map}, loops);
    rewriter.inlineRegionBefore(op.getRegion(), moved.getRegion(), moved.getRegion().begin());
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape))
      rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, to, moved.getResult(0),
                                                         expand.getReassociationIndices());
    else
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
          op, to, moved.getResult(0),
          cast<tensor::CollapseShapeOp>(reshape).getReassociationIndices());
    return success();
  }
};

struct SinkReshapesPass : public forge::impl::SinkReshapesPassBase<SinkReshapesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkReshape>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
