#include "FlashBuilder.h"

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
                     tile::wgmmaAccumulator(kernel.getContext(), plan.warpgroups())) {}

  bool build();

private:
  using State = OnlineSoftmax::State;

  /// A role's region.
  void buildRole(StringRef name, int64_t warps, int64_t registers, function_ref<void()> body);
  /// `body` for each tile of queries that the block takes.
  void forTiles(function_ref<void(const QueryTile &)> body);
  void copyTile(const QueryTile &tile);
  void computeTile(const QueryTile &tile);

  struct Slot {
    Value slot, buffer;
  };
  Slot get(Value ring);
  Value loadQueries(const Slot &query);
  void put(Value ring, Value memory, ArrayRef<Value> indices);
  Value dot(Value left, Value right, bool transposed, Value accumulator) {
    int64_t columns = cast<RankedTensorType>(accumulator.getType()).getDimSize(1);
    return tile::DotOp::create(b, accumulator.getType(),
                               tile::DotKindAttr::get(b.getContext(), tile::DotKind::Wgmma),
                               b.getDenseI64ArrayAttr({64, columns, 16}), left, UnitAttr(), right,
                               transposed ? b.getUnitAttr() : UnitAttr(), accumulator);
  }

  /// Of the tiles that blocks take in turns, where there are more of these than blocks: tiles that
  /// see fewer keys than others take less time.
  Value counter, numTiles;
  Value queryRing, keyRing, valueRing;
  Value queryMemory, keyMemory, valueMemory;
};
} // namespace

void WarpgroupFlash::buildRole(StringRef name, int64_t warps, int64_t registers,
                               function_ref<void()> body) {
  auto role = tile::RoleOp::create(b, b.getStringAttr(name), b.getI64IntegerAttr(warps),
                                   b.getI64IntegerAttr(registers));
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&role.getBody());
  body();
  tile::YieldOp::create(b);
}

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

void WarpgroupFlash::put(Value ring, Value memory, ArrayRef<Value> indices) {
  auto type = cast<tile::RingType>(ring.getType());
  auto put = tile::PutOp::create(b, ring);
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&put.getBody(), {}, type.getBuffers(), b.getLoc());
  tile::CopyOp::create(b, memory, indices, DenseI64ArrayAttr(), body->getArgument(0),
                       tile::CopyEngineAttr::get(b.getContext(), tile::CopyEngine::Tma),
                       /*align=*/IntegerAttr());
  tile::YieldOp::create(b);
}

WarpgroupFlash::Slot WarpgroupFlash::get(Value ring) {
  auto type = cast<tile::RingType>(ring.getType());
  auto get = tile::GetOp::create(b, tile::SlotType::get(b.getContext()), type.getBuffers(), ring);
  return {get.getSlot(), get.getBuffers().front()};
}

/// Keys of the first block, then those of the next one and values of this one in turns, as they are
/// needed.
void WarpgroupFlash::copyTile(const QueryTile &tile) {
  auto putKeys = [&](Value block) {
    put(keyRing, keyMemory, indicesOf(flash.key, tile, firstKey(block), index(0)));
  };
  auto putValues = [&](Value block) {
    put(valueRing, valueMemory, indicesOf(flash.value, tile, firstKey(block), index(0)));
  };
  put(queryRing, queryMemory, indicesOf(flash.query, tile, tile.begin[flash.rowAxis], index(0)));
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
  Value queries = tile::LoadOp::create(b, type, query.buffer, ValueRange{index(0), index(0)},
                                       DenseI64ArrayAttr(), ValueRange(), /*fill=*/Value(),
                                       b.getI64IntegerAttr(4));
  tile::DropOp::create(b, query.slot);
  return queries;
}

void WarpgroupFlash::computeTile(const QueryTile &tile) {
  Value noScores = softmax.zeros(plan.keys);
  Slot query = get(queryRing);
  bool inRegisters = plan.queriesInRegisters;
  Value queries = inRegisters ? loadQueries(query) : query.buffer;
  Slot key = get(keyRing);
  Value scores = dot(queries, key.buffer, false, noScores);
  tile::DropOp::create(b, key.slot);
  State first = softmax.weigh(tile, tile.firstBlock, scores, nullptr);
  first.weighted = softmax.zeros(plan.columns);
  Value second = arith::AddIOp::create(b, tile.firstBlock, i32(1));
  auto loop = scf::ForOp::create(b, second, tile.endBlock, i32(1), first.all());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    State before = State::of(loop.getRegionIterArgs());
    Slot nextKey = get(keyRing);
    tile::TurnOp::create(b);
    Value next = dot(queries, nextKey.buffer, false, noScores);
    Slot value = get(valueRing);
    before.weighted = dot(before.weights, value.buffer, true, before.weighted);
    tile::PassOp::create(b);
    tile::DropOp::create(b, nextKey.slot);
    State after = softmax.weigh(tile, loop.getInductionVar(), next, &before);
    tile::DropOp::create(b, value.slot);
    scf::YieldOp::create(b, after.all());
  }
  State last = State::of(loop.getResults());
  Slot value = get(valueRing);
  last.weighted = dot(last.weights, value.buffer, true, last.weighted);
  tile::DropOp::create(b, value.slot);
  if (!inRegisters)
    tile::DropOp::create(b, query.slot);
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
  auto ring = [&](int64_t slots, int64_t rows, int64_t columns, Type element) -> Value {
    auto buffer = tile::SharedType::get(b.getContext(), {rows, columns}, element, 128, 0);
    return tile::RingOp::create(b, tile::RingType::get(b.getContext(), slots, {buffer}));
  };
  queryRing = ring(1, plan.rows, plan.depth, flash.queryType());
  keyRing = ring(2, plan.keys, plan.depth, flash.keyType());
  valueRing = ring(2, plan.keys, plan.columns, flash.factorType());
  queryMemory = castFactor(flash.query, flash.rowAxis, program.depthAxis());
  keyMemory = castFactor(flash.key, program.keyAxis(), program.depthAxis());
  valueMemory = castFactor(flash.value, program.keyAxis(), program.columnAxis());
  RoleRegisters registers = counter ? kForManyTiles : kForOneTile;
  buildRole("copy", 4, registers.copy,
            [&] { forTiles([&](const QueryTile &tile) { copyTile(tile); }); });
  buildRole("math", 4 * plan.warpgroups(), registers.math,
            [&] { forTiles([&](const QueryTile &tile) { computeTile(tile); }); });
  return counter != Value();
}

bool forge::buildWarpgroupFlash(func::FuncOp kernel, const FlashAttention &flash,
                                const FlashPlan &plan, const GPUChip &chip) {
  return WarpgroupFlash(kernel, flash, plan, chip).build();
}
