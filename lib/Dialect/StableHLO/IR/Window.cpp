#include "forge/Dialect/StableHLO/IR/Window.h"

using namespace mlir;

namespace forge::stablehlo {

static void setEach(MutableArrayRef<WindowDim> window, std::optional<ArrayRef<int64_t>> values,
                    int64_t WindowDim::*field) {
  if (values)
    for (auto [dim, value] : llvm::zip(window, *values))
      dim.*field = value;
}

static void setPadding(MutableArrayRef<WindowDim> window, DenseIntElementsAttr padding) {
  if (!padding)
    return;
  for (auto [i, value] : llvm::enumerate(padding.getValues<int64_t>()))
    (i % 2 ? window[i / 2].padHigh : window[i / 2].padLow) = value;
}

SmallVector<WindowDim> getWindow(ReduceWindowOp op) {
  SmallVector<WindowDim> window(op.getWindowDimensions().size());
  setEach(window, op.getWindowDimensions(), &WindowDim::size);
  setEach(window, op.getWindowStrides(), &WindowDim::stride);
  setEach(window, op.getBaseDilations(), &WindowDim::baseDilation);
  setEach(window, op.getWindowDilations(), &WindowDim::windowDilation);
  setPadding(window, op.getPaddingAttr());
  return window;
}

SmallVector<WindowDim> getWindow(SelectAndScatterOp op) {
  SmallVector<WindowDim> window(op.getOperand().getType().getRank());
  setEach(window, op.getWindowDimensions(), &WindowDim::size);
  setEach(window, op.getWindowStrides(), &WindowDim::stride);
  setPadding(window, op.getPaddingAttr());
  return window;
}

template <typename ConvOp> static SmallVector<WindowDim> getKernelWindow(ConvOp op) {
  ArrayRef<int64_t> kernelDims = op.getDimensionNumbers().getKernelSpatialDimensions();
  SmallVector<WindowDim> window(kernelDims.size());
  for (auto [dim, kernelDim] : llvm::zip(window, kernelDims))
    dim.size = op.getRhs().getType().getDimSize(kernelDim);
  setEach(window, op.getWindowStrides(), &WindowDim::stride);
  setEach(window, op.getLhsDilation(), &WindowDim::baseDilation);
  setEach(window, op.getRhsDilation(), &WindowDim::windowDilation);
  if (std::optional<ArrayRef<bool>> reversal = op.getWindowReversal())
    for (auto [dim, reversed] : llvm::zip(window, *reversal))
      dim.reversed = reversed;
  return window;
}

SmallVector<WindowDim> getWindow(ConvolutionOp op) {
  SmallVector<WindowDim> window = getKernelWindow(op);
  setPadding(window, op.getPaddingAttr());
  return window;
}

SmallVector<WindowDim> getWindow(DynamicConvOp op) { return getKernelWindow(op); }

/// 128 bits hold every product of two sizes, and a sum of three such.
using Wide = __int128;

static std::optional<int64_t> narrowed(Wide size) {
  if (size > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(std::max<Wide>(size, 0));
}

/// What `count` elements take that lie `distance` apart.
static Wide extentOf(int64_t count, int64_t distance) {
  return count == 0 ? 0 : Wide(count - 1) * distance + 1;
}

std::optional<int64_t> paddedSize(int64_t size, const WindowDim &window) {
  return narrowed(extentOf(size, window.baseDilation) + window.padLow + window.padHigh);
}

std::optional<int64_t> countWindows(int64_t size, const WindowDim &window) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(window.size))
    return ShapedType::kDynamic;
  std::optional<int64_t> padded = paddedSize(size, window),
                         extent = narrowed(extentOf(window.size, window.windowDilation));
  if (!padded || !extent)
    return std::nullopt;
  if (*padded == 0 || *extent > *padded)
    return 0;
  return (*padded - *extent) / window.stride + 1;
}

} // namespace forge::stablehlo
