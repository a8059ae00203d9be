// The largest elements, and the loss of given classes.
#include "FallingOrder.h"
#include "SizeChecks.h"

#include <limits>

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

struct LowerArgmax : OpRewritePattern<ArgmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ArgmaxOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getResult().getType();
    rewriter.replaceOp(op, castTo(b, emitArgmax(b, op.getInput(), type.getElementType()), type));
    return success();
  }
};

struct LowerTopK : OpRewritePattern<TopKOp> {
  LowerTopK(MLIRContext *context, SortForm form) : OpRewritePattern(context), form(form) {}
  LogicalResult matchAndRewrite(TopKOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType indices = op.getIndices().getType();
    Ordered top = emitTopK(b, op.getInput(), op.getK(), indices.getElementType(), form);
    rewriter.replaceOp(
        op, {castTo(b, top.values, op.getValues().getType()), castTo(b, top.indices, indices)});
    return success();
  }

private:
  SortForm form;
};

/// 1. Per row of logits: the largest, the sum of exponentials of differences from it, and with
///    smoothing the sum of these differences.
/// 2. The loss of each row, from these and the logit of its class.
/// 3. Their sum, and their number for the mean.
class CrossEntropyLowering {
public:
  CrossEntropyLowering(ImplicitLocOpBuilder &b, CrossEntropyOp op)
      : b(b), op(op), compute(op.getAccumulationType()), sizes(sizesOf(b, op.getLogits())),
        rank(sizes.size()) {}

  Value run() {
    assertRows(b, "cross_entropy", op.getLogits());
    for (int64_t dim = 0; dim + 1 < rank; ++dim)
      checkSize(b, op, "targets", op.getTargets(), dim, op.getLogits(), dim);
    Value losses = emitLosses();
    if (op.getReduction() == LossReduction::None)
      return losses;
    return emitReduced(losses);
  }

private:
  AffineMap all() { return b.getMultiDimIdentityMap(rank); }
  AffineMap rows() { return b.getMultiDimIdentityMap(rank - 1); }

  Value reduceRow(double init, ArrayRef<Operand> more, Body body) {
    SmallVector<Operand> inputs = {{op.getLogits(), all()}};
    llvm::append_range(inputs, more);
    return emitReduction(b, sizes, rank - 1, init, compute, inputs,
                         [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                           SmallVector<Value> values(args);
                           values[0] = toType(inner, values[0], compute);
                           return body(inner, values);
                         });
  }

  Value emitLosses() {
    Value largest = reduceRow(-std::numeric_limits<double>::infinity(), {},
                              [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                return arith::MaximumFOp::create(inner, args[1], args[0]);
                              });
    AffineMap row = mapWithout(b, rank, rank - 1);
    Value exps =
        reduceRow(0.0, {{largest, row}}, [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value shifted = arith::SubFOp::create(inner, args[0], args[1]);
          return arith::AddFOp::create(inner, args[2], math::ExpOp::create(inner, shifted));
        });
    SmallVector<Operand> inputs = {{op.getTargets(), rows()}, {largest, rows()}, {exps, rows()}};
    if (smoothing() != 0)
      inputs.push_back({reduceRow(0.0, {{largest, row}},
                                  [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                    Value shifted = arith::SubFOp::create(inner, args[0], args[1]);
                                    return arith::AddFOp::create(inner, args[2], shifted);
                                  }),
                        rows()});
    classes = tensor::DimOp::create(b, op.getLogits(), rank - 1);
    return emitElementwise(
        b, Sizes(ArrayRef(sizes).drop_back()), compute, inputs,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) { return emitLoss(inner, args); });
  }

  double smoothing() {
    return op.getLabelSmoothing() ? op.getLabelSmoothing()->convertToDouble() : 0.0;
  }

  /// Whether a row counts; null if all do.
  Value emitCounts(ImplicitLocOpBuilder &inner, Value target) {
    // A number that targets cannot hold is the class of no row.
    if (!op.getIgnoreIndex() || !llvm::isIntN(target.getType().getIntOrFloatBitWidth(),
                                              static_cast<int64_t>(*op.getIgnoreIndex())))
      return {};
    Value ignored = arith::ConstantOp::create(
        inner, inner.getIntegerAttr(target.getType(), static_cast<int64_t>(*op.getIgnoreIndex())));
    return arith::CmpIOp::create(inner, arith::CmpIPredicate::ne, target, ignored);
  }

  /// The loss of a row, from its target, largest logit, sum of exponentials, sum of differences.
  Value emitLoss(ImplicitLocOpBuilder &inner, ValueRange args) {
    Value target = arith::IndexCastOp::create(inner, inner.getIndexType(), args[0]);
    Value zero = arith::ConstantIndexOp::create(inner, 0);
    Value last = arith::SubIOp::create(inner, classes, arith::ConstantIndexOp::create(inner, 1));
    Value inside = arith::MinSIOp::create(inner, arith::MaxSIOp::create(inner, target, zero), last);
    SmallVector<Value> place;
    for (int64_t dim = 0; dim + 1 < rank; ++dim)
      place.push_back(linalg::IndexOp::create(inner, dim));
    place.push_back(inside);
    Value logit = toType(inner, tensor::ExtractOp::create(inner, op.getLogits(), place), compute);
    Value whole = math::LogOp::create(inner, args[2]);
    Value loss = arith::SubFOp::create(inner, whole, arith::SubFOp::create(inner, logit, args[1]));
    if (smoothing() != 0) {
      Value count = arith::SIToFPOp::create(
          inner, compute, arith::IndexCastOp::create(inner, inner.getI64Type(), classes));
      Value mean = arith::DivFOp::create(inner, args[3], count);
      Value even = arith::SubFOp::create(inner, whole, mean);
      loss = arith::AddFOp::create(
          inner, arith::MulFOp::create(inner, loss, constant(inner, compute, 1 - smoothing())),
          arith::MulFOp::create(inner, even, constant(inner, compute, smoothing())));
    }
    Value isClass = arith::CmpIOp::create(inner, arith::CmpIPredicate::eq, target, inside);
    Value nan = constant(inner, compute, std::numeric_limits<double>::quiet_NaN());
    loss = arith::SelectOp::create(inner, isClass, loss, nan);
    Value counts = emitCounts(inner, args[0]);
    if (!counts)
      return loss;
    return arith::SelectOp::create(inner, counts, loss, constant(inner, compute, 0.0));
  }

  Value emitReduced(Value losses) {
    bool isMean = op.getReduction() == LossReduction::Mean;
    Type i64 = b.getI64Type();
    SmallVector<Type> elements = {compute};
    SmallVector<double> inits = {0.0};
    if (isMean) {
      elements.push_back(i64);
      inits.push_back(0.0);
    }
    SmallVector<Value> sums = emitReductions(
        b, Sizes(ArrayRef(sizes).drop_back()), AffineMap::get(rank - 1, 0, b.getContext()),
        elements, inits, {{losses, rows()}, {op.getTargets(), rows()}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          SmallVector<Value> next = {arith::AddFOp::create(inner, args[2], args[0])};
          if (!isMean)
            return next;
          Value one = arith::ConstantOp::create(inner, inner.getI64IntegerAttr(1));
          Value counts = emitCounts(inner, args[1]);
          Value step = counts ? Value(arith::ExtUIOp::create(inner, i64, counts)) : one;
          next.push_back(arith::AddIOp::create(inner, args[3], step));
          return next;
        });
    if (!isMean)
      return sums[0];
    AffineMap none = AffineMap::get(0, 0, b.getContext());
    return emitElementwise(b, {}, compute, {{sums[0], none}, {sums[1], none}},
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             Value one =
                                 arith::ConstantOp::create(inner, inner.getI64IntegerAttr(1));
                             Value count = arith::MaxSIOp::create(inner, args[1], one);
                             return arith::DivFOp::create(
                                 inner, args[0], arith::SIToFPOp::create(inner, compute, count));
                           });
  }

  ImplicitLocOpBuilder &b;
  CrossEntropyOp op;
  Type compute;
  Sizes sizes;
  int64_t rank;
  Value classes;
};

} // namespace

void populateSelectionPatterns(RewritePatternSet &patterns, SortForm form) {
  patterns.add<LowerArgmax, LowerWith<CrossEntropyOp, CrossEntropyLowering>>(patterns.getContext());
  patterns.add<LowerTopK>(patterns.getContext(), form);
}

} // namespace forge
