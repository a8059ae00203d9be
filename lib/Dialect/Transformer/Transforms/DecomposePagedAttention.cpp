// Attention over pages as operations that have gradients.
#include "GradientBuilders.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// 1. The pool as a table with a row per page, [P, Hkv * R * D].
/// 2. The pages of every sequence, by an embedding of its block table, which holds entries inside
///    the pool as the operation does. Its gradient adds up what sequences that share a page give to
///    it.
/// 3. Rows as keys again, [B, Hkv, M * R, D].
/// 4. Attention over them; what is beyond a length is never used.
struct DecomposePagedAttention : OpRewritePattern<PagedAttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PagedAttentionOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value keys = gathered(b, op.getKeyPages(), op.getBlockTable());
    Value values = gathered(b, op.getValuePages(), op.getBlockTable());
    auto attention = AttentionOp::create(
        b, op.getResult().getType(), op.getLse() ? op.getLse().getType() : Type(), op.getQuery(),
        keys, values, /*mask=*/Value(), op.getLengths(), op.getOffsets(), op.getSinks(),
        op.getScaleAttr(), op.getCausalAttr(), op.getWindowAttr(), op.getSoftCapAttr(),
        op.getAccumulateAttr(), op.getWeightsAttr());
    rewriter.inlineRegionBefore(op.getScore(), attention.getScore(), attention.getScore().end());
    rewriter.replaceOp(op, attention.getResults());
    return success();
  }

  static Value gathered(ImplicitLocOpBuilder &b, Value pages, Value table) {
    auto collapse = [&](Value value, ArrayRef<ReassociationIndices> groups) -> Value {
      return tensor::CollapseShapeOp::create(b, value, groups);
    };
    Value rows = collapse(pages, {{0}, {1, 2, 3}});
    SmallVector<int64_t> shape(typeOf(table).getShape());
    shape.push_back(typeOf(rows).getDimSize(1));
    Value found = EmbeddingOp::create(b, typeOf(rows).clone(shape), rows, table);
    shape.pop_back();
    llvm::append_range(shape, typeOf(pages).getShape().drop_front());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), table);
    llvm::append_range(sizes, ArrayRef(tensor::getMixedSizes(b, b.getLoc(), pages)).drop_front());
    Value split = expandTo(b, found, typeOf(pages).clone(shape), {{0}, {1}, {2, 3, 4}}, sizes);
    return collapse(transpose(b, split, {0, 2, 1, 3, 4}), {{0}, {1}, {2, 3}, {4}});
  }
};

} // namespace

void populateDecomposePagedAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposePagedAttention>(patterns.getContext());
}

} // namespace forge::transformer
