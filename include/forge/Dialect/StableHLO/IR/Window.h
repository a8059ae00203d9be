// Sliding windows: the geometry that convolution, reduce_window and select_and_scatter share.
#ifndef FORGE_DIALECT_STABLEHLO_IR_WINDOW_H
#define FORGE_DIALECT_STABLEHLO_IR_WINDOW_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge::stablehlo {

/// The window along one dimension. Sizes and distances are in elements.
struct WindowDim {
  int64_t size = 1;           ///< of the window; may be dynamic for a kernel
  int64_t stride = 1;         ///< between the starts of two windows
  int64_t padLow = 0;         ///< elements added in front of the first; negative ones are cut off
  int64_t padHigh = 0;        ///< elements added after the last; negative ones are cut off
  int64_t baseDilation = 1;   ///< distance at which the input's elements are laid
  int64_t windowDilation = 1; ///< distance of two elements inside the window
  bool reversed = false;      ///< whether the kernel is read from its end
};

/// The windows of ops whose attributes fit the op's rank (the verifiers see to that), one per
/// dimension of the input (reduce_window, select_and_scatter) or per spatial dimension
/// (convolution), with the specification's defaults where an attribute is absent. dynamic_conv's
/// padding is 0 here.
llvm::SmallVector<WindowDim> getWindow(ReduceWindowOp op);
llvm::SmallVector<WindowDim> getWindow(SelectAndScatterOp op);
llvm::SmallVector<WindowDim> getWindow(ConvolutionOp op);
llvm::SmallVector<WindowDim> getWindow(DynamicConvOp op);

/// The elements of a dimension of `size`, which is static, laid at the base dilation and padded:
/// 0 or more, nothing where that does not fit in 63 bits.
std::optional<int64_t> paddedSize(int64_t size, const WindowDim &window);

/// How many windows lie along a dimension of `size` elements: kDynamic where `size` or the window's
/// size is, nothing when the number or the padded size does not fit in 63 bits.
std::optional<int64_t> countWindows(int64_t size, const WindowDim &window);

} // namespace forge::stablehlo

#endif // FORGE_DIALECT_STABLEHLO_IR_WINDOW_H
