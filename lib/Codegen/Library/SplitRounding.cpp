#include "SplitRounding.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

/// The sizes of the result of `contraction`, from what it starts with: a question to the result
/// itself would be a use of it outside the cluster.
static SmallVector<OpFoldResult> sizesOf(linalg::LinalgOp contraction, OpBuilder &builder) {
  Value start = contraction.getDpsInits().front();
  while (auto fill = start.getDefiningOp<linalg::FillOp>())
    start = fill.getDpsInits().front();
  if (auto empty = start.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes();
  return tensor::getMixedSizes(builder, contraction.getLoc(), start);
}

/// What reads `value`, itself or reshaped, if all of it rounds to `narrow` before it does anything
/// else; and the reshapes, outer ones first.
static LogicalResult findRoundedReads(Value value, Type narrow, Block *block,
                                      SmallVectorImpl<OpOperand *> &reads,
                                      SmallVectorImpl<Operation *> &views) {
  for (Operation *user : value.getUsers()) {
    if (user->getBlock() != block)
      return failure();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user)) {
      views.push_back(user);
      if (failed(findRoundedReads(user->getResult(0), narrow, block, reads, views)))
        return failure();
      continue;
    }
    auto reader = dyn_cast<linalg::GenericOp>(user);
    OpOperand *read = reader && reader.hasPureTensorSemantics()
                          ? forge::roundedRead(reader, value, narrow)
                          : nullptr;
    if (!read)
      return failure();
    reads.push_back(read);
  }
  return success();
}

linalg::GenericOp forge::splitRounding(linalg::LinalgOp contraction) {
  Value sums = contraction->getResult(0);
  Type narrow = getElementTypeOrSelf(contraction->getOperand(0));
  SmallVector<OpOperand *> reads;
  SmallVector<Operation *> views;
  if (failed(findRoundedReads(sums, narrow, contraction->getBlock(), reads, views)) ||
      reads.empty())
    return {};
  SmallVector<OpOperand *> direct;
  for (OpOperand &use : sums.getUses())
    direct.push_back(&use);
  OpBuilder builder(contraction);
  Location loc = contraction.getLoc();
  auto type = cast<RankedTensorType>(sums.getType()).clone(narrow);
  Value empty = tensor::EmptyOp::create(builder, loc, sizesOf(contraction, builder), narrow);
  builder.setInsertionPointAfter(contraction);
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto rounding = linalg::GenericOp::create(
      builder, loc, type, sums, empty, maps, loops,
      [&](OpBuilder &inside, Location where, ValueRange values) {
        Value rounded = arith::TruncFOp::create(inside, where, narrow, values.front());
        linalg::YieldOp::create(inside, where, rounded);
      });
  for (OpOperand *use : direct)
    use->set(rounding.getResult(0));
  for (Operation *view : views) {
    Value result = view->getResult(0);
    result.setType(cast<RankedTensorType>(result.getType()).clone(narrow));
  }
  for (OpOperand *read : reads) {
    BlockArgument element =
        cast<linalg::GenericOp>(read->getOwner()).getMatchingBlockArgument(read);
    SmallVector<Operation *> roundings(element.getUsers());
    element.setType(narrow);
    for (Operation *user : roundings) {
      user->getResult(0).replaceAllUsesWith(element);
      user->erase();
    }
  }
  return rounding;
}
