// sort, and top_k in its four forms: a stable merge sort.
#include "Refuse.h"
#include "ScalarBuilder.h"
#include "SortOrder.h"
#include "forge/Conversion/Utils/MergeSort.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/ApproxTopK.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using chlo::TopKOp;
using stablehlo::CustomCallOp;
using stablehlo::SortOp;

/// `inputs` sorted together along `dim` by the body of `comparator`, which may be that of a sort or
/// of a function; fails if that has no scalar form. With `count` only the first of each line.
static FailureOr<SmallVector<Value>> createSorted(OpBuilder &builder, Location loc,
                                                  ValueRange inputs, int64_t dim,
                                                  Region &comparator, SortForm form,
                                                  std::optional<int64_t> count = std::nullopt) {
  bool hasScalarForm = true;
  auto comesBefore = [&](OpBuilder &b, ValueRange lhs, ValueRange rhs) -> Value {
    SmallVector<Value> args;
    for (auto [l, r] : llvm::zip(lhs, rhs))
      args.append({l, r});
    FailureOr<SmallVector<Value>> result = emitScalarRegion(b, comparator, args);
    if (succeeded(result))
      return result->front();
    hasScalarForm = false;
    return arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  };
  SmallVector<Value> sorted = createMergeSort(
      builder, loc, inputs, dim, Order{comesBefore, isStrictWeakOrder(comparator)}, form, count);
  if (!hasScalarForm)
    return failure();
  return sorted;
}

namespace {

/// Patterns that sort, in one form.
template <typename OpTy> struct OrderingPattern : OpConversionPattern<OpTy> {
  OrderingPattern(const TypeConverter &converter, MLIRContext *context, SortForm form)
      : OpConversionPattern<OpTy>(converter, context), form(form) {}
  SortForm form;
};

struct SortPattern : OrderingPattern<SortOp> {
  using OrderingPattern::OrderingPattern;

  LogicalResult matchAndRewrite(SortOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int64_t dim = op.getDimension();
    int64_t rank = cast<RankedTensorType>(op.getInputs().front().getType()).getRank();
    FailureOr<SmallVector<Value>> sorted =
        createSorted(rewriter, op.getLoc(), adaptor.getInputs(), dim < 0 ? dim + rank : dim,
                     op.getComparator(), form);
    if (failed(sorted))
      return rewriter.notifyMatchFailure(op, "its comparator has no scalar form");
    for (auto [value, type] : llvm::zip(*sorted, op.getResultTypes()))
      value = castTensor(rewriter, op.getLoc(), value, getTypeConverter()->convertType(type));
    rewriter.replaceOp(op, *sorted);
    return success();
  }
};

/// `stablehlo.custom_call @ApproxTopK(%x, %i, %init, %none) {called_computations = [@before],
/// ...}`.
struct ApproxTopKPattern : OrderingPattern<CustomCallOp> {
  using OrderingPattern::OrderingPattern;

  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != stablehlo::kApproxTopK)
      return rewriter.notifyMatchFailure(op, "it calls something else");
    FailureOr<stablehlo::ApproxTopK> call = stablehlo::getApproxTopK(op);
    if (failed(call))
      return failure();
    FailureOr<SmallVector<Value>> sorted =
        createSorted(rewriter, op.getLoc(), adaptor.getInputs().take_front(call->inputs),
                     call->dimension, *call->comparator, form,
                     cast<RankedTensorType>(op.getResult(0).getType()).getDimSize(call->dimension));
    if (failed(sorted))
      return refuseOp(op, "its comparator has no scalar form");
    for (auto [value, result] : llvm::zip(*sorted, op.getResultTypes()))
      value = createFirst(rewriter, op.getLoc(), value, cast<RankedTensorType>(result).getShape());
    rewriter.replaceOp(op, *sorted);
    return success();
  }

private:
  static Value createFirst(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> sizes) {
    SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(
        builder, loc, value, zeros, getAsIndexOpFoldResult(builder.getContext(), sizes), ones);
  }
};

} // namespace

/// An integer that orders as the number does; floats by their total order, in which -NaN < -inf <
/// -0 < +0 < inf < NaN.
static Value getSortKey(ScalarBuilder &s, Value value) {
  if (!isa<FloatType>(value.getType()))
    return value;
  Value bits = s.bits(value);
  // Negative numbers order the other way round: flip all bits but the sign.
  Value sign = s.op<arith::ShRSIOp>(bits, s.like(bits, s.width(bits) - 1));
  APInt rest = APInt::getSignedMaxValue(s.width(bits));
  Value mask = s.op<arith::AndIOp>(sign, s.constant(bits.getType(), rest));
  return s.op<arith::XOrIOp>(bits, mask);
}

/// The first `count` of each line.
static Value createFirstOfLines(OpBuilder &builder, Location loc, Value tensor,
                                OpFoldResult count) {
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, tensor);
  sizes.back() = count;
  SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, zeros, sizes, ones);
}

/// The first `k` of the lines of `operand` in falling (or rising) order, and where they were. Ends
/// the run if there are not that many.
static SmallVector<Value> createTopK(OpBuilder &builder, Location loc, Value operand,
                                     OpFoldResult k, RankedTensorType valuesType,
                                     RankedTensorType indicesType, bool isUnsigned, bool largest,
                                     SortForm form) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t last = type.getRank() - 1;
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, operand);
  if (type.isDynamicDim(last) || isa<Value>(k)) {
    Value size = getDim(builder, loc, operand, last);
    Value count = getValueOrCreateConstantIndexOp(builder, loc, k);
    // Unsigned: a negative number of elements is too many as well.
    Value enough = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, size, count);
    createRuntimeAssert(builder, loc, enough, "top_k: expected at least {1} elements, but got {0}",
                        {size, count});
  }
  Type indexElement = indicesType.getElementType();
  Value empty = createEmpty(builder, loc, type.clone(indexElement), sizes);
  Value positions = createIndexed(
      builder, loc, empty, [&](OpBuilder &b, Location l, ValueRange indices) -> Value {
        return arith::IndexCastOp::create(b, l, indexElement, indices[last]);
      });
  auto greater = isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  auto comesBefore = [&](OpBuilder &b, ValueRange lhs, ValueRange rhs) {
    ScalarBuilder s(b, loc);
    Value l = getSortKey(s, lhs[0]), r = getSortKey(s, rhs[0]);
    return largest ? s.cmp(greater, l, r) : s.cmp(greater, r, l);
  };
  Order order{comesBefore, /*isStrictWeak=*/true};
  SmallVector<Value> sorted = createMergeSort(builder, loc, {operand, positions}, last, order, form,
                                              getConstantIntValue(k));
  RankedTensorType types[] = {valuesType, indicesType};
  for (auto [value, result] : llvm::zip(sorted, types))
    value = castTensor(builder, loc, createFirstOfLines(builder, loc, value, k), result);
  return sorted;
}

namespace {

struct TopKPattern : OrderingPattern<TopKOp> {
  using OrderingPattern::OrderingPattern;

  LogicalResult matchAndRewrite(TopKOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto values = getTypeConverter()->convertType<RankedTensorType>(op.getValues().getType());
    Type element = op.getOperand().getType().getElementType();
    rewriter.replaceOp(op,
                       createTopK(rewriter, op.getLoc(), adaptor.getOperand(),
                                  rewriter.getIndexAttr(values.getShape().back()), values,
                                  op.getIndices().getType(), isUnsignedType(element), true, form));
    return success();
  }
};

/// `stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64, largest = true}}`.
struct TopKCallPattern : OrderingPattern<CustomCallOp> {
  using OrderingPattern::OrderingPattern;

  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != "mhlo.topk")
      return rewriter.notifyMatchFailure(op, "it calls something else");
    auto attributes = op->getAttrOfType<DictionaryAttr>("mhlo.attributes");
    auto k = attributes ? attributes.getAs<IntegerAttr>("k") : nullptr;
    if (!k || op.getInputs().size() != 1 || op.getNumResults() != 2)
      return refuseOp(op, "it is not of the form that mhlo.topk has");
    auto operandType = dyn_cast<RankedTensorType>(op.getInputs().front().getType());
    auto values = getTypeConverter()->convertType<RankedTensorType>(op.getResult(0).getType());
    auto indices = getTypeConverter()->convertType<RankedTensorType>(op.getResult(1).getType());
    if (!operandType || !values || !indices || !isa<IntegerType>(indices.getElementType()) ||
        !fits(operandType, values, k.getInt()) || !fits(operandType, indices, k.getInt()))
      return refuseOp(op, "its types do not fit mhlo.topk");
    auto largest = attributes.getAs<BoolAttr>("largest");
    rewriter.replaceOp(op, createTopK(rewriter, op.getLoc(), adaptor.getInputs().front(),
                                      rewriter.getIndexAttr(k.getInt()), values, indices,
                                      isUnsignedType(operandType.getElementType()),
                                      !largest || largest.getValue(), form));
    return success();
  }

private:
  /// A result has the operand's shape with k elements last.
  static bool fits(RankedTensorType operand, RankedTensorType result, int64_t k) {
    if (operand.getRank() == 0 || result.getRank() != operand.getRank())
      return false;
    SmallVector<int64_t> expected(operand.getShape());
    if (!ShapedType::isDynamic(expected.back()) && k > expected.back())
      return false;
    expected.back() = k;
    return result.getShape() == ArrayRef<int64_t>(expected);
  }
};

/// `stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k)`.
struct DynamicTopKPattern : OrderingPattern<CustomCallOp> {
  using OrderingPattern::OrderingPattern;

  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != stablehlo::kDynamicTopK)
      return rewriter.notifyMatchFailure(op, "it calls something else");
    Location loc = op.getLoc();
    ValueRange inputs = adaptor.getInputs();
    auto values = getTypeConverter()->convertType<RankedTensorType>(op->getResult(0).getType());
    auto indices = getTypeConverter()->convertType<RankedTensorType>(op->getResult(1).getType());
    Value k = castToIndex(rewriter, loc, extractScalar(rewriter, loc, inputs[1]));
    for (RankedTensorType type : {values, indices})
      assertDeclaredSize(rewriter, loc, "dynamic_top_k", k, type, type.getRank() - 1);
    Type element = getElementTypeOrSelf(op.getInputs().front().getType());
    rewriter.replaceOp(op, createTopK(rewriter, loc, inputs[0], getAsOpFoldResult(k), values,
                                      indices, isUnsignedType(element), /*largest=*/true, form));
    return success();
  }
};

} // namespace

void forge::populateSortPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                                 bool chunkedSorts) {
  patterns.add<SortPattern, TopKPattern, TopKCallPattern, DynamicTopKPattern, ApproxTopKPattern>(
      converter, patterns.getContext(), chunkedSorts ? SortForm::Chunked : SortForm::Sequential);
}
