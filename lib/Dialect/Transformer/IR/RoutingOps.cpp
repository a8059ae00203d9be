#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::transformer {

/// moe_route_c5, moe_route_c6
static LogicalResult verifyGroups(MoeRouteOp op, int64_t experts) {
  if (op.getGroups().has_value() != op.getTopGroups().has_value())
    return op.emitOpError("expected groups and top_groups together");
  if (!op.getGroups())
    return success();
  int64_t groups = *op.getGroups(), chosen = *op.getTopGroups();
  // moe_route_c5
  if (groups < 1 || experts % groups != 0)
    return op.emitOpError("expected groups to divide the ")
           << experts << " experts, but got " << groups;
  if (chosen < 1 || chosen > groups)
    return op.emitOpError("expected top_groups from 1 to ") << groups << ", but got " << chosen;
  // moe_route_c6
  if (op.getGroupScore() == GroupScore::Top2 && experts / groups < 2)
    return op.emitOpError("expected groups of 2 experts or more for top2, but got ")
           << experts / groups;
  return success();
}

/// moe_route_c7
static LogicalResult verifyTypes(MoeRouteOp op) {
  if (failed(checkElementTypes(op, {op.getLogits(), op.getWeights()})))
    return failure();
  if (!op.getBias())
    return success();
  Type element = op.getLogits().getType().getElementType(),
       bias = getElementTypeOrSelf(op.getBias().getType());
  if (bias == element || bias == op.getAccumulationType())
    return success();
  return op.emitOpError("expected element type ")
         << element << " or " << op.getAccumulationType() << " for bias, but got " << bias;
}

LogicalResult MoeRouteOp::verify() {
  RankedTensorType logits = getLogits().getType();
  // moe_route_c1
  if (logits.getRank() != 2)
    return emitOpError("expected rank 2 for logits, but got ") << logits.getRank();
  int64_t experts = logits.getDimSize(1), k = getK();
  if (ShapedType::isDynamic(experts))
    return emitOpError("expected a static number of experts");
  // moe_route_c2
  if (getBias() &&
      failed(checkShape(*this, "bias", cast<RankedTensorType>(getBias().getType()), {experts})))
    return failure();
  // moe_route_c5, moe_route_c6
  if (failed(verifyGroups(*this, experts)))
    return failure();
  // moe_route_c3
  int64_t candidates = getGroups() ? experts / static_cast<int64_t>(*getGroups()) *
                                         static_cast<int64_t>(*getTopGroups())
                                   : experts;
  if (k < 1 || k > candidates)
    return emitOpError("expected k from 1 to ") << candidates << ", but got " << k;
  // moe_route_c4
  for (auto [name, type] :
       {std::pair<StringRef, RankedTensorType>("weights", getWeights().getType()),
        {"experts", getExperts().getType()}})
    if (failed(checkShape(*this, name, type, {logits.getDimSize(0), k})))
      return failure();
  // moe_route_c7
  if (failed(verifyTypes(*this)))
    return failure();
  // moe_route_c8
  if (getScale() && !getScale()->isFinite())
    return emitOpError("expected a finite scale");
  // moe_route_c9
  return checkAccumulation(*this, logits.getElementType(), getAccumulate());
}

LogicalResult MoeRouteOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  shapes.assign(2, {sizeOf(builder, getLoc(), getLogits(), 0), builder.getIndexAttr(getK())});
  return success();
}

Type MoeRouteOp::getAccumulationType() {
  return accumulationType(getLogits().getType().getElementType(), getAccumulate());
}

int64_t MoeRouteOp::getReductionLength() { return getLogits().getType().getDimSize(1); }

/// Groups that are all chosen exclude no expert.
LogicalResult MoeRouteOp::canonicalize(MoeRouteOp op, PatternRewriter &rewriter) {
  if (!op.getGroups() || *op.getGroups() != *op.getTopGroups())
    return rewriter.notifyMatchFailure(op, "its groups exclude experts");
  rewriter.modifyOpInPlace(op, [&] {
    op.removeGroupsAttr();
    op.removeTopGroupsAttr();
    op.setGroupScore(GroupScore::Max);
  });
  return success();
}

} // namespace forge::transformer
