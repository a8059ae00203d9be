#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

LogicalResult MatmulOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  // matmul_c1
  if (lhs.getRank() < 2)
    return emitOpError("expected rank 2 or more for lhs, but got ") << lhs.getRank();
  if (rhs.getRank() != 2 && rhs.getRank() != lhs.getRank())
    return emitOpError("expected rank 2 or ")
           << lhs.getRank() << " for rhs, but got " << rhs.getRank();
  // matmul_c2
  int64_t batch = lhs.getRank() - 2;
  if (rhs.getRank() == lhs.getRank())
    for (int64_t dim = 0; dim < batch; ++dim)
      if (failed(checkDim(*this, "batch dimension " + Twine(dim) + " of rhs", lhs.getDimSize(dim),
                          rhs.getDimSize(dim))))
        return failure();
  // matmul_c3
  if (failed(checkDim(
          *this, "dimension " + Twine(getRhsContractingDim()) + " of rhs, which is summed over,",
          lhs.getDimSize(getLhsContractingDim()), rhs.getDimSize(getRhsContractingDim()))))
    return failure();
  // matmul_c4
  SmallVector<int64_t> shape(lhs.getShape().take_front(batch));
  shape.push_back(lhs.getDimSize(getLhsRowDim()));
  shape.push_back(rhs.getDimSize(getRhsColDim()));
  if (failed(checkShape(*this, "result", getResult().getType(), shape)))
    return failure();
  if (getResidual() && failed(checkShape(*this, "residual", getResidual().getType(), shape)))
    return failure();
  // matmul_c5
  if (getBias() && failed(checkShape(*this, "bias", getBias().getType(), {shape.back()})))
    return failure();
  // matmul_c6
  return checkElementTypes(*this, {getLhs(), getRhs(), getBias(), getResidual(), getResult()});
}

LogicalResult MatmulOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < getLhs().getType().getRank() - 2; ++dim)
    sizes.push_back(sizeOf(builder, getLoc(), getLhs(), dim));
  sizes.push_back(sizeOf(builder, getLoc(), getLhs(), getLhsRowDim()));
  sizes.push_back(sizeOf(builder, getLoc(), getRhs(), getRhsColDim()));
  shapes.push_back(sizes);
  return success();
}

} // namespace forge::transformer
