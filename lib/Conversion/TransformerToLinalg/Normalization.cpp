// Softmax and norms: reductions along one dimension, and elementwise bodies that use them.
#include "Rows.h"
#include "SizeChecks.h"

#include <limits>

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// The largest element of each row, in the type computed in.
Value emitLargest(ImplicitLocOpBuilder &b, const Rows &rows) {
  return emitReduction(
      b, rows.sizes, rows.dim, -std::numeric_limits<double>::infinity(), rows.compute,
      {{rows.input, rows.all}}, [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
        return arith::MaximumFOp::create(inner, args[1], toType(inner, args[0], rows.compute));
      });
}

/// args[0] - args[1]: an element and the largest of its row.
Value emitShifted(ImplicitLocOpBuilder &b, ValueRange args, Type compute) {
  return arith::SubFOp::create(b, toType(b, args[0], compute), args[1]);
}

struct LowerSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type compute = op.getAccumulationType();
    Rows rows(b, op.getInput(), op.getDimension(), compute);
    Value largest = emitLargest(b, rows);
    Value exps =
        emitElementwise(b, rows.sizes, compute, {{rows.input, rows.all}, {largest, rows.row}},
                        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                          return math::ExpOp::create(inner, emitShifted(inner, args, compute));
                        });
    Rows exponentials(b, exps, op.getDimension(), compute);
    Value sum = exponentials.sum(
        b, {}, [](ImplicitLocOpBuilder &, ValueRange args) -> Value { return args[0]; });
    Value result = emitElementwise(b, rows.sizes, rows.element, {{exps, rows.all}, {sum, rows.row}},
                                   [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                     return arith::DivFOp::create(inner, args[0], args[1]);
                                   });
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

struct LowerLogSoftmax : OpRewritePattern<LogSoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LogSoftmaxOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type compute = op.getAccumulationType();
    Rows rows(b, op.getInput(), op.getDimension(), compute);
    Value largest = emitLargest(b, rows);
    Value sum = rows.sum(b, {{largest, rows.row}},
                         [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                           return math::ExpOp::create(inner, emitShifted(inner, args, compute));
                         });
    Value result = emitElementwise(
        b, rows.sizes, rows.element, {{rows.input, rows.all}, {largest, rows.row}, {sum, rows.row}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          return arith::SubFOp::create(inner, emitShifted(inner, args, compute),
                                       math::LogOp::create(inner, args[2]));
        });
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

struct LowerLayerNorm : OpRewritePattern<LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LayerNormOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    int64_t last = op.getInput().getType().getRank() - 1;
    checkVector(b, op, "scale", op.getScale(), op.getInput(), last);
    checkVector(b, op, "shift", op.getShift(), op.getInput(), last);
    Rows rows(b, op.getInput(), op.getInput().getType().getRank() - 1, op.getAccumulationType());
    Value count = rows.length(b);
    Value sum =
        rows.sum(b, {}, [](ImplicitLocOpBuilder &, ValueRange args) -> Value { return args[0]; });
    auto center = [&](ImplicitLocOpBuilder &inner, Value x, Value sumOfRow) -> Value {
      return arith::SubFOp::create(inner, x, arith::DivFOp::create(inner, sumOfRow, count));
    };
    Value squares =
        rows.sum(b, {{sum, rows.row}}, [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value centered = center(inner, args[0], args[1]);
          return Value(arith::MulFOp::create(inner, centered, centered));
        });
    Value inverse = rows.inverseRoot(b, squares, op.getEpsilon().convertToDouble());
    SmallVector<Operand> inputs = {{rows.input, rows.all}, {sum, rows.row}, {inverse, rows.row}};
    AffineMap column = dimsMap(b, rows.sizes.size(), {rows.dim});
    for (Value vector : {op.getScale(), op.getShift()})
      if (vector)
        inputs.push_back({vector, column});
    Value result = emitElementwise(
        b, rows.sizes, rows.element, inputs,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value value = center(inner, toType(inner, args[0], rows.compute), args[1]);
          value = arith::MulFOp::create(inner, value, args[2]);
          unsigned next = 3;
          if (op.getScale())
            value = arith::MulFOp::create(inner, value, toType(inner, args[next++], rows.compute));
          if (op.getShift())
            value = arith::AddFOp::create(inner, value, toType(inner, args[next], rows.compute));
          return value;
        });
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

struct LowerRmsNorm : OpRewritePattern<RmsNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RmsNormOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    checkVector(b, op, "scale", op.getScale(), op.getInput(),
                op.getInput().getType().getRank() - 1);
    Rows rows(b, op.getInput(), op.getInput().getType().getRank() - 1, op.getAccumulationType());
    Value squares = rows.sum(b, {}, [](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
      return arith::MulFOp::create(inner, args[0], args[0]);
    });
    Value inverse = rows.inverseRoot(b, squares, op.getEpsilon().convertToDouble());
    SmallVector<Operand> inputs = {{rows.input, rows.all}, {inverse, rows.row}};
    if (op.getScale())
      inputs.push_back({op.getScale(), dimsMap(b, rows.sizes.size(), {rows.dim})});
    Value result = emitElementwise(b, rows.sizes, rows.element, inputs,
                                   [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                     Value value = toType(inner, args[0], rows.compute);
                                     value = arith::MulFOp::create(inner, value, args[1]);
                                     if (!op.getScale())
                                       return value;
                                     Value scale = toType(inner, args[2], rows.compute);
                                     if (op.getUnitOffset())
                                       scale = arith::AddFOp::create(
                                           inner, scale, constant(inner, rows.compute, 1.0));
                                     return arith::MulFOp::create(inner, value, scale);
                                   });
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

} // namespace

void populateNormalizationPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerLayerNorm, LowerLogSoftmax, LowerRmsNorm, LowerSoftmax>(patterns.getContext());
}

} // namespace forge
