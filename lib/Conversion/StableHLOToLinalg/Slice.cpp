// Ops that cut and join: slice, dynamic_slice, dynamic_update_slice, concatenate, pad.
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using stablehlo::ConcatenateOp;
using stablehlo::DynamicSliceOp;
using stablehlo::DynamicUpdateSliceOp;
using stablehlo::PadOp;
using stablehlo::SliceOp;

static SmallVector<OpFoldResult> getIndexAttrs(OpBuilder &builder, ArrayRef<int64_t> values) {
  return llvm::map_to_vector(
      values, [&](int64_t value) -> OpFoldResult { return builder.getIndexAttr(value); });
}

static SmallVector<OpFoldResult> getUnitStrides(OpBuilder &builder, int64_t rank) {
  return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1));
}

/// Start indices as index values, moved so that a slice of `sizes` stays inside of `tensor`.
static SmallVector<OpFoldResult> getClampedStarts(OpBuilder &builder, Location loc, Value tensor,
                                                  ValueRange original, ValueRange starts,
                                                  ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> clamped;
  for (auto [dim, start] : llvm::enumerate(starts)) {
    bool isUnsigned = getElementTypeOrSelf(original[dim].getType()).isUnsignedInteger();
    Value index = castToIndex(builder, loc, extractScalar(builder, loc, start), isUnsigned);
    Value size = getDim(builder, loc, tensor, dim);
    Value slice = getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]);
    clamped.push_back(getAsOpFoldResult(clampStart(builder, loc, index, size, slice)));
  }
  return clamped;
}

/// What has no elements is not inserted: tensor.insert_slice wants an offset inside of the result.
static bool isEmpty(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return llvm::is_contained(tensor.getShape(), 0);
}

namespace {

struct SlicePattern : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    if (type.getRank() == 0) {
      rewriter.replaceOp(op, adaptor.getOperand());
      return success();
    }
    SmallVector<int64_t> sizes;
    for (auto [start, limit, stride] :
         llvm::zip_equal(op.getStartIndices(), op.getLimitIndices(), op.getStrides()))
      sizes.push_back(llvm::divideCeil(limit - start, stride));
    auto staticType = RankedTensorType::get(sizes, type.getElementType());
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), staticType, adaptor.getOperand(),
        getIndexAttrs(rewriter, op.getStartIndices()), getIndexAttrs(rewriter, sizes),
        getIndexAttrs(rewriter, op.getStrides()));
    rewriter.replaceOp(op, castTensor(rewriter, op.getLoc(), slice, type));
    return success();
  }
};

struct DynamicSlicePattern : OpConversionPattern<DynamicSliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    if (type.getRank() == 0) {
      rewriter.replaceOp(op, adaptor.getOperand());
      return success();
    }
    auto sizes = getIndexAttrs(rewriter, op.getSliceSizes());
    auto starts = getClampedStarts(rewriter, loc, adaptor.getOperand(), op.getStartIndices(),
                                   adaptor.getStartIndices(), sizes);
    auto staticType = RankedTensorType::get(op.getSliceSizes(), type.getElementType());
    Value slice =
        tensor::ExtractSliceOp::create(rewriter, loc, staticType, adaptor.getOperand(), starts,
                                       sizes, getUnitStrides(rewriter, sizes.size()));
    rewriter.replaceOp(op, castTensor(rewriter, loc, slice, type));
    return success();
  }
};

/// insert_slice: bufferization writes in place where nothing reads the old tensor afterwards.
struct DynamicUpdateSlicePattern : OpConversionPattern<DynamicUpdateSliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicUpdateSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    if (type.getRank() == 0) {
      rewriter.replaceOp(op, adaptor.getUpdate());
      return success();
    }
    if (isEmpty(adaptor.getUpdate().getType())) {
      rewriter.replaceOp(op, castTensor(rewriter, loc, adaptor.getOperand(), type));
      return success();
    }
    SmallVector<OpFoldResult> sizes = getSizes(rewriter, loc, adaptor.getUpdate());
    auto starts = getClampedStarts(rewriter, loc, adaptor.getOperand(), op.getStartIndices(),
                                   adaptor.getStartIndices(), sizes);
    Value result =
        tensor::InsertSliceOp::create(rewriter, loc, adaptor.getUpdate(), adaptor.getOperand(),
                                      starts, sizes, getUnitStrides(rewriter, sizes.size()));
    rewriter.replaceOp(op, castTensor(rewriter, loc, result, type));
    return success();
  }
};

struct ConcatenatePattern : OpConversionPattern<ConcatenateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ConcatenateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    int64_t dim = op.getDimension();
    Value shape = dim == 0 ? joinScalars(rewriter, loc, adaptor.getInputs(), type) : Value();
    if (shape) {
      rewriter.replaceOp(op, shape);
      return success();
    }
    // 1. Where each input starts; the last sum is the size of the result.
    SmallVector<OpFoldResult> starts;
    OpFoldResult end = rewriter.getIndexAttr(0);
    for (Value input : adaptor.getInputs()) {
      starts.push_back(end);
      OpFoldResult size = getSizes(rewriter, loc, input)[dim];
      end = getAsOpFoldResult(rewriter.createOrFold<arith::AddIOp>(
          loc, getValueOrCreateConstantIndexOp(rewriter, loc, end),
          getValueOrCreateConstantIndexOp(rewriter, loc, size)));
    }
    // 2. One insertion per input.
    SmallVector<OpFoldResult> sizes = getSizes(rewriter, loc, adaptor.getInputs().front());
    sizes[dim] = end;
    Value result = createEmpty(rewriter, loc, type, sizes);
    for (auto [input, start] : llvm::zip_equal(adaptor.getInputs(), starts)) {
      if (isEmpty(input.getType()))
        continue;
      SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
      offsets[dim] = start;
      result = tensor::InsertSliceOp::create(rewriter, loc, input, result, offsets,
                                             getSizes(rewriter, loc, input),
                                             getUnitStrides(rewriter, type.getRank()));
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// Shapes and paddings are put together from small integer tensors: those stay scalars. Along the
  /// first dimension, the elements of the result are those of the inputs in turn.
  static Value joinScalars(OpBuilder &builder, Location loc, ValueRange inputs,
                           RankedTensorType type) {
    if (type.getRank() == 0 || !type.hasStaticShape() || type.getNumElements() > 16 ||
        !type.getElementType().isIntOrIndex())
      return nullptr;
    SmallVector<Value> elements;
    for (Value input : inputs) {
      auto inputType = cast<RankedTensorType>(input.getType());
      if (!inputType.hasStaticShape())
        return nullptr;
      bool isLine = inputType.getRank() == 1, isKnown = isKnownByElement(input);
      if (!isLine && !isKnown)
        return nullptr;
      for (int64_t i = 0; i < inputType.getNumElements(); ++i)
        elements.push_back(extractElement(builder, loc, input, i));
    }
    return tensor::FromElementsOp::create(builder, loc, type, elements);
  }
};

/// One dimension of pad: which operand elements stay, and where they go.
struct PadDim {
  int64_t firstRead = 0; // first operand element that is inside of the result
  int64_t count = 0;     // how many are
  int64_t firstWritten = 0;
  int64_t stride = 1;
};

} // namespace

static PadDim planPadDim(int64_t size, int64_t resultSize, int64_t low, int64_t interior) {
  // Element i goes to low + i * stride; keep those in [0, resultSize). Elements that are cut off
  // may lie further away than 63 bits count.
  using Wide = __int128;
  Wide stride = Wide(interior) + 1;
  Wide firstRead = low < 0 ? (stride - 1 - low) / stride : 0;
  Wide firstWritten = low + firstRead * stride;
  Wide count = firstWritten < resultSize ? (resultSize - 1 - firstWritten) / stride + 1 : 0;
  count = std::min<Wide>(count, size - firstRead);
  if (count <= 0)
    return PadDim();
  return {static_cast<int64_t>(firstRead), static_cast<int64_t>(count),
          static_cast<int64_t>(firstWritten), count == 1 ? 1 : static_cast<int64_t>(stride)};
}

namespace {

/// The padding value everywhere, then the operand inserted with stride interior + 1. Negative edge
/// padding cuts elements off.
struct PadPattern : OpConversionPattern<PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    auto operandType = cast<RankedTensorType>(operand.getType());
    Value padding = extractScalar(rewriter, loc, adaptor.getPaddingValue());
    if (!type.hasStaticShape() || !operandType.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    Value result = createFill(rewriter, loc, type, padding, {});
    SmallVector<int64_t> reads, counts, writes, strides;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      PadDim plan = planPadDim(operandType.getDimSize(dim), type.getDimSize(dim),
                               op.getEdgePaddingLow()[dim], op.getInteriorPadding()[dim]);
      reads.push_back(plan.firstRead);
      counts.push_back(plan.count);
      writes.push_back(plan.firstWritten);
      strides.push_back(plan.stride);
    }
    if (llvm::is_contained(counts, 0)) {
      rewriter.replaceOp(op, result);
      return success();
    }
    if (type.getRank() == 0) {
      rewriter.replaceOp(op, operand);
      return success();
    }
    auto keptType = RankedTensorType::get(counts, type.getElementType());
    if (keptType != operandType)
      operand = tensor::ExtractSliceOp::create(
          rewriter, loc, keptType, operand, getIndexAttrs(rewriter, reads),
          getIndexAttrs(rewriter, counts), getUnitStrides(rewriter, type.getRank()));
    result = tensor::InsertSliceOp::create(
        rewriter, loc, operand, result, getIndexAttrs(rewriter, writes),
        getIndexAttrs(rewriter, counts), getIndexAttrs(rewriter, strides));
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void forge::populateSlicePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<SlicePattern, DynamicSlicePattern, DynamicUpdateSlicePattern, ConcatenatePattern,
               PadPattern>(converter, patterns.getContext());
}
