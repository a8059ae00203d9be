#include "BlockedSum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

/// With blocks of these, a sum of n terms has chains of 32, of 32 and of n / 1024: together at most
/// twice the square root of n from 2048 to four million, which is below the error of independent
/// roundings even if all of them err alike (docs/numerics.md).
static constexpr int64_t kBlock = 32, kLargeBlock = 1024;

SmallVector<int64_t> forge::blocksOfSum(std::optional<int64_t> count) {
  if (!count || *count > 2 * kLargeBlock)
    return {kLargeBlock, kBlock};
  if (*count > kBlock)
    return {kBlock};
  return {};
}

forge::Accumulators forge::emitBlockedReduction(OpBuilder &b, Location loc, ReductionRange range,
                                                ArrayRef<int64_t> blocks, ValueRange neutral,
                                                AccumulateFn accumulate, JoinFn join) {
  int64_t length = (blocks.empty() ? 1 : blocks.front()) * range.step;
  Value step = arith::ConstantIndexOp::create(b, loc, length);
  auto loop = scf::ForOp::create(b, loc, range.from, range.to, step, neutral);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  if (blocks.empty()) {
    scf::YieldOp::create(b, loc, accumulate(at, loop.getRegionIterArgs()));
    return Accumulators(loop.getResults());
  }
  Value end = arith::AddIOp::create(b, loc, at, step);
  std::optional<int64_t> from = getConstantIntValue(range.from), to = getConstantIntValue(range.to);
  if (!from || !to || (*to - *from) % length != 0)
    end = arith::MinUIOp::create(b, loc, end, range.to);
  Accumulators part = emitBlockedReduction(b, loc, {at, end, range.step}, blocks.drop_front(),
                                           neutral, accumulate, join);
  scf::YieldOp::create(b, loc, join(loop.getRegionIterArgs(), part));
  return Accumulators(loop.getResults());
}
