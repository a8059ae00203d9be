// One element of what an elementwise operation computes, computed where it is wanted.
#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge {
namespace {

/// True if an element of `producer` can be computed by itself: from elements of its inputs.
bool isElementwise(linalg::GenericOp producer) {
  auto plain = [](AffineMap map) { return map.isProjectedPermutation(); };
  Block &body = *producer.getBody();
  return producer.hasPureTensorSemantics() && producer.getNumReductionLoops() == 0 &&
         llvm::all_of(producer.getIndexingMapsArray(), plain) && isCheapToRepeat(producer) &&
         llvm::all_of(producer.getRegionOutputArgs(),
                      [](BlockArgument argument) { return argument.use_empty(); }) &&
         llvm::all_of(body.without_terminator(), [](Operation &op) {
           return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
         });
}

/// tensor.extract, in the body of an operation, of a result of a cheap elementwise linalg.generic:
/// the body of that on elements that are
/// extracted from its inputs. Nothing then needs the whole result (the logit of the target, under
/// the conversion of all logits).
struct ExtractOfElementwise : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp extract,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(extract.getTensor());
    auto producer = result ? dyn_cast<linalg::GenericOp>(result.getOwner()) : linalg::GenericOp();
    if (!producer || !isElementwise(producer))
      return rewriter.notifyMatchFailure(extract, "expected a cheap elementwise producer");
    // What the host reads, it reads once.
    if (!isa<linalg::LinalgOp>(extract->getParentOp()))
      return rewriter.notifyMatchFailure(extract, "expected a body of an operation");
    Operation *consumer = producer->getBlock()->findAncestorOpInBlock(*extract);
    if (!consumer || wouldReadOverwritten(producer, consumer))
      return rewriter.notifyMatchFailure(extract, "an input is overwritten in between");
    AffineMap written =
        producer.getMatchingIndexingMap(producer.getDpsInitOperand(result.getResultNumber()));
    if (!written.isPermutation())
      return rewriter.notifyMatchFailure(extract, "expected a result with all loops");
    SmallVector<Value> loops(producer.getNumLoops());
    for (auto [expr, index] : llvm::zip_equal(written.getResults(), extract.getIndices()))
      loops[cast<AffineDimExpr>(expr).getPosition()] = index;
    rewriter.replaceOp(
        extract, elementAt(producer, result.getResultNumber(), loops, extract.getLoc(), rewriter));
    return success();
  }

  static Value elementAt(linalg::GenericOp producer, unsigned result, ArrayRef<Value> loops,
                         Location loc, PatternRewriter &rewriter) {
    IRMapping mapping;
    for (OpOperand *input : producer.getDpsInputOperands()) {
      BlockArgument argument = producer.getMatchingBlockArgument(input);
      if (argument.use_empty())
        continue;
      Value value = input->get();
      if (isa<RankedTensorType>(value.getType())) {
        SmallVector<Value> place;
        for (AffineExpr expr : producer.getMatchingIndexingMap(input).getResults())
          place.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
        value = tensor::ExtractOp::create(rewriter, loc, value, place);
      }
      mapping.map(argument, value);
    }
    for (Operation &op : producer.getBody()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(op))
        mapping.map(index.getResult(), loops[index.getDim()]);
      else
        rewriter.clone(op, mapping);
    }
    return mapping.lookupOrDefault(producer.getBody()->getTerminator()->getOperand(result));
  }
};

} // namespace

void populateExtractOfElementwisePatterns(RewritePatternSet &patterns) {
  patterns.add<ExtractOfElementwise>(patterns.getContext());
}

} // namespace forge
