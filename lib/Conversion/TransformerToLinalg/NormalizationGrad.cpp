// Gradients of softmax and norms: sums along rows, bodies that use them, and sums over all rows.
#include "Rows.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// softmax_grad: p * (dy - sum(dy * p)); log_softmax_grad: dy - exp(l) * sum(dy).
template <typename OpTy> struct LowerSoftmaxGrad : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  static constexpr bool isLog = std::is_same_v<OpTy, LogSoftmaxGradOp>;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type compute = op.getAccumulationType();
    Rows rows(b, op.getCotangent(), op.getDimension(), compute);
    Operand output = {op.getOutput(), rows.all};
    Value total = rows.sum(b, isLog ? ArrayRef<Operand>() : ArrayRef<Operand>(output),
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                             return isLog ? args[0]
                                          : Value(arith::MulFOp::create(
                                                inner, args[0], toType(inner, args[1], compute)));
                           });
    Value result = emitElementwise(
        b, rows.sizes, rows.element, {{rows.input, rows.all}, output, {total, rows.row}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value dy = toType(inner, args[0], compute), y = toType(inner, args[1], compute);
          if (isLog) {
            Value share = arith::MulFOp::create(inner, math::ExpOp::create(inner, y), args[2]);
            return arith::SubFOp::create(inner, dy, share);
          }
          return arith::MulFOp::create(inner, y, arith::SubFOp::create(inner, dy, args[2]));
        });
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return success();
  }
};

/// With h = (x - mean) * r (x * r for rms_norm) and g = dy * scale:
///
/// 1. Statistics of the rows, as the norm computes them: mean, r = 1 / sqrt(var + epsilon).
/// 2. Per row: sum(g) (layer_norm only) and sum(g * h).
/// 3. dx = r * (g - sum(g) / N - h * sum(g * h) / N).
/// 4. Over all rows: dscale = sum(dy * h), and dshift = sum(dy).
template <typename OpTy> class NormGradLowering {
public:
  static constexpr bool isCentered = std::is_same_v<OpTy, LayerNormGradOp>;

  NormGradLowering(ImplicitLocOpBuilder &b, OpTy op)
      : b(b), op(op), compute(op.getAccumulationType()),
        rows(b, op.getInput(), op.getInput().getType().getRank() - 1, compute),
        column(dimsMap(b, rows.sizes.size(), {rows.dim})) {}

  SmallVector<Value> run() {
    emitStatistics();
    SmallVector<Value> results = {emitInputGrad()};
    results.push_back(overRows([&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
      return arith::MulFOp::create(inner, cotangent(inner, args), normal(inner, args));
    }));
    if (isCentered)
      results.push_back(overRows([&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
        return cotangent(inner, args);
      }));
    return results;
  }

private:
  void emitStatistics() {
    count = rows.length(b);
    if (isCentered)
      total =
          rows.sum(b, {}, [](ImplicitLocOpBuilder &, ValueRange args) -> Value { return args[0]; });
    SmallVector<Operand> more;
    if (isCentered)
      more.push_back({total, rows.row});
    Value squares = rows.sum(b, more, [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
      Value value = isCentered ? centered(inner, args[0], args[1]) : args[0];
      return arith::MulFOp::create(inner, value, value);
    });
    inverse = rows.inverseRoot(b, squares, op.getEpsilon().convertToDouble());
    inputs = {{op.getInput(), rows.all}, {inverse, rows.row}, {op.getCotangent(), rows.all}};
    if (isCentered)
      inputs.push_back({total, rows.row});
  }

  Value centered(ImplicitLocOpBuilder &inner, Value x, Value sumOfRow) {
    return arith::SubFOp::create(inner, x, arith::DivFOp::create(inner, sumOfRow, count));
  }

  // What bodies over `inputs` see: x, r, dy, and the row's sum for layer_norm.
  Value normal(ImplicitLocOpBuilder &inner, ValueRange args) {
    Value x = toType(inner, args[0], compute);
    return arith::MulFOp::create(inner, isCentered ? centered(inner, x, args[3]) : x, args[1]);
  }
  Value cotangent(ImplicitLocOpBuilder &inner, ValueRange args) {
    return toType(inner, args[2], compute);
  }
  /// g, where the scale, if there is one, is the argument behind `inputs`.
  Value scaled(ImplicitLocOpBuilder &inner, ValueRange args) {
    Value value = cotangent(inner, args);
    if (!op.getScale())
      return value;
    Value scale = toType(inner, args[inputs.size()], compute);
    if constexpr (!isCentered)
      if (op.getUnitOffset())
        scale = arith::AddFOp::create(inner, scale, constant(inner, compute, 1.0));
    return arith::MulFOp::create(inner, value, scale);
  }

  Value emitInputGrad() {
    SmallVector<Operand> operands = inputs;
    if (op.getScale())
      operands.push_back({op.getScale(), column});
    Value sumOfGrads;
    if (isCentered)
      sumOfGrads = emitSum(
          b, rows.sizes, {rows.dim}, compute, operands,
          [&](ImplicitLocOpBuilder &inner, ValueRange args) { return scaled(inner, args); });
    Value projection =
        emitSum(b, rows.sizes, {rows.dim}, compute, operands,
                [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                  return arith::MulFOp::create(inner, scaled(inner, args), normal(inner, args));
                });
    size_t sums = operands.size();
    operands.push_back({projection, rows.row});
    if (isCentered)
      operands.push_back({sumOfGrads, rows.row});
    return emitElementwise(
        b, rows.sizes, rows.element, operands,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value share = arith::DivFOp::create(inner, args[sums], count);
          Value value = arith::SubFOp::create(
              inner, scaled(inner, args), arith::MulFOp::create(inner, normal(inner, args), share));
          if (isCentered)
            value = arith::SubFOp::create(inner, value,
                                          arith::DivFOp::create(inner, args[sums + 1], count));
          return arith::MulFOp::create(inner, value, args[1]);
        });
  }

  Value overRows(Body body) {
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rows.dim));
    return emitRounded(b, emitSum(b, rows.sizes, dims, compute, inputs, body), rows.element);
  }

  ImplicitLocOpBuilder &b;
  OpTy op;
  Type compute;
  Rows rows;
  AffineMap column;
  Value count, total, inverse;
  SmallVector<Operand> inputs;
};

template <typename OpTy> struct LowerNormGrad : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results = NormGradLowering<OpTy>(b, op).run();
    for (auto [value, type] : llvm::zip_equal(results, op->getResultTypes()))
      value = castTo(b, value, type);
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void populateNormalizationGradPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerNormGrad<LayerNormGradOp>, LowerNormGrad<RmsNormGradOp>,
               LowerSoftmaxGrad<LogSoftmaxGradOp>, LowerSoftmaxGrad<SoftmaxGradOp>>(
      patterns.getContext());
}

} // namespace forge
