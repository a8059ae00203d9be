#include "ScoreSlope.h"

#include "ForwardMode.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace forge::transformer {

/// 1. The block is copied. 2. Derivatives by forward-mode differentiation, one for each number. 3.
/// These are yielded, and what they do not need is dropped.
LogicalResult buildSlope(Region &score, Region &slope, ArrayRef<tensor::ExtractOp> reads) {
  Block &from = score.front(), &to = slope.emplaceBlock();
  Value x = from.getArgument(0), yielded = from.getTerminator()->getOperand(0);
  ImplicitLocOpBuilder b(from.getTerminator()->getLoc(), OpBuilder::atBlockEnd(&to));
  IRMapping mapping;
  for (BlockArgument argument : from.getArguments())
    mapping.map(argument, to.addArgument(argument.getType(), argument.getLoc()));
  SmallVector<Value> roots = {yielded};
  for (tensor::ExtractOp read : reads)
    roots.push_back(read.getResult());
  ForwardMode forward(from, roots, b, mapping, "in a score region");
  FailureOr<Value> byScore = forward.derivative(yielded, x);
  if (failed(byScore))
    return failure();
  SmallVector<Value> more;
  for (tensor::ExtractOp read : reads) {
    FailureOr<Value> derivative = forward.derivative(yielded, read.getResult());
    if (failed(derivative))
      return failure();
    more.push_back(*derivative);
    for (Value index : read.getIndices())
      more.push_back(mapping.lookupOrDefault(index));
  }
  YieldOp::create(b, *byScore, more);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(to)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return success();
}

} // namespace forge::transformer
