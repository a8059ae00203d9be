#include "FlashBuilder.h"

using namespace mlir;
using namespace forge;

Value FlashBuilder::castFactor(const AxisAccess &access, unsigned first, unsigned second) {
  SmallVector<AxisExtent> dims;
  for (unsigned axis : flash.places)
    if (access.strides[axis] != 0)
      dims.push_back({axis, flash.sizeOf(axis)});
  for (unsigned axis : {first, second})
    dims.push_back({axis, flash.sizeOf(axis)});
  return castToAxes(b, access, dims);
}

SmallVector<Value> FlashBuilder::indicesOf(const AxisAccess &access, const QueryTile &tile,
                                           Value first, Value second) {
  SmallVector<Value> indices;
  for (unsigned axis : flash.places)
    if (access.strides[axis] != 0)
      indices.push_back(tile.begin[axis]);
  indices.push_back(first);
  indices.push_back(second);
  return indices;
}

Value FlashBuilder::firstKey(Value block) {
  Value key = arith::MulIOp::create(b, block, i32(plan.keys));
  return arith::IndexCastOp::create(b, b.getIndexType(), key);
}
