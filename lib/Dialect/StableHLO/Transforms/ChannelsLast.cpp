// Convolutions with their features innermost, as products of windows read them.
#include "ImageOrders.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

namespace forge {
#define GEN_PASS_DEF_CHANNELSLASTPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-channels-last"

using namespace mlir;
using namespace forge;
using stablehlo::ConvDimensionNumbersAttr;
using stablehlo::ConvolutionOp;

/// Input features of a place are a multiple of so many: 16 bytes, by which tensor maps step.
static constexpr int64_t kFeatures = 8;

/// Output features from which on a product of more terms, zeros among them, is worth it.
static constexpr int64_t kLeastOutputs = 16;

/// Input features that `op` lacks to a multiple of kFeatures.
static int64_t missingFeatures(ConvolutionOp op) {
  int64_t features =
      op.getLhs().getType().getDimSize(op.getDimensionNumbers().getInputFeatureDimension());
  return llvm::alignTo(features, kFeatures) - features;
}

/// Whether windows are larger than the result, as in gradients of kernels: its few places make few
/// tiles.
static bool isGradientOfKernel(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  int64_t window = 1, places = 1;
  for (int64_t dim : dims.getKernelSpatialDimensions())
    window *= op.getRhs().getType().getDimSize(dim);
  for (int64_t dim : dims.getOutputSpatialDimensions())
    places *= op.getType().getDimSize(dim);
  return window > places;
}

/// Whether products may read windows of `op`: of 16-bit floats, or of f32 in pieces of 16 bits, of
/// one group, and not with the batch inside. Patches are as good where a window is one place or
/// there are few results.
static bool isForWindows(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  RankedTensorType input = op.getLhs().getType(), kernel = op.getRhs().getType();
  int64_t last = input.getRank() - 1;
  Type element = input.getElementType();
  bool isWide = element.isF32() && missingFeatures(op) == 0;
  return (element.isBF16() || element.isF16() || isWide) && kernel.getElementType() == element &&
         op.getFeatureGroupCount() == 1 && op.getBatchGroupCount() == 1 && input.hasStaticShape() &&
         kernel.hasStaticShape() && op.getType().hasStaticShape() &&
         dims.getInputBatchDimension() != last && dims.getOutputBatchDimension() != last &&
         !isGradientOfKernel(op) &&
         (missingFeatures(op) == 0 ||
          (op.getType().getDimSize(dims.getOutputFeatureDimension()) >= kLeastOutputs &&
           llvm::any_of(dims.getKernelSpatialDimensions(),
                        [&](int64_t dim) { return kernel.getDimSize(dim) > 1; })));
}

/// `value` with `number` zeros more along `dim`.
static Value addZeros(OpBuilder &builder, Location loc, Value value, int64_t dim, int64_t number) {
  if (number == 0)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value zero = stablehlo::ConstantOp::create(builder, loc, scalar,
                                             cast<ElementsAttr>(builder.getZeroAttr(scalar)));
  SmallVector<int64_t> none(type.getRank()), high(type.getRank()), shape(type.getShape());
  high[dim] = number;
  shape[dim] += number;
  return stablehlo::PadOp::create(
      builder, loc, type.clone(shape), value, zero, builder.getDenseI64ArrayAttr(none),
      builder.getDenseI64ArrayAttr(high), builder.getDenseI64ArrayAttr(none));
}

static SmallVector<int64_t> orderOf(int64_t first, ArrayRef<int64_t> places, int64_t last) {
  SmallVector<int64_t> order = {first};
  llvm::append_range(order, places);
  order.push_back(last);
  return order;
}

/// Input, kernel and result as [batch, places, features], [places, input features, features] and
/// [batch, places, features], the input's features a multiple of kFeatures.
static void reorder(ConvolutionOp op, ImageOrders &orders) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  SmallVector<int64_t> input =
      orderOf(dims.getInputBatchDimension(), dims.getInputSpatialDimensions(),
              dims.getInputFeatureDimension());
  SmallVector<int64_t> output =
      orderOf(dims.getOutputBatchDimension(), dims.getOutputSpatialDimensions(),
              dims.getOutputFeatureDimension());
  SmallVector<int64_t> kernel(dims.getKernelSpatialDimensions());
  kernel.append({dims.getKernelInputFeatureDimension(), dims.getKernelOutputFeatureDimension()});
  int64_t spatial = op.getType().getRank() - 2;
  auto places = llvm::to_vector(llvm::seq<int64_t>(1, spatial + 1));
  auto kernelPlaces = llvm::to_vector(llvm::seq<int64_t>(0, spatial));
  int64_t missing = missingFeatures(op);
  Value lhs = orders.transposed(builder, op, op.getLhs(), input);
  Value rhs = ImageOrders::transpose(builder, loc, op.getRhs(), kernel);
  op.getLhsMutable().assign(addZeros(builder, loc, lhs, spatial + 1, missing));
  op.getRhsMutable().assign(addZeros(builder, loc, rhs, spatial, missing));
  op.setDimensionNumbersAttr(ConvDimensionNumbersAttr::get(op.getContext(), 0, spatial + 1, places,
                                                           spatial, spatial + 1, kernelPlaces, 0,
                                                           spatial + 1, places));
  if (llvm::is_sorted(output))
    return;
  RankedTensorType type = op.getType();
  op.getResult().setType(type.clone(ImageOrders::permuted(type.getShape(), output)));
  orders.replace(op.getResult(), op.getResult(), output);
}

namespace {
/// 1. Convolutions are given their order, in program order.
/// 2. What computes element by element, or window by window, from an image that is known in another
///    order does so in that order.
struct ChannelsLastPass : public forge::impl::ChannelsLastPassBase<ChannelsLastPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    ImageOrders orders;
    for (Operation *op : ops)
      if (auto conv = dyn_cast<ConvolutionOp>(op); conv && isForWindows(conv))
        reorder(conv, orders);
      else
        orders.carryOver(op);
  }
};
} // namespace
