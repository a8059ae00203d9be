// Attention by its formula: scores, masks, softmax of rows, weighted sum.
#include "AttentionScores.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// The softmax of the scores times the values, divided by the sum; rows without a key are zero.
/// Heads are joined again.
class AttentionLowering : public AttentionScores<AttentionOp> {
public:
  using AttentionScores::AttentionScores;

  /// The result, and the lse or null.
  std::pair<Value, Value> run() {
    emitSoftmax(emitLogits(emitScores()));
    Value lse = op.getLse() ? joinHeads(emitLse()) : Value();
    return {joinHeads(emitWeighted()), lse};
  }

private:
  Value emitLse() {
    return emitRows({{sum, rows()}, {largest, rows()}},
                    [&](ImplicitLocOpBuilder &inner, Value x, Value most) -> Value {
                      return arith::AddFOp::create(inner, emitBase(inner, most),
                                                   math::LogOp::create(inner, x));
                    });
  }

  Value emitWeighted() {
    // Loops: batch, group, member, query, column, key.
    Sizes result = {sizes[Batch], sizes[Group], sizes[Member], sizes[Query], width};
    Type type = op.getWeightsType();
    Value weights = type == compute
                        ? exps
                        : emitElementwise(b, sizes, type, {{exps, all()}},
                                          [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                                            return toType(inner, args[0], type);
                                          });
    Value weighted = emitContraction(b, result, compute,
                                     {weights, dimsMap(b, 6, {Batch, Group, Member, Query, 5})},
                                     {emitUsed(value, type), dimsMap(b, 6, {Batch, Group, 5, 4})},
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
};

struct LowerAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto [result, lse] = AttentionLowering(b, op).run();
    SmallVector<Value> results = {castTo(b, result, op.getResult().getType())};
    if (lse)
      results.push_back(castTo(b, lse, op.getLse().getType()));
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void populateAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerAttention>(patterns.getContext());
}

} // namespace forge
