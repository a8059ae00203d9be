#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Accumulation.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace forge::transformer {

LogicalResult ActivationGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

LogicalResult EmbeddingGradOp::verify() {
  RankedTensorType table = getTable().getType();
  // embedding_grad_c1
  if (table.getRank() != 2)
    return emitOpError("expected rank 2 for table, but got ") << table.getRank();
  // embedding_grad_c2
  SmallVector<int64_t> shape(getIds().getType().getShape());
  shape.push_back(table.getDimSize(1));
  if (failed(checkShape(*this, "cotangent", getCotangent().getType(), shape)))
    return failure();
  // embedding_grad_c3
  if (failed(checkElementTypes(*this, {getTable(), getCotangent()})))
    return failure();
  // embedding_grad_c4
  return checkAccumulation(*this, table.getElementType(), getAccumulate());
}

Type EmbeddingGradOp::getAccumulationType() {
  return accumulationType(getTable().getType().getElementType(), getAccumulate());
}

/// At worst every token is the same.
int64_t EmbeddingGradOp::getReductionLength() {
  RankedTensorType ids = getIds().getType();
  return ids.hasStaticShape() ? std::max<int64_t>(ids.getNumElements(), 1) : ShapedType::kDynamic;
}

LogicalResult EmbeddingGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getTable(), shapes);
}

/// The sizes of `shape` but those at `dimensions`, which are ascending.
template <typename Size>
static SmallVector<Size> without(ArrayRef<Size> sizes, ArrayRef<int64_t> dimensions) {
  SmallVector<Size> kept;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(dimensions, static_cast<int64_t>(dim)))
      kept.push_back(size);
  return kept;
}

void SumOp::build(OpBuilder &builder, OperationState &state, Value input,
                  ArrayRef<int64_t> dimensions) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape = without(type.getShape(), dimensions);
  build(builder, state, RankedTensorType::get(shape, type.getElementType()), input,
        builder.getDenseI64ArrayAttr(dimensions), TypeAttr());
}

LogicalResult SumOp::verify() {
  RankedTensorType type = getInput().getType();
  // sum_c1
  if (type.getRank() == 0)
    return emitOpError("expected rank 1 or more for input, but got 0");
  int64_t last = -1;
  for (int64_t dim : getDimensions()) {
    if (dim <= last || dim >= type.getRank())
      return emitOpError("expected ascending dimensions from 0 to ")
             << type.getRank() - 1 << ", but got [" << getDimensions() << "]";
    last = dim;
  }
  if (getDimensions().empty())
    return emitOpError("expected a dimension to sum over, but got none");
  // sum_c2
  if (failed(checkShape(*this, "result", getResult().getType(),
                        without(type.getShape(), getDimensions()))))
    return failure();
  // sum_c3
  if (failed(checkElementTypes(*this, {getInput(), getResult()})))
    return failure();
  // sum_c4
  return checkAccumulation(*this, type.getElementType(), getAccumulate());
}

Type SumOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t SumOp::getReductionLength() {
  int64_t length = 1;
  for (int64_t dim : getDimensions()) {
    int64_t size = getInput().getType().getDimSize(dim);
    if (ShapedType::isDynamic(size))
      return size;
    length *= std::max<int64_t>(size, 1);
  }
  return length;
}

LogicalResult SumOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  Shapes all;
  if (failed(reifyAs(builder, getInput(), all)))
    return failure();
  shapes.push_back(without(ArrayRef(all[0]), getDimensions()));
  return success();
}

} // namespace forge::transformer
