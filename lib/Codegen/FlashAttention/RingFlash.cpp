#include "RoleBuilder.h"
#include "WarpProducts.h"

#include "../Tile/LowerTileProgram.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

namespace {
/// Attention of a few rows is bound by memory: blocks of keys and values are on their way through a
/// ring of as many slots as shared memory has room for, while one of them is computed on. The warps
/// that read the ring fill it: one thread of them says what tensor maps copy.
class RingFlash : WarpProducts {
public:
  RingFlash(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
            const GPUChip &chip)
      : WarpProducts(kernel, flash, plan, chip), roles(b, program) {}

  void build();

private:
  void putBlock(const QueryTile &tile, Value block);
  State addKeys(const QueryTile &tile, Value first, Value end);
  Value addValues(Value weights, Value values, Value block, Value sum);

  RoleBuilder roles;
  RoleBuilder::Ring ring;
  /// The first key whose values are 0 instead of what memory holds; null where there is none.
  Value queries, endKey;
};
} // namespace

void RingFlash::putBlock(const QueryTile &tile, Value block) {
  SmallVector<Value> begin = tile.begin;
  begin[program.keyAxis()] = firstKey(block);
  roles.put(ring, begin);
}

/// What memory holds behind a sequence's end may be NaN, which a weight of zero would not end.
Value RingFlash::addValues(Value weights, Value values, Value block, Value sum) {
  weights = inLanesOfRows(weights);
  if (!endKey)
    return addWeighted(weights, values, /*byKeys=*/true, sum);
  Value end = arith::SubIOp::create(b, endKey, firstKey(block));
  Value isWhole = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, end, index(plan.keys));
  auto branch = scf::IfOp::create(b, sum.getType(), isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(b, addWeighted(weights, values, /*byKeys=*/true, sum));
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, addWeighted(weights, values, /*byKeys=*/true, sum, end));
  return branch.getResult(0);
}

/// The keys of blocks from `first` to before `end`, of which there may be none. A slot is filled
/// again once all warps have dropped it, which they have in the iteration before.
RingFlash::State RingFlash::addKeys(const QueryTile &tile, Value first, Value end) {
  Value ahead = i32(plan.slots - 1);
  Value filled = arith::MinSIOp::create(b, arith::AddIOp::create(b, first, ahead), end);
  auto fill = scf::ForOp::create(b, first, filled, i32(1));
  keepRolled(fill);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(fill.getBody()->getTerminator());
    putBlock(tile, fill.getInductionVar());
  }
  auto loop = scf::ForOp::create(b, first, end, i32(1), softmax.start().withoutWeights());
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  State before = State::ofSums(loop.getRegionIterArgs());
  Value block = loop.getInductionVar();
  Value next = arith::AddIOp::create(b, block, ahead);
  auto isLeft = scf::IfOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::slt, next, end),
                                  /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard inBranch(b);
    b.setInsertionPoint(isLeft.thenBlock()->getTerminator());
    putBlock(tile, next);
  }
  RoleBuilder::Slot slot = roles.get(ring);
  State after = softmax.weigh(tile, block, scores(queries, slot.buffers[0]), &before);
  after.weighted = addValues(after.weights, slot.buffers[1], block, after.weighted);
  roles.drop(slot);
  scf::YieldOp::create(b, after.withoutWeights());
  return State::ofSums(loop.getResults());
}

void RingFlash::build() {
  QueryTile tile = beginBlock();
  ring = roles.makeRing(
      plan.slots, {roles.factor(flash.key, plan.keys, program.keyAxis(), program.depthAxis()),
                   roles.factor(flash.value, plan.keys, program.keyAxis(), program.columnAxis())});
  endKey = endOfValues(tile);
  queries = queriesInRegisters(tile);
  softmax.finish(tile,
                 addParts(tile, [&](Value first, Value end) { return addKeys(tile, first, end); }));
}

void forge::buildRingFlash(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                           const GPUChip &chip) {
  RingFlash(kernel, flash, plan, chip).build();
}
