#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace forge::tile;

/// Checks that `dims` are dimensions of a tile of `rank`, ascending.
static LogicalResult verifyDims(Operation *op, ArrayRef<int64_t> dims, int64_t rank) {
  for (auto [number, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError("expected dims below ") << rank << ", but got " << dim;
    if (number > 0 && dim <= dims[number - 1])
      return op->emitOpError("expected ascending dims, but got ")
             << dim << " after " << dims[number - 1];
  }
  return success();
}

static SmallVector<int64_t> without(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> rest;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      rest.push_back(size);
  return rest;
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = getOperand().getType(), to = getType();
  // broadcast_c1
  if (failed(verifyDims(*this, getDims(), to.getRank())))
    return failure();
  if (from.getShape() != ArrayRef<int64_t>(without(to.getShape(), getDims())))
    return emitOpError("expected the dimensions of ")
           << to << " without dims of the operand, but got " << from;
  // broadcast_c2
  if (from.getElementType() != to.getElementType())
    return emitOpError("expected elements of type ")
           << to.getElementType() << ", but got " << from.getElementType();
  // broadcast_c3
  LayoutAttr layout = layoutOf(to);
  if (!layout)
    return emitOpError("expected a tile with a layout, but got ") << to;
  LayoutAttr expected = layout.dropDimensions(getDims());
  if (from.getEncoding() != expected)
    return emitOpError("expected an operand of layout ")
           << expected << ", the result's without dims, but got " << from;
  return success();
}

LogicalResult IotaOp::verify() {
  RankedTensorType type = getType();
  // iota_c1
  if (getDim() < 0 || getDim() >= type.getRank())
    return emitOpError("expected dim below ") << type.getRank() << ", but got " << getDim();
  // iota_c2
  Type element = type.getElementType();
  if (!element.isIntOrIndex() || (element.isInteger() && element.getIntOrFloatBitWidth() < 32))
    return emitOpError("expected elements of 32 bits or more, or indices, but got ") << element;
  // iota_c3
  if (!type.getEncoding())
    return emitOpError("expected a tile with a layout, but got ") << type;
  return success();
}

LogicalResult ReduceOp::verify() {
  RankedTensorType from = getOperand().getType();
  // reduce_c1
  if (getDims().empty())
    return emitOpError("expected at least one of dims");
  if (failed(verifyDims(*this, getDims(), from.getRank())))
    return failure();
  Type result = getResult().getType();
  auto to = dyn_cast<RankedTensorType>(result);
  SmallVector<int64_t> rest = without(from.getShape(), getDims());
  if (rest.empty() != !to)
    return emitOpError("expected ")
           << (rest.empty() ? "a scalar" : "a tile") << " as result, but got " << result;
  if (to && to.getShape() != ArrayRef<int64_t>(rest))
    return emitOpError("expected the dimensions of ")
           << from << " without dims of the result, but got " << to;
  // reduce_c2
  if (getElementTypeOrSelf(result) != from.getElementType())
    return emitOpError("expected elements of type ")
           << from.getElementType() << ", but got " << getElementTypeOrSelf(result);
  // reduce_c3
  LayoutAttr layout = layoutOf(from);
  if (!layout)
    return emitOpError("expected a tile with a layout, but got ") << from;
  LayoutAttr expected = layout.dropDimensions(getDims());
  if (to && to.getEncoding() != expected)
    return emitOpError("expected a result of layout ")
           << expected << ", the operand's without dims, but got " << to;
  return success();
}

/// Columns of a buffer that are side by side in memory.
static int64_t panelOf(SharedType buffer) {
  return buffer.getSwizzle() ? buffer.getSwizzle() / buffer.getElementBytes()
                             : buffer.getShape().back();
}

static LogicalResult verifyPart(SliceOp op, SharedType from, SharedType to) {
  // slice_c2
  if (from.getElementType() != to.getElementType() || from.getSwizzle() != to.getSwizzle() ||
      from.getPad() != to.getPad())
    return op.emitOpError("expected the element type, swizzle and padding of ")
           << from << ", but got " << to;
  // slice_c3
  if (from.getRank() != 2)
    return op.emitOpError("expected a buffer of two dimensions, but got ") << from;
  SmallVector<int64_t> at;
  for (Value offset : op.getOffsets()) {
    std::optional<int64_t> constant = getConstantIntValue(offset);
    if (!constant)
      return op.emitOpError("expected constant indices of a part of a buffer");
    at.push_back(*constant);
  }
  constexpr int64_t patternRows = 8;
  int64_t panel = panelOf(from);
  bool hasAllRows = at[0] == 0 && to.getShape()[0] == from.getShape()[0];
  bool isRows = from.getShape()[1] == panel && at[1] == 0 && to.getShape()[1] == panel &&
                at[0] % patternRows == 0;
  bool isPanels = hasAllRows && at[1] % panel == 0 && to.getShape()[1] % panel == 0;
  bool isInside = at[0] >= 0 && at[0] + to.getShape()[0] <= from.getShape()[0] && at[1] >= 0 &&
                  at[1] + to.getShape()[1] <= from.getShape()[1];
  if (!isInside || !(isRows || isPanels))
    return op.emitOpError("expected rows from a multiple of ")
           << patternRows << " on of a buffer of one panel, or whole panels of " << panel
           << " columns, but got " << to << " at " << at << " of " << from;
  return success();
}

int64_t SliceOp::getByteOffset() {
  auto buffer = cast<SharedType>(getOperand().getType());
  int64_t row = *getConstantIntValue(getOffsets()[0]),
          column = *getConstantIntValue(getOffsets()[1]);
  int64_t panel = panelOf(buffer), panelBytes = panel * buffer.getElementBytes() + buffer.getPad();
  return (column / panel * buffer.getShape()[0] + row) * panelBytes;
}

LogicalResult SliceOp::verify() {
  Type from = getOperand().getType(), to = getResult().getType();
  auto tile = dyn_cast<RankedTensorType>(from), part = dyn_cast<RankedTensorType>(to);
  auto buffer = dyn_cast<SharedType>(from), view = dyn_cast<SharedType>(to);
  if (!(tile && part) && !(buffer && view))
    return emitOpError("expected a part of ") << from << ", but got " << to;
  ArrayRef<int64_t> shape = tile ? tile.getShape() : buffer.getShape(),
                    partShape = tile ? part.getShape() : view.getShape();
  // slice_c1
  if (shape.size() != partShape.size() || getOffsets().size() != shape.size())
    return emitOpError("expected ") << shape.size() << " dimensions and indices, but got "
                                    << partShape.size() << " and " << getOffsets().size();
  for (auto [size, partSize] : llvm::zip_equal(shape, partShape))
    if (partSize > size)
      return emitOpError("expected a part of ") << from << ", but got " << to;
  if (buffer)
    return verifyPart(*this, buffer, view);
  // slice_c2
  if (tile.getElementType() != part.getElementType() || tile.getEncoding() != part.getEncoding())
    return emitOpError("expected the element type and the layout of ")
           << from << ", but got " << to;
  return success();
}

/// The row-major number of an element.
static int64_t numberOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> coordinates) {
  int64_t number = 0;
  for (auto [size, coordinate] : llvm::zip_equal(shape, coordinates))
    number = number * size + coordinate;
  return number;
}

/// Whether by both layouts each register of each thread is the same element, by number.
static bool haveSamePlaces(RankedTensorType from, RankedTensorType to) {
  LayoutAttr before = layoutOf(from), after = layoutOf(to);
  int64_t registers = before.getRegisters(from.getShape());
  if (registers != after.getRegisters(to.getShape()) ||
      before.getLane().size() != after.getLane().size() ||
      before.getWarp().size() != after.getWarp().size())
    return false;
  auto isSame = [&](int64_t reg, int64_t lane, int64_t warp) {
    return numberOf(from.getShape(), before.getCoordinates(from.getShape(), reg, lane, warp)) ==
           numberOf(to.getShape(), after.getCoordinates(to.getShape(), reg, lane, warp));
  };
  for (size_t bit = 0; bit < before.getLane().size(); ++bit)
    if (!isSame(0, int64_t(1) << bit, 0))
      return false;
  for (size_t bit = 0; bit < before.getWarp().size(); ++bit)
    if (!isSame(0, 0, int64_t(1) << bit))
      return false;
  return llvm::all_of(llvm::seq(registers), [&](int64_t reg) { return isSame(reg, 0, 0); });
}

LogicalResult ReshapeOp::verify() {
  Type from = getOperand().getType(), to = getResult().getType();
  auto tile = dyn_cast<RankedTensorType>(from), other = dyn_cast<RankedTensorType>(to);
  auto buffer = dyn_cast<SharedType>(from), view = dyn_cast<SharedType>(to);
  // reshape_c1
  auto sizeOf = [](auto type) { return ShapedType::getNumElements(type.getShape()); };
  bool agree = tile && other    ? tile.getElementType() == other.getElementType() &&
                                      sizeOf(tile) == sizeOf(other)
               : buffer && view ? buffer.getElementType() == view.getElementType() &&
                                      sizeOf(buffer) == sizeOf(view)
                                : false;
  if (!agree)
    return emitOpError("expected two tiles or two buffers of as many elements of one type, but "
                       "got ")
           << from << " and " << to;
  if (tile) {
    // reshape_c2
    if (!layoutOf(tile) || !layoutOf(other) || !haveSamePlaces(tile, other))
      return emitOpError("expected layouts by which threads hold the same elements, but got ")
             << from << " and " << to;
    return success();
  }
  // reshape_c3
  if (buffer.getShape().back() != view.getShape().back() ||
      buffer.getSwizzle() != view.getSwizzle() || buffer.getPad() != view.getPad())
    return emitOpError("expected buffers with the same last dimension, swizzle and padding, but "
                       "got ")
           << from << " and " << to;
  return success();
}
