#include "MapMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// What strides of a tensor map are multiples of, in elements.
static constexpr int64_t kMapElements = 8;

Value forge::byMap(ThreadBuilder &b, const ProductAxes &axes, const ProductOperand &operand,
                   ArrayRef<MapDim> dims, std::optional<unsigned> looked) {
  SmallVector<OpFoldResult> extents, strides;
  auto times = [&](OpFoldResult x, OpFoldResult y) -> OpFoldResult {
    std::optional<int64_t> left = getConstantIntValue(x), right = getConstantIntValue(y);
    if (left && right)
      return b.getIndexAttr(*left * *right);
    auto valueOf = [&](OpFoldResult of) {
      return getValueOrCreateConstantIndexOp(b, b.getLoc(), of);
    };
    return arith::MulIOp::create(b, valueOf(x), valueOf(y)).getResult();
  };
  for (const MapDim &dim : llvm::reverse(dims)) {
    if (dim.isOfOne()) {
      strides.push_back(times(times(extents.back(), strides.back()), b.getIndexAttr(kMapElements)));
      extents.push_back(b.getIndexAttr(1));
      continue;
    }
    strides.push_back(operand.view.countValue(b, b.getLoc(), dim.stride));
    if (dim.extent) {
      extents.push_back(b.getIndexAttr(*dim.extent));
      continue;
    }
    ArrayRef<MapStep> steps = dim.indices.front().steps;
    unsigned unit = steps.front().axis;
    // Up to the last element that any of them reaches.
    int64_t last = 0;
    for (MapStep step : steps)
      last += step.factor * (axes.axes[step.axis].size - 1);
    if (looked == unit)
      extents.push_back(b.getIndexAttr(operand.view.dims.front().size));
    else
      extents.push_back(steps.size() > 1 ? OpFoldResult(b.getIndexAttr(last + 1))
                                         : axes.sizeValue(b, b.getLoc(), unit));
  }
  std::reverse(extents.begin(), extents.end());
  std::reverse(strides.begin(), strides.end());
  OpFoldResult offset = operand.view.offsetValue(b, b.getLoc());
  auto known = [](OpFoldResult value) {
    return getConstantIntValue(value).value_or(ShapedType::kDynamic);
  };
  auto layout =
      StridedLayoutAttr::get(b.getContext(), known(offset), llvm::map_to_vector(strides, known));
  auto root = cast<MemRefType>(operand.view.root.getType());
  auto type = MemRefType::get(llvm::map_to_vector(extents, known), root.getElementType(), layout,
                              root.getMemorySpace());
  return memref::ReinterpretCastOp::create(b, type, operand.view.root, offset, extents, strides);
}
