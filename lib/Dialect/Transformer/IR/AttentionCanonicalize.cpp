// What attention operations are rewritten to without changing any result.
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// A log-sum-exp that nothing reads is not computed.
template <typename Op> struct DropUnusedLse : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getLse() || !op.getLse().use_empty())
      return rewriter.notifyMatchFailure(op, "its lse is used, or there is none");
    OperationState state(op.getLoc(), op->getName());
    state.addOperands(op->getOperands());
    state.addTypes(op.getResult().getType());
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    Region *score = state.addRegion();
    rewriter.inlineRegionBefore(op.getScore(), *score, score->end());
    Operation *smaller = rewriter.create(state);
    rewriter.replaceAllUsesWith(op.getResult(), smaller->getResult(0));
    rewriter.eraseOp(op);
    return success();
  }
};

/// A single query at the last key sees all of them.
template <typename Op> struct DropCausality : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getCausal() || op.getOffsets() || op.getQuery().getType().getDimSize(2) != 1)
      return rewriter.notifyMatchFailure(op, "it is not one query at the last key");
    rewriter.modifyOpInPlace(op, [&] { op.removeCausalAttr(); });
    return success();
  }
};

/// A region that yields the score it is given does nothing.
template <typename Op> struct DropScore : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (op.getScore().empty())
      return rewriter.notifyMatchFailure(op, "it has no score region");
    Block &block = op.getScore().front();
    if (block.getTerminator()->getOperand(0) != block.getArgument(0))
      return rewriter.notifyMatchFailure(op, "its score region changes scores");
    rewriter.modifyOpInPlace(op, [&] { rewriter.eraseBlock(&block); });
    return success();
  }
};

/// A window that reaches from the first query to the last key hides nothing.
struct DropWindow : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    int64_t queries = op.getQuery().getType().getDimSize(2), keys = op.getNumKeys();
    bool isKnown = !ShapedType::isDynamic(queries) && !ShapedType::isDynamic(keys);
    if (!op.getWindow() || op.getOffsets() || !isKnown ||
        static_cast<int64_t>(*op.getWindow()) < std::max(queries, keys))
      return rewriter.notifyMatchFailure(op, "its window may hide keys");
    rewriter.modifyOpInPlace(op, [&] { op.removeWindowAttr(); });
    return success();
  }
};

/// A mask that is true, or zero, everywhere.
struct DropMask : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    if (!op.getMask() ||
        !(matchPattern(op.getMask(), m_AnyZeroFloat()) || matchPattern(op.getMask(), m_One())))
      return rewriter.notifyMatchFailure(op, "its mask is not known to do nothing");
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
};

/// Lengths of T or more in all sequences.
struct DropLengths : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    DenseIntElementsAttr lengths;
    int64_t keys = op.getNumKeys();
    if (!op.getLengths() || ShapedType::isDynamic(keys) ||
        !matchPattern(op.getLengths(), m_Constant(&lengths)))
      return rewriter.notifyMatchFailure(op, "its lengths are not known");
    auto isFull = [&](const APInt &length) { return length.getSExtValue() >= keys; };
    // A splat may have any number of elements.
    if (lengths.isSplat() ? !isFull(lengths.getSplatValue<APInt>())
                          : !llvm::all_of(lengths.getValues<APInt>(), isFull))
      return rewriter.notifyMatchFailure(op, "a sequence is shorter than its keys");
    rewriter.modifyOpInPlace(op, [&] { op.getLengthsMutable().clear(); });
    return success();
  }
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropCausality<AttentionOp>, DropLengths, DropMask, DropScore<AttentionOp>,
               DropUnusedLse<AttentionOp>, DropWindow>(context);
}

void PagedAttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add<DropCausality<PagedAttentionOp>, DropScore<PagedAttentionOp>,
               DropUnusedLse<PagedAttentionOp>>(context);
}

} // namespace forge::transformer
