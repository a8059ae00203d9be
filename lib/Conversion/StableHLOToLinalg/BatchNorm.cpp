// batch_norm_*: taken apart into the elementwise ops and sums that the specification defines them
// by, which are lowered in their turn.
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

namespace {

/// Arithmetic on tensors of the operand's type, and on one number per feature.
struct NormBuilder {
  ConversionPatternRewriter &b;
  Location loc;
  Value operand;
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

  /// The sizes of these dimensions of the operand, as DynamicBroadcastInDimOp takes them.
  Value sizesOf(ArrayRef<int64_t> dims) {
    auto one = RankedTensorType::get({1}, b.getI32Type());
    SmallVector<Value> sizes;
    for (int64_t dim : dims)
      sizes.push_back(ReshapeOp::create(b, loc, one, sizeOf(dim)));
    auto vector = RankedTensorType::get({int64_t(dims.size())}, b.getI32Type());
    return ConcatenateOp::create(b, loc, vector, sizes, b.getI64IntegerAttr(0));
  }
  Value sizeOf(int64_t dim) {
    auto scalar = RankedTensorType::get({}, b.getI32Type());
    return GetDimensionSizeOp::create(b, loc, scalar, operand, b.getI64IntegerAttr(dim));
  }
  /// `tensor` repeated to the operand's shape: a scalar, or one number per feature.
  Value repeat(Value tensor, ArrayRef<int64_t> dims) {
    if (type.hasStaticShape())
      return BroadcastInDimOp::create(b, loc, type, tensor, b.getDenseI64ArrayAttr(dims));
    Value sizes = sizesOf(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
    return DynamicBroadcastInDimOp::create(b, loc, type, tensor, sizes, dims);
  }
  /// One number per feature, repeated over the operand's shape.
  Value spread(Value perFeature) { return repeat(perFeature, feature); }
  Value constant(RankedTensorType tensor, double value) {
    APFloat number(value);
    bool inexact;
    number.convert(cast<FloatType>(element()).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &inexact);
    return ConstantOp::create(b, loc, tensor, DenseElementsAttr::get(tensor, number));
  }
  /// The number in the operand's shape.
  Value constant(double value) {
    if (type.hasStaticShape())
      return constant(type, value);
    return repeat(constant(RankedTensorType::get({}, element()), value), {});
  }
  /// The sum over everything but the features.
  Value sum(Value values) {
    auto scalar = RankedTensorType::get({}, element());
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != feature)
        dims.push_back(dim);
    auto perFeature = RankedTensorType::get(type.getDimSize(feature), element());
    auto reduce = ReduceOp::create(b, loc, TypeRange{perFeature}, ValueRange{values},
                                   ValueRange{constant(scalar, 0)}, b.getDenseI64ArrayAttr(dims));
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
    Value total = AddOp::create(b, loc, scalar, body->getArgument(0), body->getArgument(1));
    ReturnOp::create(b, loc, total);
    return reduce->getResult(0);
  }
  /// How many elements a feature has: one number, in the shape of `like`, which is the operand's or
  /// has one element per feature.
  Value elementsPerFeature(Value like) {
    auto likeType = cast<RankedTensorType>(like.getType());
    if (type.hasStaticShape()) {
      int64_t features = type.getDimSize(feature);
      return constant(likeType, features == 0 ? 0 : double(type.getNumElements() / features));
    }
    auto i64 = RankedTensorType::get({}, b.getI64Type());
    Value count = ConstantOp::create(b, loc, i64, DenseElementsAttr::get(i64, int64_t(1)));
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != feature)
        count = mul(count, ConvertOp::create(b, loc, i64, sizeOf(dim)));
    count = ConvertOp::create(b, loc, RankedTensorType::get({}, element()), count);
    if (likeType.getRank() == type.getRank() && likeType.getRank() > 1)
      return repeat(count, {});
    if (likeType.hasStaticShape())
      return BroadcastInDimOp::create(b, loc, likeType, count, b.getDenseI64ArrayAttr({}));
    return DynamicBroadcastInDimOp::create(b, loc, likeType, count, sizesOf(feature),
                                           ArrayRef<int64_t>());
  }
  Value mean(Value values) {
    Value total = sum(values);
    return div(total, elementsPerFeature(total));
  }
  /// (operand - mean) / sqrt(variance + epsilon) * scale + offset.
  Value normalise(Value scale, Value offset, Value mean, Value variance, double epsilon) {
    Value centered = sub(operand, spread(mean));
    Value deviation = sqrt(add(spread(variance), constant(epsilon)));
    return add(mul(spread(scale), div(centered, deviation)), spread(offset));
  }
};

template <typename OpTy> struct NormPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getOperand().getType();
    int64_t feature = op.getFeatureIndex();
    assertSizes(op, adaptor, feature, rewriter);
    NormBuilder norm{rewriter, op.getLoc(), op.getOperand(), type, feature};
    rewriter.replaceOp(op, expand(op, norm));
    return success();
  }

private:
  /// Repetition stretches a dimension of size 1, so what must have one number per feature is
  /// checked.
  static void assertSizes(OpTy op, typename OpTy::Adaptor adaptor, int64_t feature,
                          OpBuilder &builder) {
    ValueRange operands = adaptor.getOperands();
    StringRef name = op->getName().stripDialect();
    for (Value other : operands.drop_front()) {
      if (cast<RankedTensorType>(other.getType()).getRank() == 1 &&
          op.getOperand().getType().getRank() != 1)
        assertSameSize(builder, op.getLoc(), name, other, 0, operands[0], feature);
      else
        assertSameShape(builder, op.getLoc(), name, {operands[0], other});
    }
  }

  static SmallVector<Value> expand(BatchNormInferenceOp op, NormBuilder norm) {
    return {norm.normalise(op.getScale(), op.getOffset(), op.getMean(), op.getVariance(),
                           op.getEpsilon().convertToFloat())};
  }

  static SmallVector<Value> expand(BatchNormTrainingOp op, NormBuilder norm) {
    Value operand = op.getOperand();
    Value mean = norm.mean(operand);
    Value centered = norm.sub(operand, norm.spread(mean));
    Value variance = norm.mean(norm.mul(centered, centered));
    return {norm.normalise(op.getScale(), op.getOffset(), mean, variance,
                           op.getEpsilon().convertToFloat()),
            mean, variance};
  }

  // With n elements per feature, c = operand - mean, v = variance + epsilon, g = grad_output:
  // grad_operand = scale / sqrt(v) / n * (n * g - sum(g) - c * sum(g * c) / v).
  static SmallVector<Value> expand(BatchNormGradOp op, NormBuilder norm) {
    Value grad = op.getGradOutput();
    Value centered = norm.sub(op.getOperand(), norm.spread(op.getMean()));
    Value variance =
        norm.add(norm.spread(op.getVariance()), norm.constant(op.getEpsilon().convertToFloat()));
    Value deviation = norm.sqrt(variance);
    Value count = norm.elementsPerFeature(grad);
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
