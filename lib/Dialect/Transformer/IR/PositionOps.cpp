#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

//===----------------------------------------------------------------------===//
// rope
//===----------------------------------------------------------------------===//

/// rope_c3, rope_c7
static LogicalResult verifyRotaryDims(RopeOp op) {
  int64_t rotated = op.getNumRotated(), depth = op.getInput().getType().getDimSize(3);
  if (ShapedType::isDynamic(rotated))
    return op.emitOpError("expected rotary_dims where the head dimension is dynamic");
  if (rotated < 2 || rotated % 2 != 0)
    return op.emitOpError("expected an even number of rotary dimensions, 2 or more, but got ")
           << rotated;
  if (!ShapedType::isDynamic(depth) && rotated > depth)
    return op.emitOpError("expected at most ")
           << depth << " rotary dimensions, but got " << rotated;
  bool isDynamic = op.getScaling() && op.getScaling()->getKind() == RopeScalingKind::Dynamic;
  if (isDynamic && rotated == 2)
    return op.emitOpError("expected more than 2 rotary dimensions for dynamic scaling, but got 2");
  return success();
}

/// rope_c4
static LogicalResult verifyFrequencies(RopeOp op) {
  if (!op.getFrequencies())
    return success();
  auto type = cast<RankedTensorType>(op.getFrequencies().getType());
  if (type.getRank() != 1 && type.getRank() != 2)
    return op.emitOpError("expected rank 1 or 2 for frequencies, but got ") << type.getRank();
  SmallVector<int64_t> expected = {op.getNumRotated() / 2};
  if (type.getRank() == 2)
    expected.insert(expected.begin(), op.getInput().getType().getDimSize(0));
  if (failed(checkShape(op, "frequencies", type, expected)))
    return failure();
  if (type.getElementType() != op.getAccumulationType())
    return op.emitOpError("expected element type ")
           << op.getAccumulationType() << " for frequencies, but got " << type.getElementType();
  if (op.getBase() || op.getScaling())
    return op.emitOpError("expected no base and no scaling with frequencies");
  return success();
}

LogicalResult RopeOp::verify() {
  RankedTensorType input = getInput().getType(), positions = getPositions().getType();
  // rope_c1
  if (input.getRank() != 4)
    return emitOpError("expected rank 4 for input, but got ") << input.getRank();
  // rope_c2
  if (positions.getRank() != 1 && positions.getRank() != 2)
    return emitOpError("expected rank 1 or 2 for positions, but got ") << positions.getRank();
  SmallVector<int64_t> expected = {input.getDimSize(2)};
  if (positions.getRank() == 2)
    expected.insert(expected.begin(), input.getDimSize(0));
  if (failed(checkShape(*this, "positions", positions, expected)))
    return failure();
  // rope_c3, rope_c7
  if (failed(verifyRotaryDims(*this)))
    return failure();
  // rope_c4
  if (failed(verifyFrequencies(*this)))
    return failure();
  // rope_c5
  if (getBase() && !(getBase()->isFinite() && getBase()->convertToDouble() > 1))
    return emitOpError("expected a base that is finite and above 1");
  // rope_c6
  return checkAccumulation(*this, input.getElementType(), getAccumulate());
}

LogicalResult RopeOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

Type RopeOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

/// A rotated element is a sum of two products.
int64_t RopeOp::getReductionLength() { return 2; }

//===----------------------------------------------------------------------===//
// kv_append
//===----------------------------------------------------------------------===//

/// What appending and its gradient ask of rows and of the cache, or its cotangent, that `name` is.
template <typename Op>
static LogicalResult verifyCacheRows(Op op, StringRef name, RankedTensorType cache) {
  RankedTensorType rows = op.getRows().getType();
  // kv_append_c1, kv_append_grad_c1
  for (auto [what, type] : {std::pair(StringRef("rows"), rows), std::pair(name, cache)})
    if (type.getRank() != 4)
      return op.emitOpError("expected rank 4 for ") << what << ", but got " << type.getRank();
  if (failed(checkDim(op, "heads of rows", cache.getDimSize(1), rows.getDimSize(1))) ||
      failed(checkDim(op, "head dim of rows", cache.getDimSize(3), rows.getDimSize(3))))
    return failure();
  // kv_append_c2, kv_append_grad_c2
  int64_t batch = rows.getDimSize(0);
  if (failed(checkShape(op, "positions", op.getPositions().getType(), {batch})))
    return failure();
  // kv_append_c3, kv_append_grad_c3
  Value table = op.getBlockTable();
  if (!table)
    return checkDim(op, "batch of rows", cache.getDimSize(0), batch);
  auto tableType = cast<RankedTensorType>(table.getType());
  if (failed(checkShape(op, "block_table", tableType, {batch, ShapedType::kDynamic})))
    return failure();
  // kv_append_c5, kv_append_grad_c5
  if (cache.getDimSize(2) == 0 || tableType.getDimSize(1) == 0)
    return op.emitOpError("expected pages, and rows in them, but got 0");
  return success();
}

LogicalResult KvAppendOp::verify() {
  if (failed(verifyCacheRows(*this, "cache", getCache().getType())))
    return failure();
  // kv_append_c4
  return checkElementTypes(*this, {getRows(), getCache()});
}

LogicalResult KvAppendOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getCache(), shapes);
}

MutableOperandRange KvAppendOp::getDpsInitsMutable() { return getCacheMutable(); }

OpFoldResult KvAppendOp::fold(FoldAdaptor) {
  // No rows, no change.
  return llvm::is_contained(getRows().getType().getShape(), 0) ? OpFoldResult(getCache())
                                                               : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// kv_append_grad
//===----------------------------------------------------------------------===//

LogicalResult KvAppendGradOp::verify() {
  if (failed(verifyCacheRows(*this, "cotangent", getCotangent().getType())))
    return failure();
  // kv_append_grad_c4
  return checkElementTypes(*this, {getRows(), getCotangent()});
}

LogicalResult KvAppendGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getRows(), shapes);
}

} // namespace forge::transformer
