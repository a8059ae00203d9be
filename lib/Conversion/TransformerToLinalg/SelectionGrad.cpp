// Gradients of choices among scores, and of the loss.
#include "FallingOrder.h"
#include "Rows.h"

#include <limits>

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// exp(x - max) per element, and their sum per row: what softmax is made of.
struct Exponentials {
  Exponentials(ImplicitLocOpBuilder &b, const Rows &rows) {
    Type compute = rows.compute;
    Value largest = emitReduction(
        b, rows.sizes, rows.dim, -std::numeric_limits<double>::infinity(), compute,
        {{rows.input, rows.all}}, [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          return arith::MaximumFOp::create(inner, args[1], toType(inner, args[0], compute));
        });
    elements = emitElementwise(
        b, rows.sizes, compute, {{rows.input, rows.all}, {largest, rows.row}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value x = toType(inner, args[0], compute);
          return math::ExpOp::create(inner, arith::SubFOp::create(inner, x, args[1]));
        });
    sum = emitSum(b, rows.sizes, {rows.dim}, compute, {{elements, rows.all}},
                  [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
  }
  Value elements, sum;
};

Value emitEqual(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
}

/// 1. The cotangent of each row; for `mean` divided by the number of rows that count.
/// 2. Softmax of the rows, less the share of the row's class and of all classes, times that.
class CrossEntropyGradLowering {
public:
  CrossEntropyGradLowering(ImplicitLocOpBuilder &b, CrossEntropyGradOp op)
      : b(b), op(op), compute(op.getAccumulationType()),
        rows(b, op.getLogits(), op.getLogits().getType().getRank() - 1, compute) {}

  Value run() {
    Exponentials exps(b, rows);
    AffineMap perRow =
        op.getReduction() == LossReduction::None ? rows.row : dimsMap(b, rows.sizes.size(), {});
    SmallVector<Operand> inputs = {{exps.elements, rows.all},
                                   {exps.sum, rows.row},
                                   {op.getTargets(), rows.row},
                                   {op.getCotangent(), perRow}};
    if (op.getReduction() == LossReduction::Mean)
      inputs.push_back({countRows(), perRow});
    Value length = arith::IndexCastOp::create(
        b, cast<RankedTensorType>(op.getTargets().getType()).getElementType(),
        getValueOrCreateConstantIndexOp(b, b.getLoc(), rows.sizes[rows.dim]));
    Value classes = rows.length(b);
    return emitElementwise(b, rows.sizes, rows.element, inputs,
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                             return emitElement(inner, args, length, classes);
                           });
  }

private:
  Value isIgnored(ImplicitLocOpBuilder &inner, Value target) {
    return emitIsNumber(inner, target, static_cast<int64_t>(*op.getIgnoreIndex()));
  }

  /// Rows that count, but 1 if none does.
  Value countRows() {
    Sizes sizes = sizesOf(b, op.getTargets());
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
    Value one = constant(b, compute, 1.0), none = constant(b, compute, 0.0);
    Value count = emitSum(
        b, sizes, dims, compute, {{op.getTargets(), b.getMultiDimIdentityMap(sizes.size())}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          if (!op.getIgnoreIndex())
            return one;
          return arith::SelectOp::create(inner, isIgnored(inner, args[0]), none, one);
        });
    return emitElementwise(b, {}, compute, {{count, b.getMultiDimIdentityMap(0)}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return arith::MaximumFOp::create(inner, args[0], one);
                           });
  }

  /// `args`: exponential, sum, target, cotangent, and for `mean` the number of rows.
  Value emitElement(ImplicitLocOpBuilder &inner, ValueRange args, Value length, Value classes) {
    auto c = [&](double number) { return constant(inner, compute, number); };
    double smoothing = op.getLabelSmoothing() ? op.getLabelSmoothing()->convertToDouble() : 0;
    Value target = args[2], grad = args[3];
    if (op.getReduction() == LossReduction::Mean)
      grad = arith::DivFOp::create(inner, grad, args[4]);
    Value place = arith::IndexCastOp::create(inner, target.getType(),
                                             Value(linalg::IndexOp::create(inner, rows.dim)));
    Value share =
        arith::SelectOp::create(inner, emitEqual(inner, target, place), c(1 - smoothing), c(0));
    Value value = arith::DivFOp::create(inner, args[0], args[1]);
    value = arith::SubFOp::create(inner, value, share);
    if (smoothing != 0)
      value =
          arith::SubFOp::create(inner, value, arith::DivFOp::create(inner, c(smoothing), classes));
    value = arith::MulFOp::create(inner, grad, value);
    // As an unsigned number, a negative class is beyond all others.
    Value known = arith::CmpIOp::create(inner, arith::CmpIPredicate::ult, target, length);
    value =
        arith::SelectOp::create(inner, known, value, c(std::numeric_limits<double>::quiet_NaN()));
    if (op.getIgnoreIndex())
      value = arith::SelectOp::create(inner, isIgnored(inner, target), c(0), value);
    return value;
  }

  ImplicitLocOpBuilder &b;
  CrossEntropyGradOp op;
  Type compute;
  Rows rows;
};

/// 1. The scores of all experts.
/// 2. Those of the chosen ones, and for `normalize` their sum and that of their products with the
///    cotangents.
/// 3. The gradient of each chosen score, then of each expert's.
/// 4. Through the softmax or sigmoid.
class MoeRouteGradLowering {
public:
  MoeRouteGradLowering(ImplicitLocOpBuilder &b, MoeRouteGradOp op)
      : b(b), op(op), compute(op.getAccumulationType()), rows(b, op.getLogits(), 1, compute),
        chosenSizes(sizesOf(b, op.getCotangent())) {}

  Value run() {
    assertRows(b, "moe_route_grad", op.getLogits());
    Value scores = emitScores();
    Value grads = emitExpertGrads(emitChosenGrads(scores));
    if (op.getScore() == RouterScore::Sigmoid)
      return emitElementwise(b, rows.sizes, rows.element, {{scores, all()}, {grads, all()}},
                             [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                               Value rest = arith::SubFOp::create(
                                   inner, constant(inner, compute, 1.0), args[0]);
                               Value slope = arith::MulFOp::create(inner, args[0], rest);
                               return arith::MulFOp::create(inner, slope, args[1]);
                             });
    Value common = emitSum(b, rows.sizes, {1}, compute, {{scores, all()}, {grads, all()}}, product);
    return emitElementwise(b, rows.sizes, rows.element,
                           {{scores, all()}, {grads, all()}, {common, rows.row}},
                           [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             Value rest = arith::SubFOp::create(inner, args[1], args[2]);
                             return arith::MulFOp::create(inner, args[0], rest);
                           });
  }

private:
  AffineMap all() { return b.getMultiDimIdentityMap(2); }

  static Value product(ImplicitLocOpBuilder &inner, ValueRange args) {
    return arith::MulFOp::create(inner, args[0], args[1]);
  }

  Value emitScores() {
    if (op.getScore() == RouterScore::Sigmoid)
      return emitElementwise(b, rows.sizes, compute, {{rows.input, all()}},
                             [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                               return emitActivation(inner, ActivationKind::Sigmoid,
                                                     toType(inner, args[0], compute));
                             });
    Exponentials exps(b, rows);
    return emitElementwise(b, rows.sizes, compute, {{exps.elements, all()}, {exps.sum, rows.row}},
                           [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return arith::DivFOp::create(inner, args[0], args[1]);
                           });
  }

  /// The expert held inside [0, E - 1], as an index.
  Value expert(ImplicitLocOpBuilder &inner, Value number) {
    Value zero = arith::ConstantIndexOp::create(inner, 0);
    Value id = arith::IndexCastOp::create(inner, inner.getIndexType(), number);
    return arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, id, zero), last);
  }

  /// The gradient of every chosen score, [N, k].
  Value emitChosenGrads(Value scores) {
    Value count = getValueOrCreateConstantIndexOp(b, b.getLoc(), rows.sizes[1]);
    last = arith::SubIOp::create(b, count, arith::ConstantIndexOp::create(b, 1));
    double scale = op.getScale() ? op.getScale()->convertToDouble() : 1;
    auto scaled = [&](ImplicitLocOpBuilder &inner, Value value) -> Value {
      return arith::MulFOp::create(inner, value, constant(inner, compute, scale));
    };
    Operand cotangent = {op.getCotangent(), all()};
    if (!op.getNormalize())
      return emitElementwise(b, chosenSizes, compute, cotangent,
                             [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                               return scaled(inner, toType(inner, args[0], compute));
                             });
    Value chosen = emitElementwise(b, chosenSizes, compute, {{op.getExperts(), all()}},
                                   [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                     Value token = linalg::IndexOp::create(inner, 0);
                                     return tensor::ExtractOp::create(
                                         inner, scores, ValueRange{token, expert(inner, args[0])});
                                   });
    Value sum = emitSum(b, chosenSizes, {1}, compute, {{chosen, all()}},
                        [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
    Value common =
        emitSum(b, chosenSizes, {1}, compute, {cotangent, {chosen, all()}},
                [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                  return arith::MulFOp::create(inner, toType(inner, args[0], compute), args[1]);
                });
    return emitElementwise(
        b, chosenSizes, compute, {cotangent, {sum, rows.row}, {common, rows.row}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value total = arith::AddFOp::create(inner, args[1], constant(inner, compute, 1e-20));
          Value share = arith::DivFOp::create(inner, args[2], total);
          Value rest = arith::SubFOp::create(inner, toType(inner, args[0], compute), share);
          return scaled(inner, arith::DivFOp::create(inner, rest, total));
        });
  }

  /// [N, E]: the sum of the gradients of those choices that are the expert.
  Value emitExpertGrads(Value grads) {
    Sizes sizes = {rows.sizes[0], rows.sizes[1], chosenSizes[1]};
    AffineMap choice = dimsMap(b, 3, {0, 2});
    return emitSum(
        b, sizes, {2}, compute, {{grads, choice}, {op.getExperts(), choice}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value here =
              emitEqual(inner, expert(inner, args[1]), Value(linalg::IndexOp::create(inner, 1)));
          return arith::SelectOp::create(inner, here, args[0], constant(inner, compute, 0.0));
        });
  }

  ImplicitLocOpBuilder &b;
  MoeRouteGradOp op;
  Type compute;
  Rows rows;
  Sizes chosenSizes;
  Value last;
};

/// Every element of a row collects the cotangents of the choices that are it.
class TopKGradLowering {
public:
  TopKGradLowering(ImplicitLocOpBuilder &b, TopKGradOp op) : b(b), op(op) {}

  Value run() {
    Type compute = op.getAccumulationType();
    Sizes sizes = sizesOf(b, op.getInput());
    int64_t rank = static_cast<int64_t>(sizes.size());
    sizes.push_back(sizesOf(b, op.getCotangent()).back());
    AffineMap choice = mapWithout(b, rank + 1, rank - 1);
    Value sums =
        emitSum(b, sizes, {rank}, compute, {{op.getCotangent(), choice}, {op.getIndices(), choice}},
                [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                  Value place = arith::IndexCastOp::create(inner, inner.getIndexType(), args[1]);
                  Value here =
                      emitEqual(inner, place, Value(linalg::IndexOp::create(inner, rank - 1)));
                  return arith::SelectOp::create(inner, here, toType(inner, args[0], compute),
                                                 constant(inner, compute, 0.0));
                });
    return emitRounded(b, sums, op.getInput().getType().getElementType());
  }

private:
  ImplicitLocOpBuilder &b;
  TopKGradOp op;
};

} // namespace

void populateSelectionGradPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerWith<CrossEntropyGradOp, CrossEntropyGradLowering>,
               LowerWith<MoeRouteGradOp, MoeRouteGradLowering>,
               LowerWith<TopKGradOp, TopKGradLowering>>(patterns.getContext());
}

} // namespace forge
