#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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
