#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

#include <limits>

using namespace mlir;
using namespace forge;

void forge::assertSameSize(OpBuilder &builder, Location loc, StringRef what, Value tensor,
                           int64_t dim, Value other, int64_t otherDim) {
  if (!cast<RankedTensorType>(tensor.getType()).isDynamicDim(dim) &&
      !cast<RankedTensorType>(other.getType()).isDynamicDim(otherDim))
    return;
  Value size = getDim(builder, loc, tensor, dim);
  Value expected = getDim(builder, loc, other, otherDim);
  if (size == expected) // getDim finds where a size comes from
    return;
  Value same = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, size, expected);
  createRuntimeAssert(builder, loc, same,
                      what + ": expected size {1} along dimension " + std::to_string(dim) +
                          ", but got {0}",
                      {size, expected});
}

void forge::assertSameShape(OpBuilder &builder, Location loc, StringRef what, ValueRange tensors) {
  for (Value tensor : tensors.drop_front())
    for (int64_t dim = 0; dim < cast<RankedTensorType>(tensor.getType()).getRank(); ++dim)
      assertSameSize(builder, loc, what, tensor, dim, tensors.front(), dim);
}

SmallVector<OpFoldResult> forge::getShapeOperand(OpBuilder &b, Location loc, Value shape,
                                                 RankedTensorType type, StringRef opName) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value size = extractIndex(b, loc, shape, dim);
    bool isStatic = !type.isDynamicDim(dim);
    std::string where = " along dimension " + std::to_string(dim);
    Value expected = arith::ConstantIndexOp::create(b, loc, isStatic ? type.getDimSize(dim) : 0);
    Value fits = b.createOrFold<arith::CmpIOp>(
        loc, isStatic ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge, size, expected);
    createRuntimeAssert(b, loc, fits,
                        (opName + ": expected " +
                         (isStatic ? "size {1}" : "a size of at least {1}") + where +
                         ", but got {0}")
                            .str(),
                        {size, expected});
    sizes.push_back(isStatic ? OpFoldResult(b.getIndexAttr(type.getDimSize(dim)))
                             : getAsOpFoldResult(size));
  }
  return sizes;
}

Value forge::createElementCount(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1), count = one;
  Value most = arith::ConstantIndexOp::create(b, loc, std::numeric_limits<int64_t>::max());
  for (auto [i, given] : llvm::enumerate(sizes)) {
    Value size = getValueOrCreateConstantIndexOp(b, loc, given);
    if (i == 0) {
      count = size;
      continue;
    }
    // count * size > most, for a size of at least 1, if count > most / size.
    Value divisor = b.createOrFold<arith::MaxUIOp>(loc, size, one);
    Value limit = b.createOrFold<arith::DivUIOp>(loc, most, divisor);
    Value tooMany = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ugt, count, limit);
    Value product = b.createOrFold<arith::MulIOp>(loc, count, size);
    count = b.createOrFold<arith::SelectOp>(loc, tooMany, most, product);
  }
  return count;
}

void forge::assertDeclaredSize(OpBuilder &builder, Location loc, StringRef what, Value size,
                               RankedTensorType type, int64_t dim) {
  if (type.isDynamicDim(dim))
    return;
  Value expected = arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  Value same = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, size, expected);
  createRuntimeAssert(builder, loc, same,
                      what + ": expected a result size of {1} along dimension " +
                          std::to_string(dim) + ", but got {0}",
                      {size, expected});
}
