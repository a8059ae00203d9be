// The gradients of attention, by the chain rule from its cotangent to its operands.
#include "AttentionScores.h"
#include "AttentionTableGrad.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// With the names of the operation's description:
///
/// 1. Scores and softmax again; weights w = exponentials / sum, zero in rows that see no key.
/// 2. dw = do . value^T.
/// 3. Per row r = sum(w * dw) - dl.
/// 4. dx = w * (dw - r).
/// 5. du = dx through score region, cap and scale.
/// 6. dquery = du . key; dkey = du^T . query and dvalue = w^T . do, both summed over the query
///    heads of a group. Of 16-bit elements du and w are rounded to their type first.
/// 7. The mask's gradient is dx, summed where the mask is broadcast; the sinks' is -w_sink * r,
///    summed over batches and queries.
/// 8. The tables' gradients, from dx and the scores.
class AttentionGradLowering : public AttentionScores<AttentionGradOp> {
public:
  using AttentionScores::AttentionScores;

  SmallVector<Value> run() {
    Value scores = emitScores();
    emitSoftmax(emitLogits(scores));
    emitGradients();
    Type narrow = element.isBF16() || element.isF16() ? element : compute;
    Value du = emitRounded(b, emitScoreGrad(scores), narrow);
    Sizes queryLoops = {sizes[Batch], sizes[Group], sizes[Member], sizes[Query], depth};
    // Loops: batch, group, member, query, column, key.
    Value query = emitContraction(b, queryLoops, compute,
                                  {du, dimsMap(b, 6, {Batch, Group, Member, Query, 5})},
                                  {emitUsed(key, narrow), dimsMap(b, 6, {Batch, Group, 5, 4})},
                                  dimsMap(b, 6, {Batch, Group, Member, Query, 4}));
    SmallVector<Value> results = {
        joinHeads(emitRounded(b, query, element)),
        overQueries(du, split(op.getQuery(), narrow), depth),
        overQueries(emitRounded(b, weights, narrow), split(op.getCotangent(), narrow), width)};
    if (op.hasMaskGrad())
      results.push_back(emitMaskGrad());
    if (op.getSinks())
      results.push_back(emitSinksGrad());
    Value factor = op.getTables().empty() ? Value() : emitScale();
    auto toRegion = [&](ImplicitLocOpBuilder &inner, Value score) {
      return emitCapped(inner, arith::MulFOp::create(inner, score, factor));
    };
    if (factor)
      llvm::append_range(results,
                         emitTableGrads(b, op, {joinHeads(dscores), joinHeads(scores), toRegion}));
    return results;
  }

private:
  /// Heads split, as factors of `type`.
  Value split(Value value, Type type) { return emitRounded(b, splitHeads(value), type); }

  Value zero(ImplicitLocOpBuilder &inner) { return constant(inner, compute, 0.0); }

  /// weights, common (r) and dscores (dx).
  void emitGradients() {
    weights = emitElementwise(b, sizes, compute, {{exps, all()}, {sum, row()}},
                              [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                Value none = arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ,
                                                                   args[1], zero(inner));
                                Value share = arith::DivFOp::create(inner, args[0], args[1]);
                                return arith::SelectOp::create(inner, none, zero(inner), share);
                              });
    Value dweights = emitContraction(
        b, sizes, compute,
        {splitHeads(op.getCotangent()), dimsMap(b, 6, {Batch, Group, Member, Query, 5})},
        {emitUsed(value, element), dimsMap(b, 6, {Batch, Group, Key, 5})},
        dimsMap(b, 6, {Batch, Group, Member, Query, Key}));
    common = emitSum(b, sizes, {Key}, compute, {{weights, all()}, {dweights, all()}},
                     [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                       return arith::MulFOp::create(inner, args[0], args[1]);
                     });
    if (op.getLseCotangent())
      common = emitRows({{common, rows()}, {splitHeads(op.getLseCotangent()), rows()}},
                        [](ImplicitLocOpBuilder &inner, Value x, Value lse) -> Value {
                          return arith::SubFOp::create(inner, x, lse);
                        });
    dscores = emitElementwise(
        b, sizes, compute, {{weights, all()}, {dweights, all()}, {common, row()}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          // A key without weight has no gradient, no matter what its value holds.
          Value hidden =
              arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ, args[0], zero(inner));
          Value grad = arith::MulFOp::create(inner, args[0],
                                             Value(arith::SubFOp::create(inner, args[1], args[2])));
          return arith::SelectOp::create(inner, hidden, zero(inner), grad);
        });
  }

  /// du * scale: dx through the score region, then the cap. Where dx is 0, so is du, whatever the
  /// slope of a hidden score may be.
  Value emitScoreGrad(Value scores) {
    Value factor = emitScale();
    SmallVector<Operand> inputs = {{dscores, all()}};
    if (op.getSoftCap() || !op.getSlope().empty())
      inputs.push_back({scores, all()});
    return emitElementwise(
        b, sizes, compute, inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value grad = arith::MulFOp::create(inner, args[0], factor);
          if (inputs.size() == 1)
            return grad;
          Value x = arith::MulFOp::create(inner, args[1], factor);
          if (op.getSoftCap())
            grad = arith::MulFOp::create(inner, grad, emitCapSlope(inner, x));
          if (op.getSlope().empty())
            return grad;
          Value slope = emitRegion(inner, op.getSlope(), emitCapped(inner, x));
          Value none =
              arith::CmpFOp::create(inner, arith::CmpFPredicate::OEQ, args[0], zero(inner));
          grad = arith::MulFOp::create(inner, grad, slope);
          return arith::SelectOp::create(inner, none, zero(inner), grad);
        });
  }

  /// The derivative of the cap: 1 - tanh(x / cap)^2.
  Value emitCapSlope(ImplicitLocOpBuilder &inner, Value x) {
    Value cap = constant(inner, compute, op.getSoftCap()->convertToDouble());
    Value tanh = math::TanhOp::create(inner, arith::DivFOp::create(inner, x, cap));
    Value square = arith::MulFOp::create(inner, tanh, tanh);
    return arith::SubFOp::create(inner, constant(inner, compute, 1.0), square);
  }

  /// [B, Hkv, T, columns]: the rows of `right` weighted by `left`, over all queries and heads of a
  /// group.
  Value overQueries(Value left, Value right, OpFoldResult columns) {
    // Loops: batch, group, key, column, member, query.
    Sizes result = {sizes[Batch], sizes[Group], sizes[Key], columns};
    Value sums =
        emitContraction(b, result, compute, {left, dimsMap(b, 6, {0, 1, 4, 5, 2})},
                        {right, dimsMap(b, 6, {0, 1, 4, 5, 3})}, dimsMap(b, 6, {0, 1, 2, 3}));
    if (repeated)
      sums = overRepeated(sums);
    return emitRounded(b, sums, element);
  }

  /// [B, Hkv, T, columns] from a gradient per query head, where keys and values were repeated.
  Value overRepeated(Value perHead) {
    Sizes loops = sizesOf(b, perHead);
    loops[1] = sizesOf(b, op.getKey())[1];
    loops.insert(loops.begin() + 2, repeated);
    Value count = getValueOrCreateConstantIndexOp(b, b.getLoc(), repeated);
    // Says how often the loop over the heads of a group runs; its elements are not read.
    Value members = tensor::EmptyOp::create(b, Sizes{repeated}, compute);
    return emitSum(b, loops, {2}, compute, {{members, dimsMap(b, 5, {2})}},
                   [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
                     auto index = [&](int64_t loop) -> Value {
                       return linalg::IndexOp::create(inner, loop);
                     };
                     Value head = arith::AddIOp::create(
                         inner, Value(arith::MulIOp::create(inner, index(1), count)), index(2));
                     return tensor::ExtractOp::create(
                         inner, perHead, ValueRange{index(0), head, index(3), index(4)});
                   });
  }

  /// 1. The sum over loops that the mask does not have.
  /// 2. Heads joined.
  /// 3. Dimensions of size 1 put back.
  Value emitMaskGrad() {
    auto type = cast<RankedTensorType>(op.getMask().getType());
    bool hasHeads = type.getDimSize(1) != 1;
    SmallVector<int64_t> dims;
    for (auto [dim, loop] :
         {std::pair<int64_t, int64_t>(0, Batch), {1, Group}, {1, Member}, {2, Query}, {3, Key}})
      if (type.getDimSize(dim) == 1)
        dims.push_back(loop);
    Value grad = dscores;
    if (!dims.empty())
      grad = emitSum(b, sizes, dims, compute, {{dscores, all()}},
                     [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
    grad = emitRounded(b, grad, type.getElementType());
    if (hasHeads) {
      SmallVector<ReassociationIndices> groups;
      int64_t heads = type.getDimSize(0) == 1 ? 0 : 1;
      for (int64_t dim = 0; dim < cast<RankedTensorType>(grad.getType()).getRank(); ++dim)
        if (dim == heads + 1)
          groups.back().push_back(dim);
        else
          groups.push_back({dim});
      grad = tensor::CollapseShapeOp::create(b, grad, groups);
    }
    return expandTo(grad, sizesOf(b, op.getMask()), type);
  }

  /// `value` with dimensions of size 1 where `type` has them.
  Value expandTo(Value value, const Sizes &to, RankedTensorType type) {
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> leading;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (type.getDimSize(dim) != 1)
        groups.emplace_back();
      if (groups.empty())
        leading.push_back(dim);
      else
        groups.back().push_back(dim);
    }
    if (groups.size() == static_cast<size_t>(type.getRank()))
      return value;
    if (!groups.empty())
      groups.front().insert(groups.front().begin(), leading.begin(), leading.end());
    return emitExpanded(b, value, groups, to);
  }

  Value emitSinksGrad() {
    Operand sink = sinks();
    Value perHead = emitSum(
        b, rowSizes(), {Batch, Query}, compute,
        {{largest, rows()}, {sum, rows()}, {common, rows()}, sink},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value weight = emitExp(inner, toType(inner, args[3], compute), args[0]);
          weight = arith::DivFOp::create(inner, weight, args[1]);
          return arith::NegFOp::create(inner, arith::MulFOp::create(inner, weight, args[2]));
        });
    Value heads =
        tensor::CollapseShapeOp::create(b, perHead, SmallVector<ReassociationIndices>{{0, 1}});
    return emitRounded(b, heads, cast<RankedTensorType>(op.getSinks().getType()).getElementType());
  }

  Value weights, common, dscores;
};

struct LowerAttentionGrad : OpRewritePattern<AttentionGradOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionGradOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results = AttentionGradLowering(b, op).run();
    for (auto [value, type] : llvm::zip_equal(results, op->getResultTypes()))
      value = castTo(b, value, type);
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void populateAttentionGradPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerAttentionGrad>(patterns.getContext());
}

} // namespace forge
