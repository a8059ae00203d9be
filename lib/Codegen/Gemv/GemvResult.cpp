#include "GemvResult.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

Value forge::asMatrix(ImplicitLocOpBuilder &b, Value memory, int64_t rows, int64_t columns) {
  auto type = cast<MemRefType>(memory.getType());
  auto flat =
      MemRefType::get({rows, columns}, type.getElementType(), AffineMap(), type.getMemorySpace());
  if (flat == type)
    return memory;
  SmallVector<OpFoldResult> sizes{b.getIndexAttr(rows), b.getIndexAttr(columns)};
  SmallVector<OpFoldResult> strides{b.getIndexAttr(columns), b.getIndexAttr(1)};
  return memref::ReinterpretCastOp::create(b, flat, memory, OpFoldResult(b.getIndexAttr(0)), sizes,
                                           strides);
}

/// Where element `place` of the result is in its dimensions.
static SmallVector<Value> indicesOf(ImplicitLocOpBuilder &b, linalg::LinalgOp op, Value place) {
  ArrayRef<int64_t> shape = cast<ShapedType>(op.getDpsInits()[0].getType()).getShape();
  SmallVector<Value> indices(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    Value size = arith::ConstantIndexOp::create(b, shape[dim]);
    indices[dim] = dim ? arith::RemUIOp::create(b, place, size).getResult() : place;
    if (dim)
      place = arith::DivUIOp::create(b, place, size);
  }
  return indices;
}

/// The indices of the element of the result at `row` and `column`.
static SmallVector<Value> indicesAt(ImplicitLocOpBuilder &b, const GemvProduct &product, Value row,
                                    Value column) {
  Value columns = arith::ConstantIndexOp::create(b, product.columns);
  Value place = arith::AddIOp::create(b, arith::MulIOp::create(b, row, columns), column);
  return indicesOf(b, product.op, place);
}

/// What follows `sums` at `indices`.
static SmallVector<Value> followingOf(ImplicitLocOpBuilder &b, const GemvProduct &product,
                                      ArrayRef<Value> indices, ValueRange sums) {
  linalg::GenericOp follow = product.follow;
  SmallVector<Value> buffers = product.sums();
  return emitFollow(b, follow, indices, [&](OpOperand &input) {
    const auto *at = llvm::find(buffers, input.get());
    return at != buffers.end() ? sums[at - buffers.begin()]
                               : loadOperand(b, follow, input, indices);
  });
}

Value forge::gemvResult(ImplicitLocOpBuilder &b, const GemvProduct &product, Value row,
                        Value column, ValueRange sums) {
  if (!product.follow)
    return sums.front();
  return followingOf(b, product, indicesAt(b, product, row, column), sums).front();
}

void forge::storeGemvResult(ImplicitLocOpBuilder &b, const GemvProduct &product, Value row,
                            Value column, ValueRange sums) {
  linalg::LinalgOp op = product.op;
  SmallVector<Value> indices = indicesAt(b, product, row, column);
  if (!product.follow) {
    memref::StoreOp::create(b, sums.front(), op.getDpsInits()[0], indices);
    return;
  }
  linalg::GenericOp follow = product.follow;
  SmallVector<Value> results = followingOf(b, product, indices, sums);
  for (auto [value, init] : llvm::zip_equal(results, follow.getDpsInits()))
    memref::StoreOp::create(b, value, init, indices);
}
