#include "BuildFlash.h"

#include "TileOrder.h"

#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

/// Registers of a thread; together 504 for three warpgroups, as many as a launch of 168 each gives.
/// A role that takes numbers of tiles from a counter needs more.
struct RoleRegisters {
  int64_t copy, math;
};
static constexpr RoleRegisters kForOneTile = {24, 240}, kForManyTiles = {40, 232};
/// The maximum may be behind by this much, as a power of two, before sums are scaled again: weights
/// are at most 256.
static constexpr double kMostBehind = 8;
static constexpr double kLog2E = 1.4426950408889634;

namespace {
/// 1. A role that copies tiles of queries, and blocks of keys and values, through three rings.
/// 2. A role of warpgroups with 64 rows each: the scores of the next block and the weighted values
///    of this one are under way while the other warpgroup computes exponentials.
class FlashBuilder {
public:
  FlashBuilder(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
               const GPUChip &chip)
      : b(kernel.getLoc(), kernel.getContext()), kernel(kernel), flash(flash),
        program(flash.program), plan(plan), chip(chip), order(b, flash, plan), values(b, program),
        sums(tile::wgmmaAccumulator(b.getContext(), plan.warpgroups())) {
    b.setInsertionPoint(kernel.getBody().front().getTerminator());
  }

  /// Whether blocks take tiles from a counter, which has become the last argument.
  bool build();

private:
  /// What goes from one block of keys to the next.
  struct State {
    /// Rows by columns; weights of the block before, rounded; of each row the maximum that weights
    /// are relative to, and the true one; sums of weights, of every eighth key.
    Value weighted, weights, base, largest, sum;

    SmallVector<Value> all() const { return {weighted, weights, base, largest, sum}; }
    static State of(ValueRange values) {
      return {values[0], values[1], values[2], values[3], values[4]};
    }
  };

  /// A role's region.
  void buildRole(StringRef name, int64_t warps, int64_t registers, function_ref<void()> body);
  /// `body` for each tile of queries that the block takes.
  void forTiles(function_ref<void(const QueryTile &)> body);
  void copyTile(const QueryTile &tile);
  void computeTile(const QueryTile &tile);
  /// Maximum, weights and their sum of a block's scores; what is known before, if it is not the
  /// first.
  State weigh(const QueryTile &tile, Value block, Value scores, const State *before);
  Value numbersOf(const QueryTile &tile, Value block, Value scores);
  Value mask(const QueryTile &tile, Value block, Value numbers);
  void finish(const QueryTile &tile, const State &state);
  void store(const AttentionWrite &write, const TileValue &value, const TilePlace &place);

  struct Slot {
    Value slot, buffer;
  };
  Slot get(Value ring);
  /// Whether a thread has registers for its part of a tile of queries: conditions take some, too.
  bool queriesInRegisters() const {
    return paddedDepth(flash) <= 128 && paddedColumns(flash) <= 128 &&
           flash.conditions.limits.size() <= 1 && flash.conditions.others.empty();
  }
  Value loadQueries(const Slot &query);
  void put(Value ring, Value memory, ArrayRef<Value> indices);
  Value castFactor(const AxisAccess &access, unsigned rows, unsigned inner);
  SmallVector<Value> indicesOf(const AxisAccess &access, const QueryTile &tile, unsigned rows,
                               Value first);

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value i32(int64_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  RankedTensorType matrix(int64_t columns, Type element) {
    return RankedTensorType::get({plan.rows, columns}, element, sums);
  }
  RankedTensorType rowsOf(Type element) {
    return RankedTensorType::get({plan.rows}, element, sums.dropDimensions({1}));
  }
  Value constant(RankedTensorType type, double value) {
    auto attribute = FloatAttr::get(type.getElementType(), value);
    return arith::ConstantOp::create(b, SplatElementsAttr::get(type, attribute));
  }
  Value overColumns(Value rows, int64_t columns) {
    Type element = getElementTypeOrSelf(rows.getType());
    return tile::BroadcastOp::create(b, matrix(columns, element), rows, b.getDenseI64ArrayAttr(1));
  }
  Value dot(Value left, Value right, bool transposed, Value accumulator) {
    int64_t columns = cast<RankedTensorType>(accumulator.getType()).getDimSize(1);
    return tile::DotOp::create(b, accumulator.getType(),
                               tile::DotKindAttr::get(b.getContext(), tile::DotKind::Wgmma),
                               b.getDenseI64ArrayAttr({64, columns, 16}), left, UnitAttr(), right,
                               transposed ? b.getUnitAttr() : UnitAttr(), accumulator);
  }
  /// 2^x, where results below the least normal number may be zero.
  Value exp2(Value x) {
    auto power = math::Exp2Op::create(b, x, arith::FastMathFlags::afn);
    power->setAttr("forge.normal", b.getUnitAttr());
    return power;
  }
  /// `maximum`, 0 where it is -inf: no key was seen.
  Value shifted(Value maximum) {
    RankedTensorType type = rowsOf(b.getF32Type());
    Value lowest = constant(type, -std::numeric_limits<double>::infinity());
    Value none = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum, lowest);
    return arith::SelectOp::create(b, none, constant(type, 0), maximum);
  }

  ImplicitLocOpBuilder b;
  func::FuncOp kernel;
  const FlashAttention &flash;
  const AttentionProgram &program;
  const FlashPlan &plan;
  const GPUChip &chip;
  TileOrder order;
  TileValues values;
  tile::LayoutAttr sums;
  /// Of the tiles that blocks take in turns, where there are more of these than blocks: tiles that
  /// see fewer keys than others take less time.
  Value counter, numTiles;
  Value queryRing, keyRing, valueRing;
  Value queryMemory, keyMemory, valueMemory;
};
} // namespace

//===----------------------------------------------------------------------===//
// The program

void FlashBuilder::buildRole(StringRef name, int64_t warps, int64_t registers,
                             function_ref<void()> body) {
  auto role = tile::RoleOp::create(b, b.getStringAttr(name), b.getI64IntegerAttr(warps),
                                   b.getI64IntegerAttr(registers));
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&role.getBody());
  body();
  tile::YieldOp::create(b);
}

void FlashBuilder::forTiles(function_ref<void(const QueryTile &)> body) {
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

/// The factor as memory of the places that it has, its rows and what is side by side.
Value FlashBuilder::castFactor(const AxisAccess &access, unsigned rows, unsigned inner) {
  SmallVector<AxisExtent> dims;
  for (unsigned axis : flash.places)
    if (access.strides[axis] != 0)
      dims.push_back({axis, flash.sizeOf(axis)});
  for (unsigned axis : {rows, inner})
    dims.push_back({axis, flash.sizeOf(axis)});
  return castToAxes(b, access, dims);
}

SmallVector<Value> FlashBuilder::indicesOf(const AxisAccess &access, const QueryTile &tile,
                                           unsigned rows, Value first) {
  SmallVector<Value> indices;
  for (unsigned axis : flash.places)
    if (access.strides[axis] != 0)
      indices.push_back(tile.begin[axis]);
  indices.push_back(first);
  indices.push_back(index(0));
  return indices;
}

void FlashBuilder::put(Value ring, Value memory, ArrayRef<Value> indices) {
  auto type = cast<tile::RingType>(ring.getType());
  auto put = tile::PutOp::create(b, ring);
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&put.getBody(), {}, type.getBuffers(), b.getLoc());
  tile::CopyOp::create(b, memory, indices, DenseI64ArrayAttr(), body->getArgument(0),
                       tile::CopyEngineAttr::get(b.getContext(), tile::CopyEngine::Tma),
                       /*align=*/IntegerAttr());
  tile::YieldOp::create(b);
}

FlashBuilder::Slot FlashBuilder::get(Value ring) {
  auto type = cast<tile::RingType>(ring.getType());
  auto get = tile::GetOp::create(b, tile::SlotType::get(b.getContext()), type.getBuffers(), ring);
  return {get.getSlot(), get.getBuffers().front()};
}

/// Keys of the first block, then those of the next one and values of this one in turns, as they are
/// needed.
void FlashBuilder::copyTile(const QueryTile &tile) {
  auto firstKey = [&](Value block) -> Value {
    Value key = arith::MulIOp::create(b, block, i32(plan.keys));
    return arith::IndexCastOp::create(b, b.getIndexType(), key);
  };
  auto putKeys = [&](Value block) {
    put(keyRing, keyMemory, indicesOf(flash.key, tile, program.keyAxis(), firstKey(block)));
  };
  auto putValues = [&](Value block) {
    put(valueRing, valueMemory, indicesOf(flash.value, tile, program.keyAxis(), firstKey(block)));
  };
  put(queryRing, queryMemory,
      indicesOf(flash.query, tile, flash.rowAxis, tile.begin[flash.rowAxis]));
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
Value FlashBuilder::loadQueries(const Slot &query) {
  auto type = matrix(paddedDepth(flash), getElementTypeOrSelf(flash.query.root.getType()));
  Value queries = tile::LoadOp::create(b, type, query.buffer, ValueRange{index(0), index(0)},
                                       DenseI64ArrayAttr(), ValueRange(), /*fill=*/Value(),
                                       b.getI64IntegerAttr(4));
  tile::DropOp::create(b, query.slot);
  return queries;
}

void FlashBuilder::computeTile(const QueryTile &tile) {
  Type f32 = b.getF32Type();
  Value noScores = constant(matrix(plan.keys, f32), 0);
  Slot query = get(queryRing);
  bool inRegisters = queriesInRegisters();
  Value queries = inRegisters ? loadQueries(query) : query.buffer;
  Slot key = get(keyRing);
  Value scores = dot(queries, key.buffer, false, noScores);
  tile::DropOp::create(b, key.slot);
  State first = weigh(tile, tile.firstBlock, scores, nullptr);
  first.weighted = constant(matrix(paddedColumns(flash), f32), 0);
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
    State after = weigh(tile, loop.getInductionVar(), next, &before);
    tile::DropOp::create(b, value.slot);
    scf::YieldOp::create(b, after.all());
  }
  State last = State::of(loop.getResults());
  Slot value = get(valueRing);
  last.weighted = dot(last.weights, value.buffer, true, last.weighted);
  tile::DropOp::create(b, value.slot);
  if (!inRegisters)
    tile::DropOp::create(b, query.slot);
  finish(tile, last);
}

//===----------------------------------------------------------------------===//
// One block of keys

/// What the exponential's argument is scale times.
Value FlashBuilder::numbersOf(const QueryTile &tile, Value block, Value scores) {
  TilePlace place(TileAxes{flash.rowAxis, program.keyAxis()});
  place.shape = {plan.rows, plan.keys};
  place.layout = sums;
  place.begin = tile.begin;
  place.limits = {flash.rows(), flash.keys()};
  Value firstKey = arith::MulIOp::create(b, block, i32(plan.keys));
  place.begin[program.keyAxis()] = arith::IndexCastOp::create(b, b.getIndexType(), firstKey);
  place.known[program.scores] = {scores, {true, true}};
  place.staysInF32 = true;
  TileValue number = values.valueOf(flash.number, place);
  Value numbers = values.spread(values.castTo(number, b.getF32Type(), place), place, true, true);
  Value lowest =
      constant(matrix(plan.keys, b.getF32Type()), -std::numeric_limits<double>::infinity());
  for (const KeyCondition &condition : flash.conditions.others) {
    Value holds = values.spread(values.valueOf(condition.place, place), place, true, true);
    numbers = condition.expected ? arith::SelectOp::create(b, holds, numbers, lowest)
                                 : arith::SelectOp::create(b, holds, lowest, numbers);
  }
  return mask(tile, block, numbers);
}

/// -inf beyond the limits, computed by warps that have such an element.
Value FlashBuilder::mask(const QueryTile &tile, Value block, Value numbers) {
  if (flash.conditions.limits.empty())
    return numbers;
  RankedTensorType rows = rowsOf(b.getI32Type()), all = matrix(plan.keys, b.getI32Type());
  auto columns = RankedTensorType::get({plan.keys}, b.getI32Type(), sums.dropDimensions({0}));
  Value firstKey = arith::MulIOp::create(b, block, i32(plan.keys));
  Value firstRow = arith::IndexCastOp::create(b, b.getI32Type(), tile.begin[flash.rowAxis]);
  Value row = arith::AddIOp::create(b, tensor::SplatOp::create(b, firstRow, rows),
                                    tile::IotaOp::create(b, rows, b.getI64IntegerAttr(0)));
  Value key = tile::IotaOp::create(b, columns, b.getI64IntegerAttr(0));
  // Of each limit the last or first key within the block.
  SmallVector<Value> ends;
  Value crosses;
  for (auto [limit, value] : llvm::zip_equal(flash.conditions.limits, tile.limits)) {
    Value known = arith::IndexCastOp::create(b, b.getI32Type(), value);
    Value inBlock = arith::SubIOp::create(b, known, firstKey);
    Value end = tensor::SplatOp::create(b, inBlock, rows);
    if (limit.perRow != 0) {
      Value factor = tensor::SplatOp::create(b, i32(limit.perRow), rows);
      end = arith::AddIOp::create(b, end, arith::MulIOp::create(b, row, factor));
    }
    Value edge = tensor::SplatOp::create(b, i32(limit.isUpper ? plan.keys - 1 : 0), rows);
    auto predicate = limit.isUpper ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt;
    Value here = arith::CmpIOp::create(b, predicate, end, edge);
    crosses = crosses ? arith::OrIOp::create(b, crosses, here).getResult() : here;
    ends.push_back(end);
  }
  auto when = tile::WhenOp::create(b, TypeRange{numbers.getType()}, crosses, ValueRange{numbers});
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&when.getBody());
  Value lowest =
      constant(matrix(plan.keys, b.getF32Type()), -std::numeric_limits<double>::infinity());
  Value keys = tile::BroadcastOp::create(b, all, key, b.getDenseI64ArrayAttr(0));
  Value masked = numbers;
  for (auto [limit, end] : llvm::zip_equal(flash.conditions.limits, ends)) {
    auto predicate = limit.isUpper ? arith::CmpIPredicate::sle : arith::CmpIPredicate::sge;
    Value holds = arith::CmpIOp::create(b, predicate, keys, overColumns(end, plan.keys));
    masked = arith::SelectOp::create(b, holds, masked, lowest);
  }
  tile::YieldOp::create(b, masked);
  return when.getResult(0);
}

FlashBuilder::State FlashBuilder::weigh(const QueryTile &tile, Value block, Value scores,
                                        const State *before) {
  Type f32 = b.getF32Type();
  constexpr int64_t lanes = 8; // Keys of one sum.
  RankedTensorType rows = rowsOf(f32), perLane = matrix(lanes, f32);
  tile::StageOp::create(b, "softmax");
  Value numbers = numbersOf(tile, block, scores);
  Value most =
      tile::ReduceOp::create(b, rows, tile::ReduceKind::Max, numbers, b.getDenseI64ArrayAttr(1));
  double scale = flash.scale * kLog2E;
  State state;
  // 1. The maximum that weights are relative to, and what it changes in sums of before.
  Value moved, factor, sum = constant(perLane, 0);
  state.base = state.largest = most;
  if (before) {
    state.largest = arith::MaximumFOp::create(b, before->largest, most);
    Value rise = arith::MulFOp::create(b, arith::SubFOp::create(b, most, before->base),
                                       constant(rows, scale));
    moved = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, rise, constant(rows, kMostBehind));
    Value ones = constant(rows, 1);
    auto when = tile::WhenOp::create(b, TypeRange{rows, rows, perLane}, moved,
                                     ValueRange{before->base, ones, before->sum});
    {
      OpBuilder::InsertionGuard guard(b);
      b.createBlock(&when.getBody());
      Value higher = arith::MaximumFOp::create(b, before->base, most);
      Value change = arith::SubFOp::create(b, before->base, shifted(higher));
      Value shrink = exp2(arith::MulFOp::create(b, change, constant(rows, scale)));
      Value less = arith::MulFOp::create(b, before->sum, overColumns(shrink, lanes));
      tile::YieldOp::create(b, ValueRange{higher, shrink, less});
    }
    state.base = when.getResult(0);
    factor = when.getResult(1);
    sum = when.getResult(2);
  }
  // 2. Weights.
  Value shift = arith::MulFOp::create(b, shifted(state.base), constant(rows, -scale));
  RankedTensorType all = matrix(plan.keys, f32);
  Value weights =
      exp2(math::FmaOp::create(b, numbers, constant(all, scale), overColumns(shift, plan.keys)));
  // 3. Sums of a thread's own elements, without those of other lanes.
  auto loop = scf::ForOp::create(b, index(0), index(plan.keys), index(lanes), ValueRange{sum});
  loop->setAttr(tile::kUnrollAttr, b.getUnitAttr());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Value part =
        tile::SliceOp::create(b, perLane, weights, ValueRange{index(0), loop.getInductionVar()});
    Value more = arith::AddFOp::create(b, loop.getRegionIterArg(0), part);
    scf::YieldOp::create(b, more);
  }
  state.sum = loop.getResult(0);
  state.weights = arith::TruncFOp::create(b, matrix(plan.keys, flash.factorType()), weights);
  if (!before)
    return state;
  // 4. The weighted values so far, where the maximum has moved.
  auto when = tile::WhenOp::create(b, TypeRange{before->weighted.getType()}, moved,
                                   ValueRange{before->weighted});
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&when.getBody());
    Value factors = overColumns(factor, paddedColumns(flash));
    tile::YieldOp::create(b, Value(arith::MulFOp::create(b, before->weighted, factors)));
  }
  state.weighted = when.getResult(0);
  return state;
}

//===----------------------------------------------------------------------===//
// Results

/// Numbers of a row from the base that they are relative to to that of the operations; what follows
/// is computed and stored.
void FlashBuilder::finish(const QueryTile &tile, const State &state) {
  tile::StageOp::create(b, "epilogue");
  Type f32 = b.getF32Type();
  RankedTensorType rows = rowsOf(f32);
  TilePlace place(TileAxes{flash.rowAxis, program.columnAxis()});
  place.shape = {plan.rows, paddedColumns(flash)};
  place.layout = sums;
  place.begin = tile.begin;
  place.limits = {flash.rows(), flash.sizeOf(program.columnAxis())};
  place.begin[program.columnAxis()] = index(0);
  auto scaled = [&](Value number) -> Value {
    return arith::MulFOp::create(b, number, constant(rows, flash.scale));
  };
  place.known[program.largest] = {scaled(state.largest), {true, false}};
  TileValue baseOfRow = values.valueOf({program.exponentials, program.base}, place);
  Value base = values.spread(values.castTo(baseOfRow, f32, place), place, true, false);
  Value lowest = constant(rows, -std::numeric_limits<double>::infinity());
  Value none = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, state.base, lowest);
  Value factor = math::ExpOp::create(b, arith::SubFOp::create(b, scaled(state.base), base));
  factor = arith::SelectOp::create(b, none, constant(rows, 0), factor);
  Value sum =
      tile::ReduceOp::create(b, rows, tile::ReduceKind::Add, state.sum, b.getDenseI64ArrayAttr(1));
  sum = arith::MulFOp::create(b, sum, factor);
  place.known[program.sums] = {sum, {true, false}};
  if (program.rowFactor) {
    TileValue number = values.valueOf({program.rowFactor->stage, program.rowFactor->value}, place);
    Value ofRow = values.spread(values.castTo(number, f32, place), place, true, false);
    factor = program.rowFactor->divides ? arith::DivFOp::create(b, factor, ofRow).getResult()
                                        : arith::MulFOp::create(b, factor, ofRow).getResult();
  }
  Value weighted =
      arith::MulFOp::create(b, state.weighted, overColumns(factor, paddedColumns(flash)));
  place.known[program.weighted] = {weighted, {true, true}};
  for (const AttentionWrite &write : program.writes)
    store(write, values.resultOf(write.stage, write.result, place), place);
}

void FlashBuilder::store(const AttentionWrite &write, const TileValue &value,
                         const TilePlace &place) {
  const AttentionStage &stage = program.stages[write.stage];
  linalg::GenericOp op = stage.op;
  unsigned operand = op.getNumDpsInputs() + write.result;
  AxisAccess access = *axisAccessOf(op->getOperand(operand), op.getIndexingMapsArray()[operand],
                                    stage.axes, program.columnAxis() + 1);
  SmallVector<AxisExtent> dims;
  SmallVector<Value> indices, limits;
  SmallVector<int64_t> tileDims;
  for (unsigned axis : flash.places) {
    dims.push_back({axis, flash.sizeOf(axis)});
    indices.push_back(place.begin[axis]);
  }
  for (unsigned dim : {0u, 1u}) {
    if (dim == 1 && !write.perColumn)
      continue;
    tileDims.push_back(static_cast<int64_t>(dims.size()));
    dims.push_back({place.axes[dim], flash.sizeOf(place.axes[dim])});
    indices.push_back(place.begin[place.axes[dim]]);
    limits.push_back(index(place.limits[dim]));
  }
  Value memory = castToAxes(b, access, dims);
  Value result = values.spread(value, place, true, write.perColumn);
  int64_t bytes = access.elementBytes(), align = 0;
  if (write.perColumn) {
    // Eight neighbours of a row to a thread where an element has two bytes, otherwise two.
    constexpr int64_t wide = 16;
    align = access.alignmentAlong(place.axes[1], bytes, bytes == 2 ? wide : 2 * bytes);
    if (bytes == 2 && align == wide) {
      auto type = cast<RankedTensorType>(result.getType());
      using Entry = tile::LayoutEntry;
      SmallVector<Entry> reg = {{1, 0}, {1, 1}, {1, 2}, {0, 3}};
      SmallVector<Entry> lane = {{1, 3}, {1, 4}, {0, 0}, {0, 1}, {0, 2}};
      auto layout = tile::LayoutAttr::get(b.getContext(), 2, reg, lane, sums.getWarp());
      result = tile::ConvertOp::create(
          b, RankedTensorType::get(type.getShape(), type.getElementType(), layout), result);
    }
  }
  bool isWhole =
      flash.rows() % plan.rows == 0 && (!write.perColumn || place.limits[1] == place.shape[1]);
  if (isWhole)
    limits.clear();
  tile::StoreOp::create(b, result, memory, indices, b.getDenseI64ArrayAttr(tileDims), limits,
                        align ? b.getI64IntegerAttr(align) : IntegerAttr());
}

bool FlashBuilder::build() {
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
  Type element = getElementTypeOrSelf(flash.query.root.getType());
  queryRing = ring(1, plan.rows, paddedDepth(flash), element);
  keyRing = ring(2, plan.keys, paddedDepth(flash), element);
  valueRing = ring(2, plan.keys, paddedColumns(flash), flash.factorType());
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

bool forge::buildFlash(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                       const GPUChip &chip) {
  return FlashBuilder(kernel, flash, plan, chip).build();
}
