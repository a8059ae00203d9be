// Attention by its formula: scores, masks, softmax of rows, weighted sum.
#include "Emit.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// The loops of the scores: batch, key head, query head of its group, query, key.
enum ScoreLoop : int64_t { Batch, Group, Member, Query, Key, ScoreRank };

/// 1. Query heads are split into [key heads, heads per group]; keys and values then are shared by
/// plain indexing.
/// 2. scores = query . key, in f32. 3. Scale, masks and causality on the scores.
/// 4. The row's largest score, exponentials, their sum. 5. exponentials . value, divided by the
/// sum; rows without a
///    key are zero. 6. Heads joined again.
class AttentionLowering {
public:
  AttentionLowering(ImplicitLocOpBuilder &b, AttentionOp op)
      : b(b), op(op), element(op.getQuery().getType().getElementType()),
        compute(computeType(element)) {
    Sizes query = sizesOf(b, op.getQuery()), key = sizesOf(b, op.getKey());
    OpFoldResult members = divide(query[1], key[1]);
    sizes = {query[0], key[1], members, query[2], key[2]};
    depth = query[3];
    width = tensor::getMixedSize(b, b.getLoc(), op.getValue(), 3);
  }

  Value run() {
    Value scores = emitScores();
    Value logits = emitLogits(scores);
    AffineMap all = b.getMultiDimIdentityMap(ScoreRank), row = mapWithout(b, ScoreRank, Key);
    Value largest =
        emitReduction(b, sizes, Key, -std::numeric_limits<double>::infinity(), compute,
                      {{logits, all}}, [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                        return arith::MaximumFOp::create(inner, args[1], args[0]);
                      });
    Value exps = emitElementwise(b, sizes, compute, {{logits, all}, {largest, row}},
                                 [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                   Value base = finiteOrZero(inner, args[1]);
                                   return math::ExpOp::create(
                                       inner, arith::SubFOp::create(inner, args[0], base));
                                 });
    Value sum = emitReduction(b, sizes, Key, 0.0, compute, {{exps, all}},
                              [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                return arith::AddFOp::create(inner, args[1], args[0]);
                              });
    return joinHeads(emitWeighted(exps, sum));
  }

private:
  OpFoldResult divide(OpFoldResult a, OpFoldResult c) {
    auto x = getConstantIntValue(a), y = getConstantIntValue(c);
    if (x && y)
      return b.getIndexAttr(*x / *y);
    Value l = getValueOrCreateConstantIndexOp(b, b.getLoc(), a);
    Value r = getValueOrCreateConstantIndexOp(b, b.getLoc(), c);
    return arith::DivUIOp::create(b, l, r).getResult();
  }

  /// [B, Hq, X, Y] as [B, Hkv, Hq / Hkv, X, Y].
  Value splitHeads(Value value) {
    Sizes from = sizesOf(b, value);
    Sizes to = {from[0], sizes[Group], sizes[Member], from[2], from[3]};
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(to, dynamic, shape);
    auto type = RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()));
    return tensor::ExpandShapeOp::create(
        b, type, value, SmallVector<ReassociationIndices>{{0}, {1, 2}, {3}, {4}}, to);
  }

  Value joinHeads(Value value) {
    return tensor::CollapseShapeOp::create(
        b, value, SmallVector<ReassociationIndices>{{0}, {1, 2}, {3}, {4}});
  }

  Value emitScores() {
    AffineMap query = dimsMap(b, 6, {Batch, Group, Member, Query, 5});
    AffineMap key = dimsMap(b, 6, {Batch, Group, Key, 5});
    return emitContraction(b, sizes, compute, {splitHeads(op.getQuery()), query},
                           {op.getKey(), key}, dimsMap(b, 6, {Batch, Group, Member, Query, Key}));
  }

  double scale() {
    if (op.getScale())
      return op.getScale()->convertToDouble();
    return 1.0 / std::sqrt(static_cast<double>(*getConstantIntValue(depth)));
  }

  /// The scale as a value: from the type, or from the head dimension at run time.
  Value emitScale() {
    if (op.getScale() || getConstantIntValue(depth))
      return constant(b, compute, scale());
    Value size = arith::IndexCastOp::create(b, b.getI64Type(), cast<Value>(depth));
    Value root = math::SqrtOp::create(b, arith::SIToFPOp::create(b, compute, size));
    return arith::DivFOp::create(b, constant(b, compute, 1.0), root);
  }

  /// The mask, and how the loops of the scores index it: not at all where it has one row, column or
  /// head.
  Operand maskOperand() {
    auto type = cast<RankedTensorType>(op.getMask().getType());
    Value mask = op.getMask();
    SmallVector<AffineExpr> exprs;
    bool hasHeads = type.getDimSize(1) != 1;
    if (hasHeads)
      mask = splitHeads(mask);
    auto add = [&](int64_t dim, int64_t loop) {
      exprs.push_back(type.getDimSize(dim) == 1 ? b.getAffineConstantExpr(0)
                                                : b.getAffineDimExpr(loop));
    };
    add(0, Batch);
    add(1, Group);
    if (hasHeads)
      exprs.push_back(b.getAffineDimExpr(Member));
    add(2, Query);
    add(3, Key);
    return {mask, AffineMap::get(ScoreRank, 0, exprs, b.getContext())};
  }

  Value emitLogits(Value scores) {
    Value factor = emitScale();
    SmallVector<Operand> inputs = {{scores, b.getMultiDimIdentityMap(ScoreRank)}};
    if (op.getMask())
      inputs.push_back(maskOperand());
    Value queries = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Query]);
    Value keys = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[Key]);
    return emitElementwise(
        b, sizes, compute, inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value value = arith::MulFOp::create(inner, args[0], factor);
          Value hidden = constant(inner, compute, -std::numeric_limits<double>::infinity());
          if (op.getMask() && args[1].getType().isInteger(1))
            value = arith::SelectOp::create(inner, args[1], value, hidden);
          else if (op.getMask())
            value = arith::AddFOp::create(inner, value, toType(inner, args[1], compute));
          if (!op.getCausal())
            return value;
          // key <= query + keys - queries
          Value end = arith::AddIOp::create(inner, linalg::IndexOp::create(inner, Query), keys);
          Value at = arith::AddIOp::create(inner, linalg::IndexOp::create(inner, Key), queries);
          Value seen = arith::CmpIOp::create(inner, arith::CmpIPredicate::sle, at, end);
          return Value(arith::SelectOp::create(inner, seen, value, hidden));
        });
  }

  /// 0 for -inf, so that a row without a key gives exp(-inf) = 0 and not NaN.
  Value finiteOrZero(ImplicitLocOpBuilder &inner, Value largest) {
    Value hidden = constant(inner, compute, -std::numeric_limits<double>::infinity());
    Value none = arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ, largest, hidden);
    return arith::SelectOp::create(inner, none, constant(inner, compute, 0.0), largest);
  }

  Value emitWeighted(Value exps, Value sum) {
    // The weights are f32: so must the values be, for one contraction.
    AffineMap four = b.getMultiDimIdentityMap(4);
    Value values = op.getValue();
    if (element != compute)
      values = emitElementwise(b, sizesOf(b, values), compute, {{values, four}},
                               [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
    // Loops: batch, group, member, query, column, key.
    Sizes result = {sizes[Batch], sizes[Group], sizes[Member], sizes[Query], width};
    Value weighted =
        emitContraction(b, result, compute, {exps, dimsMap(b, 6, {Batch, Group, Member, Query, 5})},
                        {values, dimsMap(b, 6, {Batch, Group, 5, 4})},
                        dimsMap(b, 6, {Batch, Group, Member, Query, 4}));
    return emitElementwise(b, result, element,
                           {{weighted, b.getMultiDimIdentityMap(5)},
                            {sum, dimsMap(b, 5, {Batch, Group, Member, Query})}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             Value zero = constant(inner, compute, 0.0);
                             Value none = arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ,
                                                                args[1], zero);
                             Value mean = arith::DivFOp::create(inner, args[0], args[1]);
                             return arith::SelectOp::create(inner, none, zero, mean);
                           });
  }

  ImplicitLocOpBuilder &b;
  AttentionOp op;
  Type element, compute;
  Sizes sizes;
  OpFoldResult depth, width;
};

struct LowerAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value result = AttentionLowering(b, op).run();
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

} // namespace

void populateAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerAttention>(patterns.getContext());
}

} // namespace forge
