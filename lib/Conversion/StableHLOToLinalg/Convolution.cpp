// convolution and dynamic_conv: a matrix product of patches where that pays, otherwise loops over
// the padded input.
#include "ScalarBuilder.h"
#include "WindowLowering.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge;
using stablehlo::ConvDimensionNumbersAttr;
using stablehlo::ConvolutionOp;
using stablehlo::DynamicConvOp;
using stablehlo::WindowDim;

namespace {

/// A convolution of static shape whose input is padded and dilated and whose kernel stands forward.
struct Conv {
  Value lhs, rhs;        // signless
  Type lhsType, rhsType; // original element types
  RankedTensorType type; // of the result, signless
  ConvDimensionNumbersAttr dims;
  SmallVector<WindowDim> window; // size, stride and windowDilation of each spatial dimension
  int64_t featureGroups, batchGroups;

  RankedTensorType lhsShape() const { return cast<RankedTensorType>(lhs.getType()); }
  RankedTensorType rhsShape() const { return cast<RankedTensorType>(rhs.getType()); }
  int64_t groups() const { return featureGroups * batchGroups; }
  int64_t rank() const { return type.getRank(); }
  RankedTensorType accType() const {
    return RankedTensorType::get(type.getShape(), getComputeType(type.getElementType()));
  }
};

} // namespace

/// acc + lhs * rhs in the type of acc, the additions in any order.
static Value emitMultiplyAdd(ScalarBuilder &s, const Conv &conv, ValueRange args) {
  Type type = args[2].getType();
  Value lhs = convertScalar(s, args[0], conv.lhsType, type);
  Value rhs = convertScalar(s, args[1], conv.rhsType, type);
  if (type.isInteger(1))
    return s.op<arith::OrIOp>(args[2], s.op<arith::AndIOp>(lhs, rhs));
  if (isa<IntegerType>(type))
    return s.op<arith::AddIOp>(args[2], s.op<arith::MulIOp>(lhs, rhs));
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  Value product = arith::MulFOp::create(s.b, lhs, rhs, flags);
  return arith::AddFOp::create(s.b, args[2], product, flags);
}

/// A tensor of `type` filled with zeros.
static Value createZeros(OpBuilder &builder, Location loc, RankedTensorType type) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  return createFill(builder, loc, type, zero, {});
}

/// For each dimension of a tensor, the dimensions it has after dimension `split` became two.
static SmallVector<ReassociationIndices> getSplitGroups(int64_t rank, int64_t split) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    groups.push_back({next++});
    if (dim == split)
      groups.back().push_back(next++);
  }
  return groups;
}

/// The shape with dimension `dim` taken apart into `groups` equal parts: [..., groups, rest, ...].
static SmallVector<int64_t> getSplitShape(ArrayRef<int64_t> shape, int64_t dim, int64_t groups) {
  SmallVector<int64_t> split(shape);
  split[dim] /= groups;
  split.insert(split.begin() + dim, groups);
  return split;
}

static Value splitDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim, int64_t groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto split = type.clone(getSplitShape(type.getShape(), dim, groups));
  return tensor::ExpandShapeOp::create(builder, loc, split, tensor,
                                       getSplitGroups(type.getRank(), dim));
}

/// The general form. Loops: batch, group, features of a group, spatial places; then the reductions
/// over the kernel's input features and its spatial places. Input and kernel, and the result, get
/// one dimension more: the group.
static Value createDirect(OpBuilder &builder, Location loc, const Conv &conv) {
  auto dims = conv.dims;
  int64_t spatial = conv.window.size();
  enum { Batch, Group, Feature, Place };
  auto loop = [&](int64_t index) { return builder.getAffineDimExpr(index); };
  int64_t inputFeature = Place + spatial, kernelPlace = inputFeature + 1;
  int64_t numLoops = kernelPlace + spatial;

  int64_t splitInput =
      conv.batchGroups > 1 ? dims.getInputBatchDimension() : dims.getInputFeatureDimension();
  // The group comes in front of the dimension that it was part of.
  auto insertGroup = [&](SmallVector<AffineExpr> exprs, int64_t dim) {
    exprs.insert(exprs.begin() + dim, loop(Group));
    return AffineMap::get(numLoops, 0, exprs, builder.getContext());
  };
  SmallVector<AffineExpr> input(conv.rank()), kernel(conv.rank()), output(conv.rank());
  input[dims.getInputBatchDimension()] = output[dims.getOutputBatchDimension()] = loop(Batch);
  input[dims.getInputFeatureDimension()] = kernel[dims.getKernelInputFeatureDimension()] =
      loop(inputFeature);
  kernel[dims.getKernelOutputFeatureDimension()] = output[dims.getOutputFeatureDimension()] =
      loop(Feature);
  for (auto [i, w] : llvm::enumerate(conv.window)) {
    input[dims.getInputSpatialDimensions()[i]] =
        loop(Place + i) * w.stride + loop(kernelPlace + i) * w.windowDilation;
    kernel[dims.getKernelSpatialDimensions()[i]] = loop(kernelPlace + i);
    output[dims.getOutputSpatialDimensions()[i]] = loop(Place + i);
  }
  SmallVector<AffineMap> maps = {insertGroup(input, splitInput),
                                 insertGroup(kernel, dims.getKernelOutputFeatureDimension()),
                                 insertGroup(output, dims.getOutputFeatureDimension())};
  SmallVector<utils::IteratorType> iterators = parallelIterators(Place + spatial);
  iterators.append(1 + spatial, utils::IteratorType::reduction);

  int64_t groups = conv.groups(), outputFeature = dims.getOutputFeatureDimension();
  Value lhs = splitDim(builder, loc, conv.lhs, splitInput, groups);
  Value rhs = splitDim(builder, loc, conv.rhs, dims.getKernelOutputFeatureDimension(), groups);
  RankedTensorType accType = conv.accType();
  Value init = createZeros(builder, loc,
                           accType.clone(getSplitShape(accType.getShape(), outputFeature, groups)));
  auto generic =
      linalg::GenericOp::create(builder, loc, init.getType(), ValueRange{lhs, rhs}, init, maps,
                                iterators, [&](OpBuilder &b, Location l, ValueRange args) {
                                  ScalarBuilder s(b, l);
                                  linalg::YieldOp::create(b, l, emitMultiplyAdd(s, conv, args));
                                });
  return tensor::CollapseShapeOp::create(builder, loc, accType, generic.getResult(0),
                                         getSplitGroups(conv.rank(), outputFeature));
}

/// `tensor` with its dimensions in the order `order`.
static Value createTranspose(OpBuilder &builder, Location loc, Value tensor,
                             ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  Value init = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, tensor, init, order)->getResult(0);
}

/// The patches that the windows cut from the input: [batch, places..., kernel places..., features].
static Value createPatches(OpBuilder &builder, Location loc, const Conv &conv) {
  int64_t spatial = conv.window.size(), numLoops = 2 * spatial + 2;
  SmallVector<int64_t> shape = {conv.lhsShape().getDimSize(conv.dims.getInputBatchDimension())};
  for (int64_t dim : conv.dims.getOutputSpatialDimensions())
    shape.push_back(conv.type.getDimSize(dim));
  for (const WindowDim &w : conv.window)
    shape.push_back(w.size);
  shape.push_back(conv.lhsShape().getDimSize(conv.dims.getInputFeatureDimension()));
  SmallVector<AffineExpr> input(conv.rank());
  input[conv.dims.getInputBatchDimension()] = builder.getAffineDimExpr(0);
  input[conv.dims.getInputFeatureDimension()] = builder.getAffineDimExpr(numLoops - 1);
  for (auto [i, w] : llvm::enumerate(conv.window))
    input[conv.dims.getInputSpatialDimensions()[i]] =
        builder.getAffineDimExpr(1 + i) * w.stride +
        builder.getAffineDimExpr(1 + spatial + i) * w.windowDilation;
  Value init = tensor::EmptyOp::create(builder, loc, shape, conv.lhsShape().getElementType());
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), conv.lhs, init,
      ArrayRef<AffineMap>{AffineMap::get(numLoops, 0, input, builder.getContext()),
                          builder.getMultiDimIdentityMap(numLoops)},
      parallelIterators(numLoops),
      [](OpBuilder &b, Location l, ValueRange args) { linalg::YieldOp::create(b, l, args[0]); });
  return generic.getResult(0);
}

/// All but the last `trailing` dimensions as one, and these as another.
static Value collapseToMatrix(OpBuilder &builder, Location loc, Value tensor, int64_t trailing) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dim = 0; dim < rank; ++dim)
    groups[dim >= rank - trailing].push_back(dim);
  return tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
}

/// One group, floats: patches [batch * places, kernel * features] times the kernel as a matrix.
static Value createAsMatmul(OpBuilder &builder, Location loc, const Conv &conv) {
  auto dims = conv.dims;
  int64_t spatial = conv.window.size();
  SmallVector<int64_t> kernelOrder(dims.getKernelSpatialDimensions());
  kernelOrder.push_back(dims.getKernelInputFeatureDimension());
  kernelOrder.push_back(dims.getKernelOutputFeatureDimension());
  Value kernel =
      collapseToMatrix(builder, loc, createTranspose(builder, loc, conv.rhs, kernelOrder), 1);
  Value patches = createPatches(builder, loc, conv);
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(patches.getType()).getShape().take_front(1 + spatial));
  Value matrix = collapseToMatrix(builder, loc, patches, spatial + 1);

  RankedTensorType accType = conv.accType();
  int64_t rows = cast<RankedTensorType>(matrix.getType()).getDimSize(0);
  int64_t columns = cast<RankedTensorType>(kernel.getType()).getDimSize(1);
  Value init = createZeros(builder, loc, accType.clone({rows, columns}));
  Value product = linalg::MatmulOp::create(builder, loc, init.getType(), ValueRange{matrix, kernel},
                                           ValueRange{init})
                      .getResult(0);
  shape.push_back(columns);
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dim = 0; dim <= spatial; ++dim)
    groups[0].push_back(dim);
  groups[1].push_back(spatial + 1);
  product = tensor::ExpandShapeOp::create(builder, loc, accType.clone(shape), product, groups);
  // From [batch, places..., features] to the order of the result.
  SmallVector<int64_t> order(conv.rank());
  order[dims.getOutputBatchDimension()] = 0;
  order[dims.getOutputFeatureDimension()] = spatial + 1;
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
    order[dim] = 1 + i;
  return createTranspose(builder, loc, product, order);
}

/// Whether the patches are worth their memory: one group, floats, and no more than 2^26 elements.
static bool prefersMatmul(const Conv &conv) {
  if (conv.groups() != 1 || !isa<FloatType>(conv.type.getElementType()) ||
      !isa<FloatType>(conv.lhsType) || conv.lhsType != conv.rhsType)
    return false;
  int64_t elements = conv.lhsShape().getDimSize(conv.dims.getInputBatchDimension()) *
                     conv.lhsShape().getDimSize(conv.dims.getInputFeatureDimension());
  constexpr int64_t limit = int64_t(1) << 26;
  for (auto [dim, w] : llvm::zip(conv.dims.getOutputSpatialDimensions(), conv.window)) {
    if (llvm::MulOverflow(elements, conv.type.getDimSize(dim), elements) ||
        llvm::MulOverflow(elements, w.size, elements))
      return false;
  }
  return elements > 0 && elements <= limit;
}

/// The low and high padding of the input's dimensions, with those that are not spatial.
static SmallVector<WindowDim> getInputPadding(ConvDimensionNumbersAttr dims, int64_t rank,
                                              ArrayRef<WindowDim> window) {
  SmallVector<WindowDim> padding(rank);
  for (auto [dim, w] : llvm::zip(dims.getInputSpatialDimensions(), window))
    padding[dim] = w;
  return padding;
}

static bool needsPadding(ArrayRef<WindowDim> window) {
  return llvm::any_of(window, [](const WindowDim &w) {
    return w.padLow != 0 || w.padHigh != 0 || w.baseDilation != 1;
  });
}

/// 1. Pad and dilate the input with zeros, reverse the kernel where it is read from its end (both
/// as
///    ops that are lowered in their turn).
/// 2. Cut patches and multiply matrices, or loop directly.
/// 3. Round to the result's type where step 2 accumulated in a wider one.
template <typename ConvOp>
static LogicalResult lowerConv(ConvOp op, Value lhs, Value rhs, ArrayRef<WindowDim> window,
                               const TypeConverter &converter,
                               ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType lhsType = op.getLhs().getType(), rhsType = op.getRhs().getType();
  if (!lhsType.hasStaticShape() || !rhsType.hasStaticShape() || !op.getType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "its shape is dynamic");
  if (isa<FloatType>(lhsType.getElementType()) != isa<FloatType>(op.getType().getElementType()))
    return rewriter.notifyMatchFailure(op, "it makes integers of floats, or floats of integers");
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  if (needsPadding(window)) {
    auto scalar = RankedTensorType::get({}, lhsType.getElementType());
    Value zero = stablehlo::ConstantOp::create(rewriter, loc, scalar,
                                               cast<ElementsAttr>(rewriter.getZeroAttr(scalar)));
    lhs = createPadded(rewriter, converter, loc, op.getLhs(), zero,
                       getInputPadding(dims, lhsType.getRank(), window));
  }
  SmallVector<int64_t> reversed;
  for (auto [dim, w] : llvm::zip(dims.getKernelSpatialDimensions(), window))
    if (w.reversed)
      reversed.push_back(dim);
  if (!reversed.empty()) {
    Value forward = stablehlo::ReverseOp::create(rewriter, loc, rhsType, op.getRhs(),
                                                 rewriter.getDenseI64ArrayAttr(reversed));
    rhs = converter.materializeTargetConversion(rewriter, loc, rhs.getType(), forward);
  }
  auto type = converter.convertType<RankedTensorType>(op.getType());
  Conv conv{lhs,
            rhs,
            lhsType.getElementType(),
            rhsType.getElementType(),
            type,
            dims,
            SmallVector<WindowDim>(window),
            int64_t(op.getFeatureGroupCount()),
            int64_t(op.getBatchGroupCount())};
  Value result =
      prefersMatmul(conv) ? createAsMatmul(rewriter, loc, conv) : createDirect(rewriter, loc, conv);
  rewriter.replaceOp(op, roundTensor(rewriter, loc, result, type, {}));
  return success();
}

namespace {

struct ConvolutionPattern : OpConversionPattern<ConvolutionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ConvolutionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerConv(op, adaptor.getLhs(), adaptor.getRhs(), getWindow(op), *getTypeConverter(),
                     rewriter);
  }
};

/// With a padding that is a constant; the result's shape could not be static otherwise.
struct DynamicConvPattern : OpConversionPattern<DynamicConvOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicConvOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    DenseIntElementsAttr padding;
    if (!matchPattern(op.getPadding(), m_Constant(&padding)) &&
        !matchPattern(adaptor.getPadding(), m_Constant(&padding)))
      return rewriter.notifyMatchFailure(op, "its padding is not a constant");
    SmallVector<WindowDim> window = getWindow(op);
    for (auto [i, value] : llvm::enumerate(padding.getValues<APInt>()))
      (i % 2 ? window[i / 2].padHigh : window[i / 2].padLow) = value.getSExtValue();
    ArrayRef<int64_t> inputDims = op.getDimensionNumbers().getInputSpatialDimensions();
    ArrayRef<int64_t> outputDims = op.getDimensionNumbers().getOutputSpatialDimensions();
    for (auto [i, w] : llvm::enumerate(window)) {
      auto count = countWindows(op.getLhs().getType().getDimSize(inputDims[i]), w);
      if (!count || *count != op.getType().getDimSize(outputDims[i]))
        return rewriter.notifyMatchFailure(op, "its padding does not fit the result's shape");
    }
    return lowerConv(op, adaptor.getLhs(), adaptor.getRhs(), window, *getTypeConverter(), rewriter);
  }
};

} // namespace

void forge::populateConvolutionPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvolutionPattern, DynamicConvPattern>(converter, patterns.getContext());
}
