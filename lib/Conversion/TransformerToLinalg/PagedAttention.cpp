// Attention over pages: the keys and values of every sequence taken out of the pool, then
// attention.
#include "Emit.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// 1. Keys and values, [B, Hkv, M * R, D]: row t of sequence b comes from page table[b, t / R].
/// 2. Rows beyond the sequence's length are zero, since there the table may hold anything.
/// 3. transformer.attention over them, with everything else the operation says.
struct LowerPagedAttention : OpRewritePattern<PagedAttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PagedAttentionOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    assertShapes(b, op);
    Value keys = emitGathered(b, op, op.getKeyPages());
    Value values = emitGathered(b, op, op.getValuePages());
    auto attention = AttentionOp::create(
        b, op.getResult().getType(), op.getLse() ? op.getLse().getType() : Type(), op.getQuery(),
        keys, values, /*mask=*/Value(), op.getLengths(), op.getOffsets(), op.getSinks(),
        op.getScaleAttr(), op.getCausalAttr(), op.getWindowAttr(), op.getSoftCapAttr(),
        op.getAccumulateAttr(), op.getWeightsAttr());
    if (!op.getScore().empty())
      rewriter.cloneRegionBefore(op.getScore(), attention.getScore(), attention.getScore().end());
    rewriter.replaceOp(op, attention.getResults());
    return success();
  }

  /// Ends the run where dynamic sizes do not go together; attention looks at the others.
  static void assertShapes(ImplicitLocOpBuilder &b, PagedAttentionOp op) {
    Location loc = b.getLoc();
    checkSize(b, op, "block_table", op.getBlockTable(), 0, op.getQuery(), 0);
    checkSize(b, op, "lengths", op.getLengths(), 0, op.getQuery(), 0);
    for (int64_t dim : {0, 1, 2})
      checkSize(b, op, "value_pages", op.getValuePages(), dim, op.getKeyPages(), dim);
    if (!op.getKeyPages().getType().isDynamicDim(0))
      return;
    Value pages = tensor::DimOp::create(b, op.getKeyPages(), 0);
    Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, pages,
                                       arith::ConstantIndexOp::create(b, 1));
    createRuntimeAssert(b, loc, some, "paged_attention: expected 1 page or more, but got {0}",
                        pages);
  }

  static OpFoldResult multiply(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y) {
    auto left = getConstantIntValue(x), right = getConstantIntValue(y);
    if (left && right)
      return b.getIndexAttr(*left * *right);
    Value l = getValueOrCreateConstantIndexOp(b, b.getLoc(), x);
    Value r = getValueOrCreateConstantIndexOp(b, b.getLoc(), y);
    return arith::MulIOp::create(b, l, r).getResult();
  }

  static Value emitGathered(ImplicitLocOpBuilder &b, PagedAttentionOp op, Value pages) {
    Type index = b.getIndexType();
    Sizes pool = sizesOf(b, pages), table = sizesOf(b, op.getBlockTable());
    auto value = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
    };
    OpFoldResult capacity = multiply(b, table[1], pool[2]);
    Value pageSize = value(pool[2]);
    Value last = arith::SubIOp::create(b, value(pool[0]), arith::ConstantIndexOp::create(b, 1));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Type element = getElementTypeOrSelf(pages.getType());
    return emitElementwise(
        b, {table[0], pool[1], capacity, pool[3]}, element, {{op.getLengths(), dimsMap(b, 4, {0})}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          auto loop = [&](int64_t dim) -> Value { return linalg::IndexOp::create(inner, dim); };
          Value key = loop(2);
          Value place = arith::DivUIOp::create(inner, key, pageSize);
          Value entry =
              tensor::ExtractOp::create(inner, op.getBlockTable(), ValueRange{loop(0), place});
          Value page = arith::IndexCastOp::create(inner, index, entry);
          page = arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, page, zero), last);
          Value row = arith::RemUIOp::create(inner, key, pageSize);
          Value found =
              tensor::ExtractOp::create(inner, pages, ValueRange{page, loop(1), row, loop(3)});
          Value length = arith::IndexCastOp::create(inner, index, args[0]);
          Value used = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, key, length);
          return arith::SelectOp::create(inner, used, found, constant(inner, element, 0.0));
        });
  }
};

} // namespace

void populatePagedAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerPagedAttention>(patterns.getContext());
}

} // namespace forge
