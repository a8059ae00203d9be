#include "RuntimeWindow.h"

#include "DynamicPad.h"
#include "forge/Conversion/Utils/IndexBuilder.h"

#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using stablehlo::WindowDim;

SmallVector<RuntimeWindowDim> forge::getRuntimeWindow(OpBuilder &builder,
                                                      ArrayRef<WindowDim> window) {
  SmallVector<RuntimeWindowDim> dims;
  for (const WindowDim &w : window) {
    OpFoldResult size;
    if (!ShapedType::isDynamic(w.size))
      size = builder.getIndexAttr(w.size);
    dims.push_back({size, builder.getIndexAttr(w.padLow), builder.getIndexAttr(w.padHigh),
                    builder.getIndexAttr(w.baseDilation), w.stride, w.windowDilation});
  }
  return dims;
}

/// max((size - 1) * dilation + 1, 0): what `size` elements cover when laid `dilation` apart.
static Value createExtent(IndexBuilder ib, Value size, Value dilation) {
  Value one = ib.constant(1);
  return ib.max(ib.add(ib.mul(ib.sub(size, one), dilation), one), ib.constant(0));
}

Value forge::createWindowCount(OpBuilder &builder, Location loc, Value size,
                               const RuntimeWindowDim &window) {
  IndexBuilder ib{builder, loc};
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  Value padded = createExtent(ib, size, value(window.baseDilation));
  padded = ib.add(ib.add(padded, value(window.padLow)), value(window.padHigh));
  Value extent = createExtent(ib, value(window.size), ib.constant(window.windowDilation));
  // A window that does not fit leaves a negative room, and so no more than 0 windows.
  Value steps = builder.createOrFold<arith::FloorDivSIOp>(loc, ib.sub(padded, extent),
                                                          ib.constant(window.stride));
  Value count = ib.max(ib.add(steps, ib.constant(1)), ib.constant(0));
  return ib.select(ib.less(ib.constant(0), padded), count, ib.constant(0));
}

bool forge::needsPadding(ArrayRef<RuntimeWindowDim> window) {
  return llvm::any_of(window, [](const RuntimeWindowDim &w) {
    return !isConstantIntValue(w.padLow, 0) || !isConstantIntValue(w.padHigh, 0) ||
           !isConstantIntValue(w.baseDilation, 1);
  });
}

Value forge::createRuntimePadded(OpBuilder &builder, Location loc, Value operand, Value padding,
                                 ArrayRef<RuntimeWindowDim> window) {
  IndexBuilder ib{builder, loc};
  PadAmounts amounts;
  for (const RuntimeWindowDim &w : window) {
    amounts.low.push_back(getValueOrCreateConstantIndexOp(builder, loc, w.padLow));
    amounts.high.push_back(getValueOrCreateConstantIndexOp(builder, loc, w.padHigh));
    Value distance = getValueOrCreateConstantIndexOp(builder, loc, w.baseDilation);
    amounts.interior.push_back(ib.sub(distance, ib.constant(1)));
  }
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
  for (auto [dim, w] : llvm::enumerate(window))
    if (!needsPadding(w))
      shape[dim] = type.getDimSize(dim);
  return createDynamicPad(builder, loc, operand, padding, type.clone(shape), amounts);
}
