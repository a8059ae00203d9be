#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// c1 to c5.
static LogicalResult verifyShapes(MatmulOp op) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  // matmul_c1
  if (lhs.getRank() < 2)
    return op.emitOpError("expected rank 2 or more for lhs, but got ") << lhs.getRank();
  if (rhs.getRank() != 2 && rhs.getRank() != lhs.getRank())
    return op.emitOpError("expected rank 2 or ")
           << lhs.getRank() << " for rhs, but got " << rhs.getRank();
  // matmul_c2
  int64_t batch = lhs.getRank() - 2;
  if (rhs.getRank() == lhs.getRank())
    for (int64_t dim = 0; dim < batch; ++dim)
      if (failed(checkDim(op, "batch dimension " + Twine(dim) + " of rhs", lhs.getDimSize(dim),
                          rhs.getDimSize(dim))))
        return failure();
  // matmul_c3
  if (failed(checkDim(
          op, "dimension " + Twine(op.getRhsContractingDim()) + " of rhs, which is summed over,",
          lhs.getDimSize(op.getLhsContractingDim()), rhs.getDimSize(op.getRhsContractingDim()))))
    return failure();
  // matmul_c4
  SmallVector<int64_t> shape(lhs.getShape().take_front(batch));
  shape.push_back(lhs.getDimSize(op.getLhsRowDim()));
  shape.push_back(rhs.getDimSize(op.getRhsColDim()));
  if (failed(checkShape(op, "result", op.getResult().getType(), shape)))
    return failure();
  if (op.getResidual() && failed(checkShape(op, "residual", op.getResidual().getType(), shape)))
    return failure();
  // matmul_c5
  if (op.getBias() && failed(checkShape(op, "bias", op.getBias().getType(), {shape.back()})))
    return failure();
  return success();
}

LogicalResult MatmulOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  Type lhs = getLhs().getType().getElementType(), rhs = getRhs().getType().getElementType();
  // matmul_c6
  if (lhs != rhs && !(isFloat8(lhs) && isFloat8(rhs)))
    return emitOpError("expected element type ") << lhs << " for rhs, but got " << rhs;
  // matmul_c9
  if (failed(checkAccumulation(*this, lhs, getAccumulate())))
    return failure();
  // matmul_c7
  Type result = getResult().getType().getElementType();
  if (isFloat8(lhs) && !(result.isF32() || result.isF16() || result.isBF16()))
    return emitOpError("expected element type bf16, f16 or f32 for result, but got ") << result;
  if (isa<IntegerType>(lhs) && !result.isSignlessInteger(32))
    return emitOpError("expected element type i32 for result, but got ") << result;
  if (!isFloat8(lhs) && result != getAccumulationType() && result != lhs)
    return emitOpError("expected element type ")
           << lhs << " or " << getAccumulationType() << " for result, but got " << result;
  // matmul_c8
  if (failed(checkElementTypes(*this, {getResult(), getBias(), getResidual()})))
    return failure();
  // matmul_c10
  if (isa<IntegerType>(result) && getActivation())
    return emitOpError("expected no activation of a product of integers");
  return success();
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

Type MatmulOp::getAccumulationType() {
  return accumulationType(getLhs().getType().getElementType(), getAccumulate());
}

int64_t MatmulOp::getReductionLength() {
  int64_t length = getLhs().getType().getDimSize(getLhsContractingDim());
  return ShapedType::isDynamic(length) ? getRhs().getType().getDimSize(getRhsContractingDim())
                                       : length;
}

void MatmulOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs,
                     bool transposeLhs, bool transposeRhs) {
  auto left = cast<RankedTensorType>(lhs.getType()), right = cast<RankedTensorType>(rhs.getType());
  int64_t rank = left.getRank(), rhsRank = right.getRank();
  SmallVector<int64_t> shape(left.getShape().take_front(rank - 2));
  shape.push_back(left.getDimSize(rank - (transposeLhs ? 1 : 2)));
  shape.push_back(right.getDimSize(rhsRank - (transposeRhs ? 2 : 1)));
  Type element = left.getElementType();
  if (isFloat8(element) || isa<IntegerType>(element))
    element = accumulationType(element, std::nullopt);
  build(builder, state, RankedTensorType::get(shape, element), lhs, rhs, /*bias=*/Value(),
        /*residual=*/Value(), transposeLhs, transposeRhs, /*activation=*/ActivationKindAttr(),
        /*accumulate=*/TypeAttr());
}

} // namespace forge::transformer
