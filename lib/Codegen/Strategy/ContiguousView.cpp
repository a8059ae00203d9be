#include "forge/Codegen/ContiguousView.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;

OpFoldResult forge::multiplySizes(OpBuilder &builder, Location loc, OpFoldResult a,
                                  OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return builder.getIndexAttr(*x * *y);
  return arith::MulIOp::create(builder, loc, getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

Value forge::viewAs(OpBuilder &builder, Location loc, Value source, MemRefType type,
                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    if (dim > 0)
      stride = multiplySizes(builder, loc, stride, sizes[dim]);
  }
  return memref::ReinterpretCastOp::create(builder, loc, type, source, builder.getIndexAttr(0),
                                           sizes, strides);
}
