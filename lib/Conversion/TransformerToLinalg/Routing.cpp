// The experts of every token: scores, groups, choice, weights.
#include "FallingOrder.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include <limits>

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// 1. Scores, [N, E], in the accumulation type.
/// 2. Choices: scores plus the bias.
/// 3. With groups: a score per group; a group is chosen if fewer than top_groups are before it;
///    experts of others are behind all that may be chosen.
/// 4. The first k choices.
/// 5. Their scores, divided by their sum, times the scale.
class RouteLowering {
public:
  RouteLowering(ImplicitLocOpBuilder &b, MoeRouteOp op, SortForm form)
      : b(b), op(op), form(form), compute(op.getAccumulationType()),
        sizes(sizesOf(b, op.getLogits())), experts(op.getLogits().getType().getDimSize(1)) {}

  std::pair<Value, Value> run() {
    checkVector(b, op, "bias", op.getBias(), op.getLogits(), 1);
    Type indexType = op.getExperts().getType().getElementType();
    Value scores = op.getScore() == RouterScore::Softmax ? emitSoftmax() : emitSigmoid();
    Value choice = op.getBias() ? emitBiased(scores) : scores;
    Value excluded = op.getGroups() ? emitExcluded(choice) : Value();
    Ordered chosen = emitTopK(b, choice, op.getK(), indexType, form, excluded);
    return {emitWeights(scores, chosen.indices), chosen.indices};
  }

private:
  AffineMap all() { return b.getMultiDimIdentityMap(2); }
  AffineMap row() { return dimsMap(b, 2, {0}); }

  Value emitSoftmax() {
    Value largest = emitReduction(
        b, sizes, 1, -std::numeric_limits<double>::infinity(), compute, {{op.getLogits(), all()}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          return arith::MaximumFOp::create(inner, args[1], toType(inner, args[0], compute));
        });
    Value exps = emitElementwise(b, sizes, compute, {{op.getLogits(), all()}, {largest, row()}},
                                 [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                   Value x = toType(inner, args[0], compute);
                                   return math::ExpOp::create(
                                       inner, arith::SubFOp::create(inner, x, args[1]));
                                 });
    Value sum = emitReduction(b, sizes, 1, 0.0, compute, {{exps, all()}},
                              [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                return arith::AddFOp::create(inner, args[1], args[0]);
                              });
    return emitElementwise(b, sizes, compute, {{exps, all()}, {sum, row()}},
                           [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return arith::DivFOp::create(inner, args[0], args[1]);
                           });
  }

  Value emitSigmoid() {
    return emitElementwise(b, sizes, compute, {{op.getLogits(), all()}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                             return emitActivation(inner, ActivationKind::Sigmoid,
                                                   toType(inner, args[0], compute));
                           });
  }

  Value emitBiased(Value scores) {
    return emitElementwise(b, sizes, compute, {{scores, all()}, {op.getBias(), dimsMap(b, 2, {1})}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return arith::AddFOp::create(inner, args[0],
                                                          toType(inner, args[1], compute));
                           });
  }

  /// [N, E] as [N, G, E / G].
  Value grouped(Value tensor) {
    int64_t groups = *op.getGroups(), members = experts / groups;
    auto type = cast<RankedTensorType>(tensor.getType());
    Sizes to = {sizes[0], b.getIndexAttr(groups), b.getIndexAttr(members)};
    return tensor::ExpandShapeOp::create(
        b, RankedTensorType::get({type.getDimSize(0), groups, members}, type.getElementType()),
        tensor, SmallVector<ReassociationIndices>{{0}, {1, 2}}, to);
  }

  /// The largest choice of each group, or the sum of its two largest, [N, G]. NaN is before
  /// every number, so it stays.
  Value emitGroupScores(Value choice) {
    Sizes three = sizesOf(b, choice);
    bool isTop2 = op.getGroupScore() == GroupScore::Top2;
    double none = -std::numeric_limits<double>::infinity();
    SmallVector<Value> best = emitReductions(
        b, three, dimsMap(b, 3, {0, 1}), {compute, compute}, {none, none},
        {{choice, b.getMultiDimIdentityMap(3)}}, [](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value x = args[0], first = args[1], second = args[2];
          auto select = [&](Value condition, Value left, Value right) -> Value {
            return arith::SelectOp::create(inner, condition, left, right);
          };
          Value isFirst = emitComesBefore(inner, x, first);
          Value isSecond = emitComesBefore(inner, x, second);
          return SmallVector<Value>{select(isFirst, x, first),
                                    select(isFirst, first, select(isSecond, x, second))};
        });
    if (!isTop2)
      return best[0];
    return emitElementwise(b, {three[0], three[1]}, compute, {{best[0], all()}, {best[1], all()}},
                           [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return arith::AddFOp::create(inner, args[0], args[1]);
                           });
  }

  /// How many groups are before each, [N, G].
  Value emitRanks(Value scores) {
    Sizes two = sizesOf(b, scores);
    Type i32 = b.getI32Type();
    return emitReductions(b, {two[0], two[1], two[1]}, dimsMap(b, 3, {0, 1}), i32, 0.0,
                          {{scores, dimsMap(b, 3, {0, 1})}, {scores, dimsMap(b, 3, {0, 2})}},
                          [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                            Value self = linalg::IndexOp::create(inner, 1);
                            Value other = linalg::IndexOp::create(inner, 2);
                            Value isBehind = emitComesBefore(inner, args[0], args[1]);
                            Value isLower = arith::CmpIOp::create(inner, arith::CmpIPredicate::slt,
                                                                  other, self);
                            Value yes = arith::ConstantOp::create(inner, inner.getBoolAttr(true));
                            Value isTied = arith::AndIOp::create(
                                inner, isLower, arith::XOrIOp::create(inner, isBehind, yes));
                            Value before = arith::OrIOp::create(
                                inner, emitComesBefore(inner, args[1], args[0]), isTied);
                            return SmallVector<Value>{arith::AddIOp::create(
                                inner, args[2], arith::ExtUIOp::create(inner, i32, before))};
                          })
        .front();
  }

  /// Whether an expert's group is not among the best, [N, E].
  Value emitExcluded(Value choice) {
    Value ranks = emitRanks(emitGroupScores(grouped(choice)));
    Value size = arith::ConstantIndexOp::create(b, experts / *op.getGroups());
    return emitElementwise(
        b, sizes, b.getI1Type(), {}, [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
          Value group = arith::DivUIOp::create(inner, linalg::IndexOp::create(inner, 1), size);
          Value token = linalg::IndexOp::create(inner, 0);
          Value rank = tensor::ExtractOp::create(inner, ranks, ValueRange{token, group});
          return arith::CmpIOp::create(inner, arith::CmpIPredicate::sge, rank,
                                       constant(inner, rank.getType(), *op.getTopGroups()));
        });
  }

  /// The scores of the chosen, divided by their sum if normalised, times the scale.
  Value emitWeights(Value scores, Value indices) {
    Sizes two = sizesOf(b, indices);
    Value chosen = emitElementwise(
        b, two, compute, {{indices, all()}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value token = linalg::IndexOp::create(inner, 0);
          Value expert = arith::IndexCastOp::create(inner, inner.getIndexType(), args[0]);
          return tensor::ExtractOp::create(inner, scores, ValueRange{token, expert});
        });
    SmallVector<Operand> inputs = {{chosen, all()}};
    if (op.getNormalize())
      inputs.push_back({emitReduction(b, two, 1, 0.0, compute, {{chosen, all()}},
                                      [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                        return arith::AddFOp::create(inner, args[1], args[0]);
                                      }),
                        row()});
    return emitElementwise(
        b, two, op.getWeights().getType().getElementType(), inputs,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value weight = args[0];
          if (op.getNormalize()) {
            Value sum = arith::AddFOp::create(inner, args[1], constant(inner, compute, 1e-20));
            weight = arith::DivFOp::create(inner, weight, sum);
          }
          if (op.getScale())
            weight = arith::MulFOp::create(
                inner, weight, constant(inner, compute, op.getScale()->convertToDouble()));
          return weight;
        });
  }

  ImplicitLocOpBuilder &b;
  MoeRouteOp op;
  SortForm form;
  Type compute;
  Sizes sizes;
  int64_t experts;
};

struct LowerMoeRoute : OpRewritePattern<MoeRouteOp> {
  LowerMoeRoute(MLIRContext *context, SortForm form) : OpRewritePattern(context), form(form) {}
  LogicalResult matchAndRewrite(MoeRouteOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto [weights, experts] = RouteLowering(b, op, form).run();
    rewriter.replaceOp(op, {castTo(b, weights, op.getWeights().getType()),
                            castTo(b, experts, op.getExperts().getType())});
    return success();
  }

private:
  SortForm form;
};

} // namespace

void populateRoutingPatterns(RewritePatternSet &patterns, SortForm form) {
  patterns.add<LowerMoeRoute>(patterns.getContext(), form);
}

} // namespace forge
