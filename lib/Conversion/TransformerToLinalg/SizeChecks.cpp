#include "SizeChecks.h"

#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {

static std::string place(Operation *op, StringRef name) {
  return (op->getName().stripDialect() + ": " + name).str();
}

void checkSize(ImplicitLocOpBuilder &b, Operation *op, StringRef name, Value value, int64_t dim,
               Value other, int64_t otherDim) {
  assertSameSize(b, b.getLoc(), place(op, name), value, dim, other, otherDim);
}

void checkShapes(ImplicitLocOpBuilder &b, Operation *op, StringRef name, Value value, Value other) {
  if (value)
    assertSameShape(b, b.getLoc(), place(op, name), {other, value});
}

void checkVector(ImplicitLocOpBuilder &b, Operation *op, StringRef name, Value vector, Value other,
                 int64_t dim) {
  if (vector)
    checkSize(b, op, name, vector, 0, other, dim);
}

/// One element of the scale for every `length` of `values` along `dim`.
static void checkBlocks(ImplicitLocOpBuilder &b, Operation *op, Value values, Value scale,
                        int64_t dim, int64_t length) {
  if (!cast<RankedTensorType>(values.getType()).isDynamicDim(dim) &&
      !cast<RankedTensorType>(scale.getType()).isDynamicDim(dim))
    return;
  Value size = getDim(b, b.getLoc(), values, dim);
  Value blocks = arith::CeilDivUIOp::create(b, size, arith::ConstantIndexOp::create(b, length));
  Value given = getDim(b, b.getLoc(), scale, dim);
  Value same = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, given, blocks);
  createRuntimeAssert(b, b.getLoc(), same,
                      place(op, "scale") + ": expected size {1} along dimension " +
                          std::to_string(dim) + ", but got {0}",
                      {given, blocks});
}

void checkScale(ImplicitLocOpBuilder &b, Operation *op, Value values, Value scale, Value zeroPoint,
                int64_t axis, std::optional<ArrayRef<int64_t>> block) {
  if (block)
    for (auto [dim, length] : llvm::enumerate(*block))
      checkBlocks(b, op, values, scale, dim, length);
  else if (cast<RankedTensorType>(scale.getType()).getRank() == 1)
    checkSize(b, op, "scale", scale, 0, values, axis);
  checkShapes(b, op, "zero_point", zeroPoint, scale);
}

void checkSizes(ImplicitLocOpBuilder &b, MatmulOp op) {
  int64_t rank = op.getLhs().getType().getRank(), rhsRank = op.getRhs().getType().getRank();
  for (int64_t dim = 0; rhsRank == rank && dim < rank - 2; ++dim)
    checkSize(b, op, "rhs", op.getRhs(), dim, op.getLhs(), dim);
  checkSize(b, op, "rhs", op.getRhs(), op.getRhsContractingDim(), op.getLhs(),
            op.getLhsContractingDim());
  checkVector(b, op, "bias", op.getBias(), op.getRhs(), op.getRhsColDim());
  Value residual = op.getResidual();
  if (!residual)
    return;
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    checkSize(b, op, "residual", residual, dim, op.getLhs(), dim);
  checkSize(b, op, "residual", residual, rank - 2, op.getLhs(), op.getLhsRowDim());
  checkSize(b, op, "residual", residual, rank - 1, op.getRhs(), op.getRhsColDim());
}

void checkSizes(ImplicitLocOpBuilder &b, GroupedMatmulOp op) {
  checkSize(b, op, "rhs", op.getRhs(), op.getRhsContractingDim(), op.getLhs(), 1);
  if (op.getBias()) {
    checkSize(b, op, "bias", op.getBias(), 0, op.getRhs(), 0);
    checkSize(b, op, "bias", op.getBias(), 1, op.getRhs(), op.getRhsColDim());
  }
  if (!op.getOffsets())
    return checkSize(b, op, "groups", op.getGroups(), 0, op.getRhs(), 0);
  if (!op.getGroups().getType().isDynamicDim(0) && !op.getRhs().getType().isDynamicDim(0))
    return;
  Value given = getDim(b, b.getLoc(), op.getGroups(), 0);
  Value expected = arith::AddIOp::create(b, getDim(b, b.getLoc(), op.getRhs(), 0),
                                         arith::ConstantIndexOp::create(b, 1));
  Value same = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, given, expected);
  createRuntimeAssert(b, b.getLoc(), same, "grouped_matmul: expected {1} offsets, but got {0}",
                      {given, expected});
}

void checkSizes(ImplicitLocOpBuilder &b, LinearOp op) {
  int64_t last = op.getInput().getType().getRank() - 1;
  checkSize(b, op, "weights", op.getWeights(), 1, op.getInput(), last);
  checkVector(b, op, "bias", op.getBias(), op.getWeights(), 0);
  if (op.getScale())
    checkScale(b, op, op.getWeights(), op.getScale(), op.getZeroPoint(), 0, op.getBlock());
  for (int64_t dim = 0; op.getInputScale() && dim < last; ++dim)
    checkSize(b, op, "input_scale", op.getInputScale(), dim, op.getInput(), dim);
  if (!op.getResidual())
    return;
  for (int64_t dim = 0; dim < last; ++dim)
    checkSize(b, op, "residual", op.getResidual(), dim, op.getInput(), dim);
  checkSize(b, op, "residual", op.getResidual(), last, op.getWeights(), 0);
}

void checkSizes(ImplicitLocOpBuilder &b, EmbeddingOp op) {
  if (!op.getTable().getType().isDynamicDim(0))
    return;
  Value rows = getDim(b, b.getLoc(), op.getTable(), 0);
  Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, rows,
                                     arith::ConstantIndexOp::create(b, 0));
  createRuntimeAssert(b, b.getLoc(), some, "embedding: expected a table of one row or more", {});
}

} // namespace forge
