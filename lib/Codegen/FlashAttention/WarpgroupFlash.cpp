#include "FlashBuilder.h"
#include "RoleBuilder.h"

#include "../Tile/BuildRole.h"

#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

/// Registers of a thread; together 504 for three warpgroups, as many as a launch of 168 each gives.
/// A role that takes numbers of tiles from a counter needs more.
struct RoleRegisters {
  int64_t copy, math;
};
static constexpr RoleRegisters kForOneTile = {24, 240}, kForManyTiles = {40, 232};

namespace {
/// 1. A role that copies tiles of queries, and blocks of keys and values, through three rings.
/// 2. A role of warpgroups with 64 rows each: the scores of the next block and the weighted values
///    of this one are under way while the other warpgroup computes exponentials.
class WarpgroupFlash : FlashBuilder {
public:
  WarpgroupFlash(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                 const GPUChip &chip)
      : FlashBuilder(kernel, flash, plan, chip,
                     tile::wgmmaAccumulator(kernel.getContext(), plan.warpgroups())),
        roles(b, program) {}

  bool build();

private:
  using State = OnlineSoftmax::State;
  using Ring = RoleBuilder::Ring;
  using Slot = RoleBuilder::Slot;

  /// `body` for each tile of queries that the block takes.
  void forTiles(function_ref<void(const QueryTile &)> body);
  void copyTile(const QueryTile &tile);
  void computeTile(const QueryTile &tile);

  Value loadQueries(const Slot &query);

  RoleBuilder roles;
  /// Of the tiles that blocks take in turns, where there are more of these than blocks: tiles that
  /// see fewer keys than others take less time.
  Value counter, numTiles;
  Ring queryRing, keyRing, valueRing;
};
} // namespace

void WarpgroupFlash::forTiles(function_ref<void(const QueryTile &)> body) {
  if (!counter) {
    body(order.tileOf(arith::IndexCastOp::create(
        b, b.getI32Type(), gpu::BlockIdOp::create(b, gpu::Dimension::x).getResult())));
    return;
  }
  auto work = tile::WorkOp::create(b, numTiles, counter);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&work.getBody(), {}, {b.getI32Type()}, {b.getLoc()});
  body(order.tileOf(block->getArgument(0)));
  tile::YieldOp::create(b);
}

/// Keys of the first block, then those of the next one and values of this one in turns, as they are
/// needed.
void WarpgroupFlash::copyTile(const QueryTile &tile) {
  auto putBlock = [&](const Ring &ring, Value block) {
    SmallVector<Value> begin = tile.begin;
    begin[program.keyAxis()] = firstKey(block);
    roles.put(ring, begin);
  };
  auto putKeys = [&](Value block) { putBlock(keyRing, block); };
  auto putValues = [&](Value block) { putBlock(valueRing, block); };
  roles.put(queryRing, tile.begin);
  putKeys(tile.firstBlock);
  Value second = arith::AddIOp::create(b, tile.firstBlock, i32(1));
  auto loop = scf::ForOp::create(b, second, tile.endBlock, i32(1));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    putKeys(loop.getInductionVar());
    putValues(arith::SubIOp::create(b, loop.getInductionVar(), i32(1)));
  }
  putValues(arith::SubIOp::create(b, tile.endBlock, i32(1)));
}

/// Those of the next tile can be copied then, and products read half as much of shared memory.
Value WarpgroupFlash::loadQueries(const Slot &query) {
  auto type = softmax.matrix(plan.depth, flash.queryType());
  Value queries = tile::LoadOp::create(b, type, query.buffers.front(),
                                       ValueRange{index(0), index(0)}, DenseI64ArrayAttr(),
                                       ValueRange(), /*fill=*/Value(), b.getI64IntegerAttr(4));
  roles.drop(query);
  return queries;
}

void WarpgroupFlash::computeTile(const QueryTile &tile) {
  Value noScores = softmax.zeros(plan.keys);
  Slot query = roles.get(queryRing);
  bool inRegisters = plan.queriesInRegisters;
  Value queries = inRegisters ? loadQueries(query) : query.buffers.front();
  Slot key = roles.get(keyRing);
  Value scores = roles.dot(queries, key.buffers.front(), false, noScores);
  roles.drop(key);
  State first = softmax.weigh(tile, tile.firstBlock, scores, nullptr);
  first.weighted = softmax.zeros(plan.columns);
  Value second = arith::AddIOp::create(b, tile.firstBlock, i32(1));
  auto loop = scf::ForOp::create(b, second, tile.endBlock, i32(1), first.all());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    State before = State::of(loop.getRegionIterArgs());
    Slot nextKey = roles.get(keyRing);
    tile::TurnOp::create(b);
    Value next = roles.dot(queries, nextKey.buffers.front(), false, noScores);
    Slot value = roles.get(valueRing);
    before.weighted = roles.dot(before.weights, value.buffers.front(), true, before.weighted);
    tile::PassOp::create(b);
    roles.drop(nextKey);
    State after = softmax.weigh(tile, loop.getInductionVar(), next, &before);
    roles.drop(value);
    scf::YieldOp::create(b, after.all());
  }
  State last = State::of(loop.getResults());
  Slot value = roles.get(valueRing);
  last.weighted = roles.dot(last.weights, value.buffers.front(), true, last.weighted);
  roles.drop(value);
  if (!inRegisters)
    roles.drop(query);
  softmax.finish(tile, last);
}

bool WarpgroupFlash::build() {
  int64_t blocks = std::min(order.numTiles(), chip.processors);
  kernel->setAttr(tile::kGridAttr, b.getDenseI64ArrayAttr(blocks));
  if (blocks < order.numTiles()) {
    auto type = MemRefType::get({2}, b.getI32Type());
    (void)kernel.insertArgument(kernel.getNumArguments(), type, {}, kernel.getLoc());
    counter = kernel.getArguments().back();
    numTiles = i32(order.numTiles());
  }
  queryRing =
      roles.makeRing(1, {roles.factor(flash.query, plan.rows, flash.rowAxis, program.depthAxis())});
  keyRing = roles.makeRing(
      2, {roles.factor(flash.key, plan.keys, program.keyAxis(), program.depthAxis())});
  valueRing = roles.makeRing(
      2, {roles.factor(flash.value, plan.keys, program.keyAxis(), program.columnAxis())});
  RoleRegisters registers = counter ? kForManyTiles : kForOneTile;
  buildRole(b, "copy", 4, registers.copy,
            [&] { forTiles([&](const QueryTile &tile) { copyTile(tile); }); });
  buildRole(b, "math", 4 * plan.warpgroups(), registers.math,
            [&] { forTiles([&](const QueryTile &tile) { computeTile(tile); }); });
  return counter != Value();
}

bool forge::buildWarpgroupFlash(func::FuncOp kernel, const FlashAttention &flash,
                                const FlashPlan &plan, const GPUChip &chip) {
  return WarpgroupFlash(kernel, flash, plan, chip).build();
}
