#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

//===----------------------------------------------------------------------===//
// Folding: only what gives the same bits
//===----------------------------------------------------------------------===//

/// Whether `value` is never below 0.
static bool isNotNegative(Value value) {
  auto inner = value.getDefiningOp<ActivationOp>();
  return inner && llvm::is_contained(
                      {ActivationKind::Relu, ActivationKind::ReluSquared, ActivationKind::Sigmoid},
                      inner.getKind());
}

/// relu of what is not negative is its operand; relu_squared does not need a relu before it.
OpFoldResult ActivationOp::fold(FoldAdaptor) {
  if (getKind() == ActivationKind::Relu && isNotNegative(getInput()))
    return getInput();
  auto inner = getInput().getDefiningOp<ActivationOp>();
  if (getKind() != ActivationKind::ReluSquared || !inner || inner.getKind() != ActivationKind::Relu)
    return {};
  getInputMutable().assign(inner.getInput());
  return getResult();
}

/// Whether a constant holds `value` alone, sign of zero included.
static bool isSplatOf(Attribute constant, double value) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(constant);
  if (!splat)
    return false;
  APFloat expected(value);
  bool inexact;
  expected.convert(splat.getSplatValue<APFloat>().getSemantics(), APFloat::rmNearestTiesToEven,
                   &inexact);
  return splat.getSplatValue<APFloat>().bitwiseIsEqual(expected);
}

/// x + -0 is x, also for -0; x + 0 is not.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), -0.0))
    return getLhs();
  return isSplatOf(adaptor.getLhs(), -0.0) ? OpFoldResult(getRhs()) : OpFoldResult();
}

OpFoldResult MultiplyOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return getLhs();
  return isSplatOf(adaptor.getLhs(), 1.0) ? OpFoldResult(getRhs()) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Shapes and checks
//===----------------------------------------------------------------------===//

LogicalResult ActivationOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

LogicalResult AddOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getLhs(), shapes);
}

LogicalResult MultiplyOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getLhs(), shapes);
}

LogicalResult EmbeddingOp::verify() {
  RankedTensorType table = getTable().getType();
  // embedding_c1
  if (table.getRank() != 2)
    return emitOpError("expected rank 2 for table, but got ") << table.getRank();
  // embedding_c4
  if (table.getDimSize(0) == 0)
    return emitOpError("expected one row or more for table, but got none");
  // embedding_c2
  SmallVector<int64_t> shape(getIds().getType().getShape());
  shape.push_back(table.getDimSize(1));
  if (failed(checkShape(*this, "result", getResult().getType(), shape)))
    return failure();
  // embedding_c3
  return checkElementTypes(*this, {getTable(), getResult()});
}

LogicalResult EmbeddingOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < getIds().getType().getRank(); ++dim)
    sizes.push_back(sizeOf(builder, getLoc(), getIds(), dim));
  sizes.push_back(sizeOf(builder, getLoc(), getTable(), 1));
  shapes.push_back(sizes);
  return success();
}

} // namespace forge::transformer
