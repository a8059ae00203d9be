#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Accumulation.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

//===----------------------------------------------------------------------===//
// cross_entropy_grad
//===----------------------------------------------------------------------===//

LogicalResult CrossEntropyGradOp::verify() {
  RankedTensorType logits = getLogits().getType(), cotangent = getCotangent().getType();
  // cross_entropy_grad_c1
  if (logits.getRank() < 1)
    return emitOpError("expected rank 1 or more for logits, but got 0");
  // cross_entropy_grad_c2
  ArrayRef<int64_t> rows = logits.getShape().drop_back();
  if (failed(checkShape(*this, "targets", getTargets().getType(), rows)))
    return failure();
  // cross_entropy_grad_c3
  bool isSingle = getReduction() != LossReduction::None;
  if (failed(checkShape(*this, "cotangent", cotangent, isSingle ? ArrayRef<int64_t>() : rows)))
    return failure();
  // cross_entropy_grad_c4
  if (cotangent.getElementType() != getAccumulationType())
    return emitOpError("expected element type ")
           << getAccumulationType() << " for cotangent, but got " << cotangent.getElementType();
  // cross_entropy_grad_c5
  double smoothing = getLabelSmoothing() ? getLabelSmoothing()->convertToDouble() : 0;
  if (!(smoothing >= 0 && smoothing <= 1))
    return emitOpError("expected label_smoothing from 0 to 1");
  // cross_entropy_grad_c6
  return checkAccumulation(*this, logits.getElementType(), getAccumulate());
}

LogicalResult CrossEntropyGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getLogits(), shapes);
}

Type CrossEntropyGradOp::getAccumulationType() {
  return accumulationType(getLogits().getType().getElementType(), getAccumulate());
}

int64_t CrossEntropyGradOp::getReductionLength() { return getLogits().getType().getShape().back(); }

//===----------------------------------------------------------------------===//
// moe_route_grad
//===----------------------------------------------------------------------===//

LogicalResult MoeRouteGradOp::verify() {
  RankedTensorType logits = getLogits().getType();
  // moe_route_grad_c1
  if (logits.getRank() != 2)
    return emitOpError("expected rank 2 for logits, but got ") << logits.getRank();
  // moe_route_grad_c2
  SmallVector<int64_t> shape = {logits.getDimSize(0), ShapedType::kDynamic};
  if (failed(checkShape(*this, "cotangent", getCotangent().getType(), shape)))
    return failure();
  shape[1] = getCotangent().getType().getDimSize(1);
  if (failed(checkShape(*this, "experts", getExperts().getType(), shape)))
    return failure();
  // moe_route_grad_c3
  if (failed(checkElementTypes(*this, {getLogits(), getCotangent()})))
    return failure();
  // moe_route_grad_c4
  if (getScale() && !getScale()->isFinite())
    return emitOpError("expected a finite scale");
  // moe_route_grad_c5
  return checkAccumulation(*this, logits.getElementType(), getAccumulate());
}

LogicalResult MoeRouteGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getLogits(), shapes);
}

Type MoeRouteGradOp::getAccumulationType() {
  return accumulationType(getLogits().getType().getElementType(), getAccumulate());
}

int64_t MoeRouteGradOp::getReductionLength() { return getLogits().getType().getDimSize(1); }

//===----------------------------------------------------------------------===//
// top_k_grad
//===----------------------------------------------------------------------===//

LogicalResult TopKGradOp::verify() {
  RankedTensorType input = getInput().getType(), cotangent = getCotangent().getType();
  // top_k_grad_c1
  if (input.getRank() < 1)
    return emitOpError("expected rank 1 or more for input, but got 0");
  // top_k_grad_c2
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = ShapedType::kDynamic;
  if (failed(checkShape(*this, "cotangent", cotangent, shape)))
    return failure();
  shape.back() = cotangent.getShape().back();
  if (failed(checkShape(*this, "indices", getIndices().getType(), shape)))
    return failure();
  // top_k_grad_c3
  if (failed(checkElementTypes(*this, {getInput(), getCotangent()})))
    return failure();
  // top_k_grad_c4
  return checkAccumulation(*this, input.getElementType(), getAccumulate());
}

LogicalResult TopKGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

Type TopKGradOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t TopKGradOp::getReductionLength() { return getCotangent().getType().getShape().back(); }

} // namespace forge::transformer
