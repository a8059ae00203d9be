#include "StoreResult.h"

#include "../Strategy/AxisAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

/// `layout` with 2^bits neighbours along `dim` in a thread: lanes that tell these apart tell higher
/// steps of `dim` apart instead. Null if tiles of `size` elements are no multiple of its atom.
static tile::LayoutAttr withNeighbours(tile::LayoutAttr layout, unsigned dim, unsigned bits,
                                       int64_t size) {
  using Entry = tile::LayoutEntry;
  auto along = [&](unsigned bit) {
    return Entry{static_cast<int8_t>(dim), static_cast<uint8_t>(bit)};
  };
  SmallVector<Entry> reg, lane(layout.getLane());
  auto isLow = [&](Entry entry) {
    return entry.dim == static_cast<int8_t>(dim) && entry.bit < bits;
  };
  unsigned next = bits, last = bits;
  auto isInLanes = [&](unsigned bit) { return llvm::is_contained(lane, along(bit)); };
  for (Entry &entry : lane) {
    if (isLow(entry)) {
      while (isInLanes(next))
        ++next;
      entry = along(next);
    }
    if (entry.dim == static_cast<int8_t>(dim))
      last = std::max<unsigned>(last, entry.bit + 1);
  }
  if (size % (int64_t(1) << last) != 0 || llvm::any_of(layout.getWarp(), [&](Entry entry) {
        return entry.dim == static_cast<int8_t>(dim);
      }))
    return {};
  for (unsigned bit = 0; bit < last; ++bit)
    if (!isInLanes(bit))
      reg.push_back(along(bit));
  for (Entry entry : layout.getReg())
    if (entry.dim != static_cast<int8_t>(dim))
      reg.push_back(entry);
  return tile::LayoutAttr::get(layout.getContext(), 2, reg, lane, layout.getWarp());
}

void forge::storeResult(ImplicitLocOpBuilder &b, TileValues &values,
                        const AttentionProgram &program, const AttentionWrite &write,
                        ArrayRef<unsigned> places, TilePlace &place, unsigned rowDim) {
  unsigned otherDim = 1 - rowDim;
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  auto sizeOf = [&](unsigned axis) { return program.extents[axis].size; };
  TileValue value = values.resultOf(write.stage, write.result, place);
  const AttentionStage &stage = program.stages[write.stage];
  linalg::GenericOp op = stage.op;
  unsigned operand = op.getNumDpsInputs() + write.result;
  AxisAccess access = *axisAccessOf(op->getOperand(operand), op.getIndexingMapsArray()[operand],
                                    stage.axes, program.columnAxis() + 1);
  SmallVector<AxisExtent> dims;
  SmallVector<Value> indices, limits;
  SmallVector<int64_t> tileDims;
  for (unsigned axis : places) {
    dims.push_back({axis, sizeOf(axis)});
    indices.push_back(place.begin[axis]);
  }
  for (unsigned dim : {0u, 1u}) {
    if (dim == otherDim && !write.perColumn)
      continue;
    tileDims.push_back(static_cast<int64_t>(dims.size()));
    dims.push_back({place.axes[dim], sizeOf(place.axes[dim])});
    indices.push_back(place.begin[place.axes[dim]]);
    limits.push_back(index(place.limits[dim]));
  }
  Value memory = castToAxes(b, access, dims);
  bool along[2];
  along[rowDim] = true;
  along[otherDim] = write.perColumn;
  Value result = values.spread(value, place, along[0], along[1]);
  int64_t bytes = access.elementBytes(), align = 0;
  if (write.perColumn) {
    // Eight neighbours of a row to a thread where an element has two bytes, otherwise those that it
    // has anyway.
    constexpr int64_t wide = 16;
    constexpr unsigned bitsOfEight = 3;
    auto alignmentOf = [&](int64_t most) {
      return access.alignmentAlong(place.axes[otherDim], bytes, most);
    };
    tile::LayoutAttr layout;
    if (bytes == 2 && alignmentOf(wide) == wide)
      layout = withNeighbours(place.layout, otherDim, bitsOfEight, place.shape[otherDim]);
    align = alignmentOf(layout ? wide : bytes * neighboursAlong(place.layout, otherDim));
    if (layout) {
      auto type = cast<RankedTensorType>(result.getType());
      result = tile::ConvertOp::create(
          b, RankedTensorType::get(type.getShape(), type.getElementType(), layout), result);
    }
  }
  bool isWhole = place.limits[rowDim] % place.shape[rowDim] == 0 &&
                 (!write.perColumn || place.limits[otherDim] == place.shape[otherDim]);
  if (isWhole)
    limits.clear();
  tile::StoreOp::create(b, result, memory, indices, b.getDenseI64ArrayAttr(tileDims), limits,
                        align ? b.getI64IntegerAttr(align) : IntegerAttr());
}
