// convolution and dynamic_conv: a matrix product of patches where that pays, otherwise loops over
// the padded input.
#include "Refuse.h"
#include "RuntimeWindow.h"
#include "ScalarBuilder.h"
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

namespace {

/// A convolution whose input is padded and dilated and whose kernel stands forward.
struct Conv {
  Value lhs, rhs;                  // signless
  Type lhsType, rhsType;           // original element types
  RankedTensorType type;           // of the result, signless
  SmallVector<OpFoldResult> sizes; // of the result
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

/// A tensor of these sizes filled with zeros.
static Value createZeros(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
                         Type element) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return createFill(builder, loc, RankedTensorType::get(shape, element), zero, sizes);
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

/// The sizes with dimension `dim` taken apart into `groups` equal parts: [..., groups, rest, ...].
static SmallVector<OpFoldResult> getSplitSizes(OpBuilder &builder, Location loc,
                                               ArrayRef<OpFoldResult> sizes, int64_t dim,
                                               int64_t groups) {
  SmallVector<OpFoldResult> split(sizes);
  if (auto size = getConstantIntValue(split[dim])) {
    split[dim] = builder.getIndexAttr(*size / groups);
  } else if (groups != 1) {
    Value count = arith::ConstantIndexOp::create(builder, loc, groups);
    split[dim] = builder.createOrFold<arith::DivUIOp>(loc, cast<Value>(split[dim]), count);
  }
  split.insert(split.begin() + dim, builder.getIndexAttr(groups));
  return split;
}

static Value splitDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim, int64_t groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes =
      getSplitSizes(builder, loc, getSizes(builder, loc, tensor), dim, groups);
  SmallVector<int64_t> shape(type.getShape());
  if (!type.isDynamicDim(dim))
    shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor,
                                       getSplitGroups(type.getRank(), dim), sizes);
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
  Value init =
      createZeros(builder, loc, getSplitSizes(builder, loc, conv.sizes, outputFeature, groups),
                  accType.getElementType());
  auto generic =
      linalg::GenericOp::create(builder, loc, init.getType(), ValueRange{lhs, rhs}, init, maps,
                                iterators, [&](OpBuilder &b, Location l, ValueRange args) {
                                  ScalarBuilder s(b, l);
                                  linalg::YieldOp::create(b, l, emitMultiplyAdd(s, conv, args));
                                });
  Value result = tensor::CollapseShapeOp::create(builder, loc, generic.getResult(0),
                                                 getSplitGroups(conv.rank(), outputFeature));
  return castTensor(builder, loc, result, accType);
}

/// `tensor` with its dimensions in the order `order`.
static Value createTranspose(OpBuilder &builder, Location loc, Value tensor,
                             ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return tensor;
  SmallVector<OpFoldResult> from = getSizes(builder, loc, tensor), sizes;
  for (int64_t dim : order)
    sizes.push_back(from[dim]);
  Value init = tensor::EmptyOp::create(builder, loc, sizes, getElementTypeOrSelf(tensor.getType()));
  return linalg::TransposeOp::create(builder, loc, tensor, init, order)->getResult(0);
}

/// The patches that the windows cut from the input: [batch, places..., kernel places..., features].
static Value createPatches(OpBuilder &builder, Location loc, const Conv &conv) {
  int64_t spatial = conv.window.size(), numLoops = 2 * spatial + 2;
  SmallVector<OpFoldResult> from = getSizes(builder, loc, conv.lhs);
  SmallVector<OpFoldResult> sizes = {from[conv.dims.getInputBatchDimension()]};
  for (int64_t dim : conv.dims.getOutputSpatialDimensions())
    sizes.push_back(conv.sizes[dim]);
  for (const WindowDim &w : conv.window)
    sizes.push_back(builder.getIndexAttr(w.size));
  sizes.push_back(from[conv.dims.getInputFeatureDimension()]);
  SmallVector<AffineExpr> input(conv.rank());
  input[conv.dims.getInputBatchDimension()] = builder.getAffineDimExpr(0);
  input[conv.dims.getInputFeatureDimension()] = builder.getAffineDimExpr(numLoops - 1);
  for (auto [i, w] : llvm::enumerate(conv.window))
    input[conv.dims.getInputSpatialDimensions()[i]] =
        builder.getAffineDimExpr(1 + i) * w.stride +
        builder.getAffineDimExpr(1 + spatial + i) * w.windowDilation;
  Value init = tensor::EmptyOp::create(builder, loc, sizes, conv.lhsShape().getElementType());
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
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, patches);
  sizes.truncate(1 + spatial);
  Value matrix = collapseToMatrix(builder, loc, patches, spatial + 1);

  RankedTensorType accType = conv.accType();
  OpFoldResult rows = getSizes(builder, loc, matrix)[0];
  sizes.push_back(getSizes(builder, loc, kernel)[1]);
  Value init = createZeros(builder, loc, {rows, sizes.back()}, accType.getElementType());
  Value product = linalg::MatmulOp::create(builder, loc, init.getType(), ValueRange{matrix, kernel},
                                           ValueRange{init})
                      .getResult(0);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dim = 0; dim <= spatial; ++dim)
    groups[0].push_back(dim);
  groups[1].push_back(spatial + 1);
  product =
      tensor::ExpandShapeOp::create(builder, loc, accType.clone(shape), product, groups, sizes);
  // From [batch, places..., features] to the order of the result.
  SmallVector<int64_t> order(conv.rank());
  order[dims.getOutputBatchDimension()] = 0;
  order[dims.getOutputFeatureDimension()] = spatial + 1;
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
    order[dim] = 1 + i;
  return createTranspose(builder, loc, product, order);
}

/// Whether the patches are worth their memory: one group, floats, and no more than 2^26 elements,
/// or 2^20 per image where the number of images is known only at run time.
static bool prefersMatmul(const Conv &conv) {
  if (conv.groups() != 1 || !isa<FloatType>(conv.type.getElementType()) ||
      !isa<FloatType>(conv.lhsType) || conv.lhsType != conv.rhsType)
    return false;
  int64_t batch = conv.lhsShape().getDimSize(conv.dims.getInputBatchDimension());
  int64_t features = conv.lhsShape().getDimSize(conv.dims.getInputFeatureDimension());
  bool anyBatch = ShapedType::isDynamic(batch);
  if (ShapedType::isDynamic(features) ||
      conv.rhsShape().isDynamicDim(conv.dims.getKernelOutputFeatureDimension()))
    return false;
  int64_t elements = anyBatch ? features : batch * features;
  int64_t limit = int64_t(1) << (anyBatch ? 20 : 26);
  for (auto [dim, w] : llvm::zip(conv.dims.getOutputSpatialDimensions(), conv.window)) {
    auto places = getConstantIntValue(conv.sizes[dim]);
    if (!places || ShapedType::isDynamic(w.size) ||
        llvm::MulOverflow(elements, *places, elements) ||
        llvm::MulOverflow(elements, w.size, elements))
      return false;
  }
  return elements > 0 && elements <= limit;
}

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
/// `padding` holds what `window` does not know, low and high in turn; empty if it knows all.
template <typename ConvOp>
static LogicalResult lowerConv(ConvOp op, Value lhs, Value rhs, ArrayRef<WindowDim> window,
                               ArrayRef<OpFoldResult> padding, const TypeConverter &converter,
                               ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType lhsType = op.getLhs().getType(), rhsType = op.getRhs().getType();
  if (isa<FloatType>(lhsType.getElementType()) != isa<FloatType>(op.getType().getElementType()))
    return refuseOp(op, "it makes integers of floats, or floats of integers");
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
  Value result =
      prefersMatmul(conv) ? createAsMatmul(rewriter, loc, conv) : createDirect(rewriter, loc, conv);
  result = castTensor(rewriter, loc, result, conv.accType());
  rewriter.replaceOp(op, roundTensor(rewriter, loc, result, type, conv.sizes));
  return success();
}

namespace {

struct ConvolutionPattern : OpConversionPattern<ConvolutionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ConvolutionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerConv(op, adaptor.getLhs(), adaptor.getRhs(), getWindow(op), {}, *getTypeConverter(),
                     rewriter);
  }
};

struct DynamicConvPattern : OpConversionPattern<DynamicConvOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicConvOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<WindowDim> window = getWindow(op);
    SmallVector<OpFoldResult> padding = getPadding(op, adaptor, rewriter);
    if (isConstant(op, padding, window))
      padding.clear();
    return lowerConv(op, adaptor.getLhs(), adaptor.getRhs(), window, padding, *getTypeConverter(),
                     rewriter);
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
};

} // namespace

void forge::populateConvolutionPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvolutionPattern, DynamicConvPattern>(converter, patterns.getContext());
}
