// Convolutions whose kernel has more places than their image, with the roles of both exchanged.
#include "ImageOrders.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/Window.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include <algorithm>

namespace forge {
#define GEN_PASS_DEF_SWAPCONVOLUTIONSPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-swap-convolutions"

using namespace mlir;
using namespace forge;
using stablehlo::ConvDimensionNumbersAttr;
using stablehlo::ConvolutionOp;
using stablehlo::WindowDim;

/// Places of the kernel for each of the image from which on fewer products are worth a copy.
static constexpr int64_t kLeastRatio = 2;

static int64_t placesOf(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t places = 1;
  for (int64_t dim : dims)
    places *= type.getDimSize(dim);
  return places;
}

/// The window along a dimension when the image, of `size`, is the kernel: that is then read from
/// its end unless the window was, and the kernel, now the image, has to be turned round unless it
/// was read from its end.
static WindowDim exchanged(const WindowDim &window, int64_t size) {
  WindowDim other;
  int64_t image = (size - 1) * window.baseDilation,
          kernel = (window.size - 1) * window.windowDilation;
  other.size = size;
  other.padLow = window.padLow - kernel + image;
  other.padHigh = window.padHigh - kernel + image;
  other.baseDilation = window.windowDilation;
  other.windowDilation = window.baseDilation;
  other.reversed = true;
  return other;
}

/// The windows of `op` with roles exchanged; nothing where that is not one, or has not so many
/// fewer products.
static std::optional<SmallVector<WindowDim>> exchangedWindows(ConvolutionOp op) {
  RankedTensorType image = op.getLhs().getType(), kernel = op.getRhs().getType();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  if (!image.hasStaticShape() || !kernel.hasStaticShape() || !op.getType().hasStaticShape() ||
      !isa<FloatType>(image.getElementType()) ||
      image.getElementType() != kernel.getElementType() ||
      (op.getFeatureGroupCount() > 1 && op.getBatchGroupCount() > 1))
    return std::nullopt;
  int64_t places = placesOf(image, dims.getInputSpatialDimensions());
  if (places == 0 || placesOf(kernel, dims.getKernelSpatialDimensions()) < kLeastRatio * places)
    return std::nullopt;
  SmallVector<WindowDim> windows = getWindow(op);
  for (auto [window, dim] : llvm::zip_equal(windows, dims.getInputSpatialDimensions())) {
    if (window.stride != 1)
      return std::nullopt;
    WindowDim other = exchanged(window, image.getDimSize(dim));
    if (other.padLow < 0 || other.padHigh < 0)
      return std::nullopt;
    other.reversed = !window.reversed; // here: whether something is to be turned round
    window = other;
  }
  return windows;
}

static Value reverse(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return value;
  return stablehlo::ReverseOp::create(builder, loc, value.getType(), value,
                                      builder.getDenseI64ArrayAttr(dims));
}

/// `value` with the outer `groups` parts of dimension `from` in front of dimension `to`, joined
/// with it.
static Value moveGroups(OpBuilder &builder, Location loc, Value value, int64_t groups, int64_t from,
                        int64_t to) {
  if (groups == 1)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> split(type.getShape()), order, joined(type.getShape());
  split[from] /= groups;
  split.insert(split.begin() + from, groups);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == to)
      order.push_back(from);
    order.push_back(dim < from ? dim : dim + 1);
  }
  joined[from] /= groups;
  joined[to] *= groups;
  value = stablehlo::ReshapeOp::create(builder, loc, type.clone(split), value);
  value = ImageOrders::transpose(builder, loc, value, order);
  return stablehlo::ReshapeOp::create(builder, loc, type.clone(joined), value);
}

namespace {
/// What a convolution by kernel k of image x adds up, x[place + step - low] k[step] for each step
/// of the kernel, is also a sum over the places of the image. So:
/// 1. The kernel is the image, and the other way round; batch and features of the results too.
/// 2. Steps run the other way: kernel and image are turned round, or the result is, whichever has
///    fewer elements.
/// 3. Groups of features are then groups of the batch: the features of the new kernel have them
///    outermost, and so has the batch of the result.
struct SwapConvolutionsPass : public forge::impl::SwapConvolutionsPassBase<SwapConvolutionsPass> {
  void runOnOperation() override {
    SmallVector<ConvolutionOp> ops;
    getOperation().walk([&](ConvolutionOp op) { ops.push_back(op); });
    for (ConvolutionOp op : ops)
      if (auto windows = exchangedWindows(op))
        exchange(op, *windows);
  }

  static void exchange(ConvolutionOp op, ArrayRef<WindowDim> windows) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
    int64_t featureGroups = static_cast<int64_t>(op.getFeatureGroupCount());
    int64_t groups = featureGroups * static_cast<int64_t>(op.getBatchGroupCount());
    // 1. Which dimensions are turned round, of what.
    bool turnsResult = op.getType().getNumElements() <= op.getLhs().getType().getNumElements() +
                                                            op.getRhs().getType().getNumElements();
    SmallVector<int64_t> turned, padding;
    SmallVector<int64_t> baseDilation, windowDilation;
    SmallVector<bool> reversal;
    ArrayRef<int64_t> places =
        turnsResult ? dims.getOutputSpatialDimensions() : dims.getKernelSpatialDimensions();
    for (auto [window, dim] : llvm::zip_equal(windows, places)) {
      if (window.reversed)
        turned.push_back(dim);
      bool isTurned = turnsResult && window.reversed;
      reversal.push_back(!isTurned);
      padding.push_back(isTurned ? window.padHigh : window.padLow);
      padding.push_back(isTurned ? window.padLow : window.padHigh);
      baseDilation.push_back(window.baseDilation);
      windowDilation.push_back(window.windowDilation);
    }
    // 2. The operands.
    Value image = turnsResult ? op.getRhs() : reverse(builder, loc, op.getRhs(), turned);
    Value kernel = moveGroups(builder, loc, op.getLhs(), featureGroups,
                              dims.getInputFeatureDimension(), dims.getInputBatchDimension());
    auto swapped = ConvDimensionNumbersAttr::get(
        op.getContext(), dims.getKernelOutputFeatureDimension(),
        dims.getKernelInputFeatureDimension(), dims.getKernelSpatialDimensions(),
        dims.getInputFeatureDimension(), dims.getInputBatchDimension(),
        dims.getInputSpatialDimensions(), dims.getOutputFeatureDimension(),
        dims.getOutputBatchDimension(), dims.getOutputSpatialDimensions());
    // 3. The convolution.
    SmallVector<int64_t> shape(op.getType().getShape());
    shape[dims.getOutputFeatureDimension()] /= groups;
    shape[dims.getOutputBatchDimension()] *= groups;
    auto spatial = static_cast<int64_t>(windows.size());
    auto pads = RankedTensorType::get({spatial, 2}, builder.getI64Type());
    auto made = cast<ConvolutionOp>(builder.clone(*op));
    made.getLhsMutable().assign(image);
    made.getRhsMutable().assign(kernel);
    made.getResult().setType(op.getType().clone(shape));
    made.setDimensionNumbersAttr(swapped);
    made.setWindowStridesAttr(nullptr);
    made.setPaddingAttr(DenseIntElementsAttr::get(pads, padding));
    made.setLhsDilationAttr(builder.getDenseI64ArrayAttr(baseDilation));
    made.setRhsDilationAttr(builder.getDenseI64ArrayAttr(windowDilation));
    made.setWindowReversalAttr(builder.getDenseBoolArrayAttr(reversal));
    made.setFeatureGroupCount(1);
    made.setBatchGroupCount(static_cast<uint64_t>(groups));
    if (ArrayAttr precision = op.getPrecisionConfigAttr(); precision && precision.size() == 2)
      made.setPrecisionConfigAttr(builder.getArrayAttr({precision[1], precision[0]}));
    // 4. The result.
    Value result = moveGroups(builder, loc, made.getResult(), groups,
                              dims.getOutputBatchDimension(), dims.getOutputFeatureDimension());
    if (turnsResult)
      result = reverse(builder, loc, result, turned);
    op.replaceAllUsesWith(result);
    op.erase();
  }
};
} // namespace
