// convolution and dynamic_conv: sizes, padding and kernel; the loops are made by ConvolutionForms.
#include "ConvolutionForms.h"
#include "Refuse.h"
#include "RuntimeWindow.h"
#include "WindowLowering.h"
#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using stablehlo::ConvDimensionNumbersAttr;
using stablehlo::ConvolutionOp;
using stablehlo::DynamicConvOp;
using stablehlo::WindowDim;

/// One entry per dimension of the input; those that are not spatial stay as they are.
template <typename Dim>
static SmallVector<Dim> getInputWindow(ConvDimensionNumbersAttr dims, SmallVector<Dim> result,
                                       ArrayRef<Dim> window) {
  for (auto [dim, w] : llvm::zip(dims.getInputSpatialDimensions(), window))
    result[dim] = w;
  return result;
}

/// The sizes of the result, each checked against the declared one where that is known. Ends the run
/// if the operands' sizes do not go together.
static SmallVector<OpFoldResult> getResultSizes(OpBuilder &builder, Location loc, const Conv &conv,
                                                ArrayRef<RuntimeWindowDim> window) {
  IndexBuilder ib{builder, loc};
  auto dims = conv.dims;
  SmallVector<OpFoldResult> sizes(conv.rank());
  auto setSize = [&](int64_t dim, Value size) {
    assertDeclaredSize(builder, loc, "convolution", size, conv.type, dim);
    sizes[dim] = conv.type.isDynamicDim(dim) ? getAsOpFoldResult(size)
                                             : builder.getIndexAttr(conv.type.getDimSize(dim));
  };
  auto require = [&](Value size, Value expected, StringRef what) {
    Value same = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, size, expected);
    createRuntimeAssert(builder, loc, same, "convolution: expected {1} " + what + ", but got {0}",
                        {size, expected});
  };
  Value batch = getDim(builder, loc, conv.lhs, dims.getInputBatchDimension());
  Value images = builder.createOrFold<arith::DivUIOp>(loc, batch, ib.constant(conv.batchGroups));
  require(batch, ib.mul(images, conv.batchGroups), "images, a multiple of batch_group_count");
  setSize(dims.getOutputBatchDimension(), images);
  Value kernelFeatures = getDim(builder, loc, conv.rhs, dims.getKernelInputFeatureDimension());
  require(getDim(builder, loc, conv.lhs, dims.getInputFeatureDimension()),
          ib.mul(kernelFeatures, conv.featureGroups), "input features");
  Value features = getDim(builder, loc, conv.rhs, dims.getKernelOutputFeatureDimension());
  Value perGroup = builder.createOrFold<arith::DivUIOp>(loc, features, ib.constant(conv.groups()));
  require(features, ib.mul(perGroup, conv.groups()), "output features, a multiple of the groups");
  setSize(dims.getOutputFeatureDimension(), features);
  for (auto [i, w] : llvm::enumerate(window)) {
    Value size = getDim(builder, loc, conv.lhs, dims.getInputSpatialDimensions()[i]);
    setSize(dims.getOutputSpatialDimensions()[i], createWindowCount(builder, loc, size, w));
  }
  return sizes;
}

/// `conv.lhs` padded with zeros by amounts known at run time.
static Value padInput(OpBuilder &builder, Location loc, const Conv &conv,
                      ArrayRef<RuntimeWindowDim> window) {
  auto zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<RuntimeWindowDim> padding = getInputWindow(
      conv.dims, SmallVector<RuntimeWindowDim>(conv.rank(), RuntimeWindowDim{one, zero, zero, one}),
      window);
  Value scalar = arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(conv.lhsShape().getElementType()));
  return createRuntimePadded(builder, loc, conv.lhs, scalar, padding);
}

/// The kernel with the dimensions turned round that are read from their end; an op that is lowered
/// in its turn.
template <typename ConvOp>
static Value getForwardKernel(ConvOp op, Value rhs, ArrayRef<WindowDim> window,
                              const TypeConverter &converter, ConversionPatternRewriter &rewriter) {
  SmallVector<int64_t> reversed;
  for (auto [dim, w] : llvm::zip(op.getDimensionNumbers().getKernelSpatialDimensions(), window))
    if (w.reversed)
      reversed.push_back(dim);
  if (reversed.empty())
    return rhs;
  Value forward =
      stablehlo::ReverseOp::create(rewriter, op.getLoc(), op.getRhs().getType(), op.getRhs(),
                                   rewriter.getDenseI64ArrayAttr(reversed));
  return converter.materializeTargetConversion(rewriter, op.getLoc(), rhs.getType(), forward);
}

/// 1. Turn the kernel where it is read from its end.
/// 2. Pad and dilate the input with zeros: as an op that is lowered in its turn if all is static,
///    else here, after the sizes have been checked.
/// 3. Cut patches and multiply matrices, or loop directly.
/// 4. Round to the result's type where step 3 accumulated in a wider one.
/// Patches are cut as `patches` says. `padding` holds what `window` does
/// not know, low and high in turn; empty if it knows all.
template <typename ConvOp>
static LogicalResult lowerConv(ConvOp op, Value lhs, Value rhs, ArrayRef<WindowDim> window,
                               ArrayRef<OpFoldResult> padding, PatchLimits patches,
                               const TypeConverter &converter,
                               ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType lhsType = op.getLhs().getType(), rhsType = op.getRhs().getType();
  if (isa<FloatType>(lhsType.getElementType()) && !isa<FloatType>(op.getType().getElementType()))
    return refuseOp(op, "it makes integers of floats");
  auto type = converter.convertType<RankedTensorType>(op.getType());
  Conv conv{lhs,
            getForwardKernel(op, rhs, window, converter, rewriter),
            lhsType.getElementType(),
            rhsType.getElementType(),
            type,
            getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()),
            op.getDimensionNumbers(),
            SmallVector<WindowDim>(window),
            int64_t(op.getFeatureGroupCount()),
            int64_t(op.getBatchGroupCount())};
  SmallVector<RuntimeWindowDim> values = getRuntimeWindow(rewriter, window);
  for (auto [i, w] : llvm::enumerate(values)) {
    if (!w.size)
      w.size = getAsOpFoldResult(
          getDim(rewriter, loc, conv.rhs, conv.dims.getKernelSpatialDimensions()[i]));
    if (!padding.empty())
      std::tie(w.padLow, w.padHigh) = std::make_pair(padding[2 * i], padding[2 * i + 1]);
  }
  bool isStatic = lhsType.hasStaticShape() && rhsType.hasStaticShape() && type.hasStaticShape() &&
                  padding.empty();
  if (!isStatic)
    conv.sizes = getResultSizes(rewriter, loc, conv, values);
  if (needsPadding(values) && !isStatic) {
    conv.lhs = padInput(rewriter, loc, conv, values);
  } else if (needsPadding(values)) {
    auto scalar = RankedTensorType::get({}, lhsType.getElementType());
    Value zero = stablehlo::ConstantOp::create(rewriter, loc, scalar,
                                               cast<ElementsAttr>(rewriter.getZeroAttr(scalar)));
    conv.lhs =
        createPadded(rewriter, converter, loc, op.getLhs(), zero,
                     getInputWindow(conv.dims, SmallVector<WindowDim>(lhsType.getRank()), window));
  }
  Value result = createConvolution(rewriter, loc, conv, patches);
  result = castTensor(rewriter, loc, result, conv.accType());
  rewriter.replaceOp(op, roundTensor(rewriter, loc, result, type, conv.sizes));
  return success();
}

namespace {

struct ConvolutionPattern : OpConversionPattern<ConvolutionOp> {
  ConvolutionPattern(const TypeConverter &converter, MLIRContext *context, PatchLimits patches)
      : OpConversionPattern(converter, context), patches(patches) {}

  LogicalResult matchAndRewrite(ConvolutionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerConv(op, adaptor.getLhs(), adaptor.getRhs(), getWindow(op), {}, patches,
                     *getTypeConverter(), rewriter);
  }

private:
  PatchLimits patches;
};

struct DynamicConvPattern : OpConversionPattern<DynamicConvOp> {
  DynamicConvPattern(const TypeConverter &converter, MLIRContext *context, PatchLimits patches)
      : OpConversionPattern(converter, context), patches(patches) {}

  LogicalResult matchAndRewrite(DynamicConvOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<WindowDim> window = getWindow(op);
    SmallVector<OpFoldResult> padding = getPadding(op, adaptor, rewriter);
    if (isConstant(op, padding, window))
      padding.clear();
    return lowerConv(op, adaptor.getLhs(), adaptor.getRhs(), window, padding, patches,
                     *getTypeConverter(), rewriter);
  }

private:
  static SmallVector<OpFoldResult> getPadding(DynamicConvOp op, OpAdaptor adaptor,
                                              OpBuilder &builder) {
    SmallVector<OpFoldResult> padding;
    int64_t spatial = op.getDimensionNumbers().getInputSpatialDimensions().size();
    for (int64_t dim = 0; dim < spatial; ++dim) {
      for (int64_t side = 0; side < 2; ++side) {
        Value amount = extractElement(builder, op.getLoc(), adaptor.getPadding(), dim, side);
        padding.push_back(getAsOpFoldResult(castToIndex(builder, op.getLoc(), amount)));
      }
    }
    return padding;
  }

  /// Whether the padding is constant and gives the result its declared shape; then it is put into
  /// `window`. (A padding that does not is left to be refused at run time.)
  static bool isConstant(DynamicConvOp op, ArrayRef<OpFoldResult> padding,
                         MutableArrayRef<WindowDim> window) {
    ArrayRef<int64_t> inputDims = op.getDimensionNumbers().getInputSpatialDimensions();
    ArrayRef<int64_t> outputDims = op.getDimensionNumbers().getOutputSpatialDimensions();
    SmallVector<WindowDim> padded(window);
    for (auto [i, w] : llvm::enumerate(padded)) {
      auto low = getConstantIntValue(padding[2 * i]),
           high = getConstantIntValue(padding[2 * i + 1]);
      if (!low || !high)
        return false;
      w.padLow = *low;
      w.padHigh = *high;
      auto count = countWindows(op.getLhs().getType().getDimSize(inputDims[i]), w);
      if (!count || *count != op.getType().getDimSize(outputDims[i]))
        return false;
    }
    llvm::copy(padded, window.begin());
    return true;
  }

  PatchLimits patches;
};

} // namespace

void forge::populateConvolutionPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                                        PatchLimits patches) {
  patterns.add<ConvolutionPattern, DynamicConvPattern>(converter, patterns.getContext(), patches);
}
