// A convolution whose image its own kernel, or one before it, surrounds with zeros, as one call of
// the library.
#include "ConvolutionCall.h"

#include "forge/Codegen/VendorWork.h"

using namespace mlir;
using namespace forge;

/// Nothing if `kernel` does anything but surround its first argument with zeros.
static std::optional<FactorPadding> onlyPadding(func::FuncOp kernel) {
  linalg::GenericOp only;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (only || !isa<linalg::GenericOp>(op))
      return std::nullopt;
    only = cast<linalg::GenericOp>(op);
  }
  if (!only || !only.hasPureTensorSemantics())
    return std::nullopt;
  std::optional<FactorPadding> padding = paddingOf(only);
  return padding && padding->source == kernel.getArgument(0) ? padding : std::nullopt;
}

static SmallVector<int64_t, 4> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

std::optional<rt::ConvolutionCall> forge::withPadding(const rt::ConvolutionCall &call,
                                                      const FactorPadding &padding) {
  std::optional<OperandView> source = viewOf(padding.source);
  if (!source)
    return std::nullopt;
  SmallVector<int64_t, 4> after = stridesOf(padding.shape);
  int64_t elements = ShapedType::getNumElements(padding.inside);
  auto dimOf = [&](int64_t stride) -> std::optional<unsigned> {
    for (unsigned dim = 0; dim < after.size(); ++dim)
      if (after[dim] == stride && padding.shape[dim] > 1)
        return dim;
    return std::nullopt;
  };
  rt::ConvolutionCall padded = call;
  SmallVector<bool> isAxis(after.size(), false);
  for (auto [number, stride] : llvm::enumerate(padded.imageStrides)) {
    std::optional<unsigned> dim = dimOf(stride);
    // Images of one, or one channel, have any stride.
    if (!dim && number >= 2)
      return std::nullopt;
    ElementCount before = dim ? source->stride(*dim) : ElementCount{elements, {}};
    if (!before.dynamic.empty())
      return std::nullopt;
    stride = before.known;
    if (number < 2)
      continue;
    rt::ConvolutionCall::Axis &axis = padded.axes[number - 2];
    if (axis.size != padding.shape[*dim])
      return std::nullopt;
    axis.size = padding.inside[*dim];
    axis.lowPadding = padding.low[*dim];
    axis.highPadding = padding.high(*dim);
    isAxis[*dim] = true;
  }
  for (unsigned dim = 0; dim < after.size(); ++dim)
    if (!isAxis[dim] && padding.isAround(dim))
      return std::nullopt;
  return padded;
}

std::optional<rt::ConvolutionCall> forge::withPadding(const rt::ConvolutionCall &call,
                                                      func::FuncOp kernel) {
  std::optional<FactorPadding> padding = onlyPadding(kernel);
  return padding ? withPadding(call, *padding) : std::nullopt;
}
