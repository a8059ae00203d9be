// batch_norm_*: taken apart into the elementwise ops and sums that the specification defines them
// by, which are lowered in their turn.
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

namespace {

/// Arithmetic on tensors of the operand's type, and on one number per feature.
struct NormBuilder {
  ConversionPatternRewriter &b;
  Location loc;
  RankedTensorType type; // of the operand
  int64_t feature;

  Type element() const { return type.getElementType(); }

  template <typename OpTy> Value binary(Value lhs, Value rhs) {
    return OpTy::create(b, loc, lhs.getType(), lhs, rhs);
  }
  Value add(Value lhs, Value rhs) { return binary<AddOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return binary<SubtractOp>(lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return binary<MulOp>(lhs, rhs); }
  Value div(Value lhs, Value rhs) { return binary<DivOp>(lhs, rhs); }
  Value sqrt(Value operand) { return SqrtOp::create(b, loc, operand); }

  /// One number per feature, repeated over the operand's shape.
  Value spread(Value perFeature) {
    return BroadcastInDimOp::create(b, loc, type, perFeature, b.getDenseI64ArrayAttr(feature));
  }
  Value constant(Type constantType, double value) {
    auto tensor = cast<RankedTensorType>(constantType);
    APFloat number(value);
    bool inexact;
    number.convert(cast<FloatType>(element()).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &inexact);
    auto splat = DenseElementsAttr::get(tensor, number);
    return ConstantOp::create(b, loc, tensor, splat);
  }
  /// The sum over everything but the features.
  Value sum(Value operand) {
    auto scalar = RankedTensorType::get({}, element());
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != feature)
        dims.push_back(dim);
    auto perFeature = RankedTensorType::get(type.getDimSize(feature), element());
    auto reduce = ReduceOp::create(b, loc, TypeRange{perFeature}, ValueRange{operand},
                                   ValueRange{constant(scalar, 0)}, b.getDenseI64ArrayAttr(dims));
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
    Value total = AddOp::create(b, loc, scalar, body->getArgument(0), body->getArgument(1));
    ReturnOp::create(b, loc, total);
    return reduce->getResult(0);
  }
  double elementsPerFeature() const {
    int64_t features = type.getDimSize(feature);
    return features == 0 ? 0 : double(type.getNumElements() / features);
  }
  Value mean(Value operand) {
    Value total = sum(operand);
    return div(total, constant(total.getType(), elementsPerFeature()));
  }
  /// (operand - mean) / sqrt(variance + epsilon) * scale + offset.
  Value normalise(Value operand, Value scale, Value offset, Value mean, Value variance,
                  double epsilon) {
    Value centered = sub(operand, spread(mean));
    Value deviation = sqrt(add(spread(variance), constant(type, epsilon)));
    return add(mul(spread(scale), div(centered, deviation)), spread(offset));
  }
};

template <typename OpTy> struct NormPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getOperand().getType();
    if (!type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    NormBuilder norm{rewriter, op.getLoc(), type, int64_t(op.getFeatureIndex())};
    rewriter.replaceOp(op, expand(op, norm));
    return success();
  }

private:
  static SmallVector<Value> expand(BatchNormInferenceOp op, NormBuilder norm) {
    return {norm.normalise(op.getOperand(), op.getScale(), op.getOffset(), op.getMean(),
                           op.getVariance(), op.getEpsilon().convertToFloat())};
  }

  static SmallVector<Value> expand(BatchNormTrainingOp op, NormBuilder norm) {
    Value operand = op.getOperand();
    Value mean = norm.mean(operand);
    Value centered = norm.sub(operand, norm.spread(mean));
    Value variance = norm.mean(norm.mul(centered, centered));
    return {norm.normalise(operand, op.getScale(), op.getOffset(), mean, variance,
                           op.getEpsilon().convertToFloat()),
            mean, variance};
  }

  // With n elements per feature, c = operand - mean, v = variance + epsilon, g = grad_output:
  // grad_operand = scale / sqrt(v) / n * (n * g - sum(g) - c * sum(g * c) / v).
  static SmallVector<Value> expand(BatchNormGradOp op, NormBuilder norm) {
    Value grad = op.getGradOutput();
    Value centered = norm.sub(op.getOperand(), norm.spread(op.getMean()));
    Value variance = norm.add(norm.spread(op.getVariance()),
                              norm.constant(norm.type, op.getEpsilon().convertToFloat()));
    Value deviation = norm.sqrt(variance);
    Value count = norm.constant(norm.type, norm.elementsPerFeature());
    Value gradSum = norm.sum(grad);
    Value projection = norm.spread(norm.sum(norm.mul(grad, centered)));
    Value inner = norm.sub(norm.sub(norm.mul(grad, count), norm.spread(gradSum)),
                           norm.div(norm.mul(projection, centered), variance));
    Value factor = norm.div(norm.div(norm.spread(op.getScale()), deviation), count);
    Value normalised = norm.div(centered, deviation);
    return {norm.mul(factor, inner), norm.sum(norm.mul(grad, normalised)), gradSum};
  }
};

} // namespace

void forge::populateBatchNormPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<NormPattern<BatchNormInferenceOp>, NormPattern<BatchNormTrainingOp>,
               NormPattern<BatchNormGradOp>>(converter, patterns.getContext());
}
