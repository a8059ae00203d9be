#include "ConvolutionForms.h"

#include "ScalarBuilder.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using stablehlo::WindowDim;

Value forge::emitMultiplyAdd(ScalarBuilder &s, const Conv &conv, ValueRange args) {
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

Value forge::createZeros(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
                         Type element) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return createFill(builder, loc, RankedTensorType::get(shape, element), zero, sizes);
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

namespace {
/// How patches are a matrix: which loops number its rows (batch, places) and its sums (features,
/// places of the kernel). Loops: batch, places, places of the kernel, features.
struct PatchLayout {
  SmallVector<int64_t> rows, sums;
  /// [sums, rows] instead of [rows, sums].
  bool sumsFirst = false;

  /// The loops in the order of the patches' dimensions.
  SmallVector<int64_t> loops() const {
    SmallVector<int64_t> all(sumsFirst ? sums : rows);
    llvm::append_range(all, sumsFirst ? rows : sums);
    return all;
  }
};
} // namespace

/// What is last in the input is last in the patches, so that lines of memory are copied: features,
/// or where the batch is (as in gradients of kernels), that.
static PatchLayout layOutPatches(const Conv &conv) {
  auto dims = conv.dims;
  int64_t spatial = conv.window.size(), features = 2 * spatial + 1, last = conv.rank() - 1;
  PatchLayout layout;
  layout.sumsFirst = dims.getInputBatchDimension() == last;
  for (int64_t i = 0; i < spatial; ++i)
    layout.rows.push_back(1 + i);
  layout.rows.insert(layout.sumsFirst ? layout.rows.end() : layout.rows.begin(), 0);
  if (dims.getInputFeatureDimension() == last) {
    for (int64_t i = 0; i < spatial; ++i)
      layout.sums.push_back(1 + spatial + i);
    layout.sums.push_back(features);
    return layout;
  }
  // The kernel's own order needs no copy of it.
  SmallVector<int64_t> ofDim(conv.rank(), -1);
  ofDim[dims.getKernelInputFeatureDimension()] = features;
  for (auto [i, dim] : llvm::enumerate(dims.getKernelSpatialDimensions()))
    ofDim[dim] = 1 + spatial + i;
  for (int64_t loop : ofDim)
    if (loop >= 0)
      layout.sums.push_back(loop);
  return layout;
}

/// The input as the patches of `sizes`, if they have its elements in their order: windows of one
/// place, or one window. Else null.
static Value viewAsPatches(OpBuilder &builder, Location loc, const Conv &conv,
                           const PatchLayout &layout, ArrayRef<OpFoldResult> sizes) {
  RankedTensorType type = conv.lhsShape();
  int64_t spatial = conv.window.size();
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  for (auto [dim, loop] : llvm::enumerate(layout.loops())) {
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    if (!size)
      return nullptr;
    shape.push_back(*size);
    if (*size == 1 && !groups.empty()) {
      groups.back().push_back(dim);
      continue;
    }
    bool isPlace = loop > 0 && loop <= spatial, isKernel = loop > spatial && loop <= 2 * spatial;
    int64_t number = isPlace ? loop - 1 : loop - 1 - spatial;
    int64_t from = loop == 0  ? conv.dims.getInputBatchDimension()
                   : isPlace  ? conv.dims.getInputSpatialDimensions()[number]
                   : isKernel ? conv.dims.getInputSpatialDimensions()[number]
                              : conv.dims.getInputFeatureDimension();
    bool isStep = (isPlace && conv.window[number].stride != 1) ||
                  (isKernel && conv.window[number].windowDilation != 1);
    bool isNext = from == static_cast<int64_t>(groups.size()) && type.getDimSize(from) == *size;
    if (isStep || !isNext)
      return nullptr;
    groups.push_back({static_cast<int64_t>(dim)});
  }
  if (static_cast<int64_t>(groups.size()) != conv.rank())
    return nullptr;
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), conv.lhs, groups);
}

/// The patches that the windows cut from the input.
static Value createPatches(OpBuilder &builder, Location loc, const Conv &conv,
                           const PatchLayout &layout) {
  int64_t spatial = conv.window.size(), numLoops = 2 * spatial + 2;
  SmallVector<OpFoldResult> from = getSizes(builder, loc, conv.lhs);
  SmallVector<OpFoldResult> ofLoop = {from[conv.dims.getInputBatchDimension()]};
  for (int64_t dim : conv.dims.getOutputSpatialDimensions())
    ofLoop.push_back(conv.sizes[dim]);
  for (const WindowDim &w : conv.window)
    ofLoop.push_back(builder.getIndexAttr(w.size));
  ofLoop.push_back(from[conv.dims.getInputFeatureDimension()]);
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> place(numLoops);
  for (auto [dim, loop] : llvm::enumerate(layout.loops())) {
    sizes.push_back(ofLoop[loop]);
    place[loop] = builder.getAffineDimExpr(dim);
  }
  if (Value view = viewAsPatches(builder, loc, conv, layout, sizes))
    return view;
  SmallVector<AffineExpr> input(conv.rank());
  input[conv.dims.getInputBatchDimension()] = place[0];
  input[conv.dims.getInputFeatureDimension()] = place[numLoops - 1];
  for (auto [i, w] : llvm::enumerate(conv.window))
    input[conv.dims.getInputSpatialDimensions()[i]] =
        place[1 + i] * w.stride + place[1 + spatial + i] * w.windowDilation;
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

/// `init` plus patches times kernel, where the patches are [rows, sums] or [sums, rows].
static Value createProduct(OpBuilder &builder, Location loc, const Conv &conv,
                           const PatchLayout &layout, Value patches, Value kernel, Value init) {
  if (!layout.sumsFirst)
    return linalg::MatmulOp::create(builder, loc, init.getType(), ValueRange{patches, kernel},
                                    ValueRange{init})
        .getResult(0);
  AffineExpr row, column, sum;
  bindDims(builder.getContext(), row, column, sum);
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(3, 0, exprs, builder.getContext());
  };
  SmallVector<AffineMap> maps = {map({sum, row}), map({sum, column}), map({row, column})};
  SmallVector<utils::IteratorType> loops = parallelIterators(2);
  loops.push_back(utils::IteratorType::reduction);
  return linalg::GenericOp::create(builder, loc, init.getType(), ValueRange{patches, kernel}, init,
                                   maps, loops,
                                   [&](OpBuilder &b, Location l, ValueRange args) {
                                     ScalarBuilder s(b, l);
                                     linalg::YieldOp::create(b, l, emitMultiplyAdd(s, conv, args));
                                   })
      .getResult(0);
}

/// One group, floats: a matrix of patches times the kernel as a matrix.
Value forge::createAsMatmul(OpBuilder &builder, Location loc, const Conv &conv) {
  auto dims = conv.dims;
  int64_t spatial = conv.window.size();
  PatchLayout layout = layOutPatches(conv);
  SmallVector<int64_t> kernelOrder = llvm::map_to_vector(layout.sums, [&](int64_t loop) {
    return loop == 2 * spatial + 1 ? dims.getKernelInputFeatureDimension()
                                   : dims.getKernelSpatialDimensions()[loop - 1 - spatial];
  });
  kernelOrder.push_back(dims.getKernelOutputFeatureDimension());
  Value kernel =
      collapseToMatrix(builder, loc, createTranspose(builder, loc, conv.rhs, kernelOrder), 1);
  Value patches = createPatches(builder, loc, conv, layout);
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, patches);
  sizes = SmallVector<OpFoldResult>(layout.sumsFirst ? ArrayRef(sizes).take_back(1 + spatial)
                                                     : ArrayRef(sizes).take_front(1 + spatial));
  Value matrix = collapseToMatrix(builder, loc, patches, spatial + 1);

  RankedTensorType accType = conv.accType();
  OpFoldResult rows = getSizes(builder, loc, matrix)[layout.sumsFirst ? 1 : 0];
  sizes.push_back(getSizes(builder, loc, kernel)[1]);
  Value init = createZeros(builder, loc, {rows, sizes.back()}, accType.getElementType());
  Value product = createProduct(builder, loc, conv, layout, matrix, kernel, init);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dim = 0; dim <= spatial; ++dim)
    groups[0].push_back(dim);
  groups[1].push_back(spatial + 1);
  product =
      tensor::ExpandShapeOp::create(builder, loc, accType.clone(shape), product, groups, sizes);
  // From [rows..., features] to the order of the result.
  SmallVector<int64_t> order(conv.rank());
  order[dims.getOutputFeatureDimension()] = spatial + 1;
  for (auto [dim, loop] : llvm::enumerate(layout.rows))
    order[loop == 0 ? dims.getOutputBatchDimension()
                    : dims.getOutputSpatialDimensions()[loop - 1]] = dim;
  return createTranspose(builder, loc, product, order);
}

/// Of the elements that patches may have, one image's part where the number of images is known only
/// at run time: a batch of eight is usual.
static constexpr int64_t kUsualBatch = 8;

/// One group, floats, and sizes that are known but for the number of images.
std::optional<int64_t> forge::countPatchElements(const Conv &conv) {
  if (conv.groups() != 1 || !isa<FloatType>(conv.type.getElementType()) ||
      !isa<FloatType>(conv.lhsType) || conv.lhsType != conv.rhsType)
    return std::nullopt;
  int64_t batch = conv.lhsShape().getDimSize(conv.dims.getInputBatchDimension());
  int64_t features = conv.lhsShape().getDimSize(conv.dims.getInputFeatureDimension());
  if (ShapedType::isDynamic(features) ||
      conv.rhsShape().isDynamicDim(conv.dims.getKernelOutputFeatureDimension()))
    return std::nullopt;
  int64_t elements = ShapedType::isDynamic(batch) ? features : batch * features;
  for (auto [dim, w] : llvm::zip(conv.dims.getOutputSpatialDimensions(), conv.window)) {
    auto places = getConstantIntValue(conv.sizes[dim]);
    if (!places || ShapedType::isDynamic(w.size) ||
        llvm::MulOverflow(elements, *places, elements) ||
        llvm::MulOverflow(elements, w.size, elements))
      return std::nullopt;
  }
  return elements;
}

/// Bytes by which tensor maps step.
static constexpr int64_t kMapBytes = 16;

/// Features, read and written, from which on products of f32 windows are products of their pieces.
static constexpr int64_t kWideFeatures = 64;

/// Features that are written, up to which no product is worth patches of many elements.
static constexpr int64_t kFewOutputs = 4;

/// Whether a product can read windows of the input in place of patches.
static bool isReadByWindows(const Conv &conv) {
  auto dims = conv.dims;
  int64_t last = conv.rank() - 1;
  if (!conv.lhsShape().hasStaticShape() || !conv.rhsShape().hasStaticShape())
    return false;
  int64_t outputs = conv.rhsShape().getDimSize(dims.getKernelOutputFeatureDimension());
  // Threads read windows where each number of patches would be multiplied a few times.
  if (outputs <= kFewOutputs && dims.getInputBatchDimension() != last)
    return true;
  if (dims.getInputFeatureDimension() != last || dims.getOutputFeatureDimension() != last)
    return false;
  int64_t features = conv.lhsShape().getDimSize(last);
  // Products of f32 are worth pieces of 16 bits where they fill tiles.
  bool isWide = conv.lhsType.isF32() && features >= kWideFeatures && outputs >= kWideFeatures;
  return (conv.lhsType.getIntOrFloatBitWidth() == 16 || isWide) && features % (kMapBytes / 2) == 0;
}

Value forge::createConvolution(OpBuilder &builder, Location loc, const Conv &conv,
                               PatchLimits patches) {
  std::optional<int64_t> elements = countPatchElements(conv);
  if (!elements || *elements == 0)
    return createDirect(builder, loc, conv);
  bool anyBatch = conv.lhsShape().isDynamicDim(conv.dims.getInputBatchDimension());
  int64_t most = anyBatch ? patches.elements / kUsualBatch : patches.elements;
  if (*elements <= most || (patches.windows && isReadByWindows(conv)))
    return createAsMatmul(builder, loc, conv);
  if (Value result = createInParts(builder, loc, conv, *elements, most))
    return result;
  return createDirect(builder, loc, conv);
}
