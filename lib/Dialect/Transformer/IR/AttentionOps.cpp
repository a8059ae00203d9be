#include "AttentionVerify.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace forge::transformer {

//===----------------------------------------------------------------------===//
// What both operations check
//===----------------------------------------------------------------------===//

/// attention_c5, paged_attention_c5
template <typename Op> static LogicalResult checkResults(Op op, int64_t width) {
  ArrayRef<int64_t> query = op.getQuery().getType().getShape();
  if (failed(checkShape(op, "result", op.getResult().getType(),
                        {query[0], query[1], query[2], width})))
    return failure();
  if (!op.getLse())
    return success();
  return checkShape(op, "lse", cast<RankedTensorType>(op.getLse().getType()), query.drop_back());
}

/// The element types: c8 and c16.
template <typename Op> static LogicalResult checkTypes(Op op, Value keys, Value values) {
  if (failed(checkElementTypes(op, {op.getQuery(), keys, values, op.getSinks(), op.getResult()})))
    return failure();
  // attention_c16, paged_attention_c16
  Type element = op.getQuery().getType().getElementType();
  if (op.getWeights() && *op.getWeights() != element &&
      *op.getWeights() != op.getAccumulationType())
    return op.emitOpError("expected weights to be ")
           << element << " or " << op.getAccumulationType() << ", but got " << *op.getWeights();
  if (!op.getLse())
    return success();
  Type lse = getElementTypeOrSelf(op.getLse().getType()), expected = op.getAccumulationType();
  if (lse != expected)
    return op.emitOpError("expected element type ") << expected << " for lse, but got " << lse;
  return success();
}

/// attention_c13, attention_c14, paged_attention_c13, paged_attention_c14
template <typename Op> static LogicalResult checkScore(Op op) {
  return checkScoreRegion(op, op.getScore(), "score", op.getAccumulationType());
}

template <typename Op> static Type weightsType(Op op) {
  Type element = op.getQuery().getType().getElementType();
  return op.getWeights()
             ? *op.getWeights()
             : (element.isBF16() || element.isF16() ? element : op.getAccumulationType());
}

template <typename Op>
static LogicalResult reifyAttention(Op op, OpBuilder &builder, Value values, Shapes &shapes) {
  SmallVector<OpFoldResult> rows;
  for (int64_t dim : {0, 1, 2})
    rows.push_back(sizeOf(builder, op.getLoc(), op.getQuery(), dim));
  shapes.push_back(rows);
  shapes.back().push_back(sizeOf(builder, op.getLoc(), values, 3));
  if (op.getLse())
    shapes.push_back(rows);
  return success();
}

/// A product along D, then sums along the keys: the longer of the two.
static int64_t reductionLength(int64_t depth, int64_t keys) {
  return ShapedType::isDynamic(depth) || ShapedType::isDynamic(keys) ? ShapedType::kDynamic
                                                                     : std::max(depth, keys);
}

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  if (failed(verifyKeysAndValues(*this)))
    return failure();
  RankedTensorType query = getQuery().getType(), key = getKey().getType();
  // attention_c4
  if (failed(checkHeads(*this, query.getDimSize(1), key.getDimSize(1))))
    return failure();
  // attention_c5
  if (failed(checkResults(*this, getValue().getType().getDimSize(3))))
    return failure();
  // attention_c6
  if (failed(checkMask(*this)) || failed(checkScoring(*this)) || failed(checkVectors(*this)))
    return failure();
  // attention_c8
  return checkTypes(*this, getKey(), getValue());
}

LogicalResult AttentionOp::verifyRegions() { return checkScore(*this); }

LogicalResult AttentionOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAttention(*this, builder, getValue(), shapes);
}

Type AttentionOp::getAccumulationType() {
  return accumulationType(getQuery().getType().getElementType(), getAccumulate());
}

Type AttentionOp::getWeightsType() { return weightsType(*this); }

int64_t AttentionOp::getReductionLength() {
  return reductionLength(getQuery().getType().getDimSize(3), getNumKeys());
}

void AttentionOp::build(OpBuilder &builder, OperationState &state, Value query, Value key,
                        Value value, bool causal) {
  auto type = cast<RankedTensorType>(query.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = cast<RankedTensorType>(value.getType()).getShape().back();
  build(builder, state, type.clone(shape), /*lse=*/Type(), query, key, value, /*mask=*/Value(),
        /*lengths=*/Value(), /*offsets=*/Value(), /*sinks=*/Value(), /*scale=*/FloatAttr(),
        causal ? builder.getUnitAttr() : UnitAttr(), /*window=*/IntegerAttr(),
        /*soft_cap=*/FloatAttr(), /*accumulate=*/TypeAttr(), /*weights=*/TypeAttr());
}

//===----------------------------------------------------------------------===//
// paged_attention
//===----------------------------------------------------------------------===//

/// paged_attention_c1 to paged_attention_c3
static LogicalResult verifyShapes(PagedAttentionOp op) {
  RankedTensorType query = op.getQuery().getType(), key = op.getKeyPages().getType(),
                   value = op.getValuePages().getType();
  // paged_attention_c1
  for (auto [name, type] :
       {std::pair("query", query), std::pair("key_pages", key), std::pair("value_pages", value)})
    if (type.getRank() != 4)
      return op.emitOpError("expected rank 4 for ") << name << ", but got " << type.getRank();
  // paged_attention_c2
  if (failed(checkDim(op, "pages of value_pages", key.getDimSize(0), value.getDimSize(0))) ||
      failed(checkDim(op, "heads of value_pages", key.getDimSize(1), value.getDimSize(1))) ||
      failed(checkDim(op, "page size of value_pages", key.getDimSize(2), value.getDimSize(2))))
    return failure();
  if (key.getDimSize(0) == 0)
    return op.emitOpError("expected 1 page or more, but got 0");
  // paged_attention_c3
  return checkDim(op, "head dim of key_pages", query.getDimSize(3), key.getDimSize(3));
}

LogicalResult PagedAttentionOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  RankedTensorType query = getQuery().getType(), table = getBlockTable().getType();
  // paged_attention_c4
  if (failed(checkHeads(*this, query.getDimSize(1), getKeyPages().getType().getDimSize(1))))
    return failure();
  // paged_attention_c5
  if (failed(checkResults(*this, getValuePages().getType().getDimSize(3))))
    return failure();
  // paged_attention_c6
  if (table.getRank() != 2)
    return emitOpError("expected rank 2 for block_table, but got ") << table.getRank();
  if (failed(checkDim(*this, "rows of block_table", query.getDimSize(0), table.getDimSize(0))))
    return failure();
  if (failed(checkScoring(*this)) || failed(checkVectors(*this)))
    return failure();
  // paged_attention_c8
  return checkTypes(*this, getKeyPages(), getValuePages());
}

LogicalResult PagedAttentionOp::verifyRegions() { return checkScore(*this); }

LogicalResult PagedAttentionOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAttention(*this, builder, getValuePages(), shapes);
}

Type PagedAttentionOp::getAccumulationType() {
  return accumulationType(getQuery().getType().getElementType(), getAccumulate());
}

Type PagedAttentionOp::getWeightsType() { return weightsType(*this); }

int64_t PagedAttentionOp::getReductionLength() {
  int64_t pages = getBlockTable().getType().getDimSize(1),
          size = getKeyPages().getType().getDimSize(2);
  bool known = !ShapedType::isDynamic(pages) && !ShapedType::isDynamic(size);
  // No memory has so many keys, but the two sizes are of two tensors.
  int64_t keys = ShapedType::kDynamic;
  if (known && llvm::MulOverflow(pages, size, keys))
    keys = std::numeric_limits<int64_t>::max();
  return reductionLength(getQuery().getType().getDimSize(3), keys);
}

} // namespace forge::transformer
