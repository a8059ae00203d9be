#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Accumulation.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;

namespace forge::transformer {

LogicalResult GroupedOuterOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  // grouped_outer_c1
  if (lhs.getRank() != 2)
    return emitOpError("expected rank 2 for lhs, but got ") << lhs.getRank();
  if (failed(checkShape(*this, "rhs", rhs, {lhs.getDimSize(0), ShapedType::kDynamic})))
    return failure();
  // grouped_outer_c2, grouped_outer_c3
  RankedTensorType groups = getGroups().getType();
  if (groups.getRank() != 1)
    return emitOpError("expected rank 1 for groups, but got ") << groups.getRank();
  int64_t count = groups.getDimSize(0);
  if (getOffsets() && count == 0)
    return emitOpError("expected one position or more, but got 0");
  if (getOffsets() && !ShapedType::isDynamic(count))
    --count;
  if (failed(checkShape(*this, "result", getResult().getType(),
                        {count, lhs.getDimSize(1), rhs.getDimSize(1)})))
    return failure();
  // grouped_outer_c4
  if (failed(checkElementTypes(*this, {getLhs(), getRhs(), getResult()})))
    return failure();
  // grouped_outer_c5
  return checkAccumulation(*this, lhs.getElementType(), getAccumulate());
}

LogicalResult GroupedOuterOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  OpFoldResult count = sizeOf(builder, getLoc(), getGroups(), 0);
  if (!ShapedType::isDynamic(getNumGroups()))
    count = builder.getIndexAttr(getNumGroups());
  else if (getOffsets())
    count = builder.createOrFold<arith::SubIOp>(
        getLoc(), getValueOrCreateConstantIndexOp(builder, getLoc(), count),
        arith::ConstantIndexOp::create(builder, getLoc(), 1));
  shapes.push_back(
      {count, sizeOf(builder, getLoc(), getLhs(), 1), sizeOf(builder, getLoc(), getRhs(), 1)});
  return success();
}

Type GroupedOuterOp::getAccumulationType() {
  return accumulationType(getLhs().getType().getElementType(), getAccumulate());
}

int64_t GroupedOuterOp::getReductionLength() { return getLhs().getType().getDimSize(0); }

} // namespace forge::transformer
