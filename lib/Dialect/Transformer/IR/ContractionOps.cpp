#include "ProductTypes.h"
#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

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
  // matmul_c6, matmul_c7, matmul_c9, matmul_c10
  Type lhs = getLhs().getType().getElementType(), rhs = getRhs().getType().getElementType();
  Type result = getResult().getType().getElementType();
  if (failed(checkProductTypes(*this,
                               {lhs, rhs, result, getAccumulate(), getActivation().has_value()})))
    return failure();
  // matmul_c8
  return checkElementTypes(*this, {getResult(), getBias(), getResidual()});
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

//===----------------------------------------------------------------------===//
// grouped_matmul
//===----------------------------------------------------------------------===//

LogicalResult GroupedMatmulOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  // grouped_matmul_c1
  if (lhs.getRank() != 2)
    return emitOpError("expected rank 2 for lhs, but got ") << lhs.getRank();
  if (rhs.getRank() != 3)
    return emitOpError("expected rank 3 for rhs, but got ") << rhs.getRank();
  // grouped_matmul_c2
  if (failed(checkDim(
          *this, "dimension " + Twine(getRhsContractingDim()) + " of rhs, which is summed over,",
          lhs.getDimSize(1), rhs.getDimSize(getRhsContractingDim()))))
    return failure();
  // grouped_matmul_c3
  int64_t experts = rhs.getDimSize(0), columns = rhs.getDimSize(getRhsColDim());
  int64_t positions = ShapedType::isDynamic(experts) || !getOffsets() ? experts : experts + 1;
  if (failed(checkShape(*this, "groups", getGroups().getType(), {positions})))
    return failure();
  // grouped_matmul_c4
  if (getBias() && failed(checkShape(*this, "bias", getBias().getType(), {experts, columns})))
    return failure();
  // grouped_matmul_c5
  if (failed(checkShape(*this, "result", getResult().getType(), {lhs.getDimSize(0), columns})))
    return failure();
  // grouped_matmul_c6, grouped_matmul_c7, grouped_matmul_c9, grouped_matmul_c10
  if (failed(checkProductTypes(*this, {lhs.getElementType(), rhs.getElementType(),
                                       getResult().getType().getElementType(), getAccumulate(),
                                       getActivation().has_value()})))
    return failure();
  // grouped_matmul_c8
  return checkElementTypes(*this, {getResult(), getBias()});
}

LogicalResult GroupedMatmulOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  shapes.push_back({sizeOf(builder, getLoc(), getLhs(), 0),
                    sizeOf(builder, getLoc(), getRhs(), getRhsColDim())});
  return success();
}

Type GroupedMatmulOp::getAccumulationType() {
  return accumulationType(getLhs().getType().getElementType(), getAccumulate());
}

int64_t GroupedMatmulOp::getReductionLength() {
  int64_t length = getLhs().getType().getDimSize(1);
  return ShapedType::isDynamic(length) ? getRhs().getType().getDimSize(getRhsContractingDim())
                                       : length;
}

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

/// c5 to c8: what the weights are, and what they stand for.
static LogicalResult verifyWeights(LinearOp op) {
  RankedTensorType weights = op.getWeights().getType();
  Type element = weights.getElementType(), input = op.getInput().getType().getElementType();
  // linear_c5
  bool narrow = isa<IntegerType>(element) || isFloat8(element);
  if (narrow && !op.getScale())
    return op.emitOpError("expected a scale for weights of element type ") << element;
  if (!narrow && (op.getScale() || op.getZeroPoint() || op.getBlock()))
    return op.emitOpError("expected no scale, zero point or block for weights of element type ")
           << element;
  if (!narrow && element != input)
    return op.emitOpError("expected element type ") << input << " for weights, but got " << element;
  if (!narrow)
    return success();
  // linear_c6, linear_c7
  auto scale = cast<RankedTensorType>(op.getScale().getType());
  std::optional<int64_t> axis;
  if (!op.getBlock() && scale.getRank() != 0)
    axis = 0;
  if (failed(checkScale(op, weights, scale, axis, op.getBlock())) ||
      failed(checkZeroPoint(op, op.getZeroPoint(), scale, element)))
    return failure();
  // linear_c8
  Type numbers = isFloat8(input) ? Type(Float32Type::get(op.getContext())) : input;
  return checkScaleType(op, scale.getElementType(), numbers);
}

/// c11: what an input of 8-bit floats comes with.
static LogicalResult verifyInputScale(LinearOp op) {
  RankedTensorType input = op.getInput().getType();
  bool narrow = isFloat8(input.getElementType());
  if (narrow != static_cast<bool>(op.getInputScale()))
    return op.emitOpError("expected ")
           << (narrow ? "an" : "no") << " input_scale for input of element type "
           << input.getElementType();
  if (!narrow)
    return success();
  Type weights = op.getWeights().getType().getElementType();
  if (!isFloat8(weights) || op.getBlock())
    return op.emitOpError("expected weights of f8 without block for an input of f8");
  auto scale = cast<RankedTensorType>(op.getInputScale().getType());
  if (!scale.getElementType().isF32())
    return op.emitOpError("expected element type 'f32' for input_scale, but got ")
           << scale.getElementType();
  return checkShape(op, "input_scale", scale, input.getShape().drop_back());
}

LogicalResult LinearOp::verify() {
  RankedTensorType input = getInput().getType(), weights = getWeights().getType();
  // linear_c1
  if (input.getRank() < 2)
    return emitOpError("expected rank 2 or more for input, but got ") << input.getRank();
  if (weights.getRank() != 2)
    return emitOpError("expected rank 2 for weights, but got ") << weights.getRank();
  // linear_c2
  if (failed(checkDim(*this, "dimension 1 of weights, which is summed over,",
                      input.getShape().back(), weights.getDimSize(1))))
    return failure();
  // linear_c3
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = weights.getDimSize(0);
  if (failed(checkShape(*this, "result", getResult().getType(), shape)))
    return failure();
  if (getResidual() && failed(checkShape(*this, "residual", getResidual().getType(), shape)))
    return failure();
  // linear_c4
  if (getBias() && failed(checkShape(*this, "bias", getBias().getType(), {shape.back()})))
    return failure();
  if (failed(verifyWeights(*this)))
    return failure();
  // linear_c11
  if (failed(verifyInputScale(*this)))
    return failure();
  // linear_c10
  Type element = input.getElementType(), result = getResult().getType().getElementType();
  if (failed(checkAccumulation(*this, element, getAccumulate())))
    return failure();
  // linear_c9
  if (isFloat8(element)) {
    if (!result.isBF16() && !result.isF16() && !result.isF32() && result != getAccumulationType())
      return emitOpError("expected element type bf16, f16 or f32 for result, but got ") << result;
  } else if (result != element && result != getAccumulationType())
    return emitOpError("expected element type ")
           << element << " or " << getAccumulationType() << " for result, but got " << result;
  return checkElementTypes(*this, {getResult(), getBias(), getResidual()});
}

LogicalResult LinearOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyWithLast(builder, getInput(), getWeights(), 0, shapes);
}

Type LinearOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t LinearOp::getReductionLength() {
  int64_t length = getInput().getType().getShape().back();
  return ShapedType::isDynamic(length) ? getWeights().getType().getDimSize(1) : length;
}

} // namespace forge::transformer
