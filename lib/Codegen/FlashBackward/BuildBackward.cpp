#include "BuildBackward.h"

#include "BackwardMask.h"

#include "../FlashAttention/StoreResult.h"

#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

/// Registers of a thread; together 504 for three warpgroups, as many as a launch of 168 each gives.
/// A role that copies needs more where it divides numbers of tiles into turns, and has more where
/// the others need few.
struct RoleRegisters {
  int64_t copy, math;
};
static constexpr RoleRegisters kForFew = {56, 224}, kForTurns = {40, 232}, kForMany = {24, 240};
static constexpr int64_t kFewRegisters = 168;
static constexpr int64_t kSlots = 2;
static constexpr double kLog2E = 1.4426950408889634;

namespace {
/// 1. A role that copies the block's own factors once, and those of the tiles that it goes through
///    in turns.
/// 2. A role of warpgroups with 64 of the block's rows or keys each: products of a tile, the
/// weights
///    and what follows from them, which stay in registers as factors of the sums.
class BackwardBuilder {
public:
  BackwardBuilder(func::FuncOp kernel, const FlashBackward &flash, const BackwardPlan &plan)
      : b(kernel.getLoc(), kernel.getContext()), kernel(kernel), flash(flash), graph(flash.graph()),
        plan(plan), tiles(b, flash, plan), values(b, graph),
        layout(tile::wgmmaAccumulator(b.getContext(), plan.warpgroups())) {
    b.setInsertionPoint(kernel.getBody().front().getTerminator());
  }

  void build();

private:
  struct Slot {
    Value slot, buffer;
  };

  void buildRole(StringRef name, int64_t warps, int64_t registers,
                 function_ref<void(const BackwardWork &)> body);
  void copy(const BackwardWork &work);
  void compute(const BackwardWork &work);
  /// Adds tile `number` to `sums`, and gives back its slots; those before it are dropped.
  SmallVector<Value> addTile(const BackwardWork &work, Value number, ValueRange before,
                             SmallVector<Value> &sums);
  Value weightsOf(const BackwardWork &work, TilePlace &place);
  /// Where numbers of rows are the same for all tiles, they are read once, to `rowNumbers`.
  void readRows(const BackwardWork &work);
  TilePlace placeOf(ArrayRef<Value> begin);
  void finish(const BackwardWork &work, ValueRange sums);

  Value castFactor(const BackwardFactor &factor, unsigned axis);
  void put(Value ring, Value memory, const BackwardFactor &factor, unsigned axis,
           ArrayRef<Value> begin);
  Slot get(Value ring);
  /// Dimensions of memory that a factor has besides its inner one and the tile's.
  SmallVector<unsigned> outerAxes(const BackwardFactor &factor, unsigned axis) const;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value i32(int64_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  RankedTensorType matrix(int64_t columns, Type element) {
    return RankedTensorType::get({plan.own, columns}, element, layout);
  }
  Value constant(RankedTensorType type, double value) {
    auto attribute = FloatAttr::get(type.getElementType(), value);
    return arith::ConstantOp::create(b, SplatElementsAttr::get(type, attribute));
  }
  Value dot(Value left, Value right, bool transposed, Value accumulator) {
    int64_t columns = cast<RankedTensorType>(accumulator.getType()).getDimSize(1);
    return tile::DotOp::create(b, accumulator.getType(),
                               tile::DotKindAttr::get(b.getContext(), tile::DotKind::Wgmma),
                               b.getDenseI64ArrayAttr({64, columns, 16}), left, UnitAttr(), right,
                               transposed ? b.getUnitAttr() : UnitAttr(), accumulator);
  }

  ImplicitLocOpBuilder b;
  func::FuncOp kernel;
  const FlashBackward &flash;
  const AttentionProgram &graph;
  const BackwardPlan &plan;
  BackwardTiles tiles;
  TileValues values;
  tile::LayoutAttr layout;
  SmallVector<Value> ownRings, copiedRings, ownMemory, copiedMemory, ownBuffers;
  llvm::DenseMap<Value, TileValue> rowNumbers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Roles and copies
//===----------------------------------------------------------------------===//

void BackwardBuilder::buildRole(StringRef name, int64_t warps, int64_t registers,
                                function_ref<void(const BackwardWork &)> body) {
  auto role = tile::RoleOp::create(b, b.getStringAttr(name), b.getI64IntegerAttr(warps),
                                   b.getI64IntegerAttr(registers));
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&role.getBody());
  body(tiles.workOf(arith::IndexCastOp::create(
      b, b.getI32Type(), gpu::BlockIdOp::create(b, gpu::Dimension::x).getResult())));
  tile::YieldOp::create(b);
}

SmallVector<unsigned> BackwardBuilder::outerAxes(const BackwardFactor &factor,
                                                 unsigned axis) const {
  SmallVector<unsigned> axes;
  for (unsigned other = 0; other < graph.keyAxis(); ++other)
    if (other != axis && factor.access.strides[other] != 0)
      axes.push_back(other);
  return axes;
}

Value BackwardBuilder::castFactor(const BackwardFactor &factor, unsigned axis) {
  SmallVector<AxisExtent> dims;
  for (unsigned other : outerAxes(factor, axis))
    dims.push_back({other, flash.sizeOf(other)});
  for (unsigned other : {axis, factor.inner})
    dims.push_back({other, flash.sizeOf(other)});
  return castToAxes(b, factor.access, dims);
}

void BackwardBuilder::put(Value ring, Value memory, const BackwardFactor &factor, unsigned axis,
                          ArrayRef<Value> begin) {
  SmallVector<Value> indices;
  for (unsigned other : outerAxes(factor, axis))
    indices.push_back(begin[other]);
  indices.push_back(begin[axis]);
  indices.push_back(index(0));
  auto type = cast<tile::RingType>(ring.getType());
  auto put = tile::PutOp::create(b, ring);
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&put.getBody(), {}, type.getBuffers(), b.getLoc());
  tile::CopyOp::create(b, memory, indices, DenseI64ArrayAttr(), body->getArgument(0),
                       tile::CopyEngineAttr::get(b.getContext(), tile::CopyEngine::Tma),
                       /*align=*/IntegerAttr());
  tile::YieldOp::create(b);
}

BackwardBuilder::Slot BackwardBuilder::get(Value ring) {
  auto type = cast<tile::RingType>(ring.getType());
  auto get = tile::GetOp::create(b, tile::SlotType::get(b.getContext()), type.getBuffers(), ring);
  return {get.getSlot(), get.getBuffers().front()};
}

void BackwardBuilder::copy(const BackwardWork &work) {
  for (auto [number, factor] : llvm::enumerate(flash.owned))
    put(ownRings[number], ownMemory[number], factor, flash.own, work.begin);
  auto loop = scf::ForOp::create(b, i32(0), work.count, i32(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  SmallVector<Value> begin = tiles.beginOf(work, loop.getInductionVar());
  for (auto [number, factor] : llvm::enumerate(flash.copied))
    put(copiedRings[number], copiedMemory[number], factor, flash.along, begin);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void BackwardBuilder::compute(const BackwardWork &work) {
  SmallVector<Slot> own;
  for (Value ring : ownRings)
    own.push_back(get(ring));
  ownMemory.assign(own.size(), Value());
  ownBuffers = llvm::map_to_vector(own, [](const Slot &slot) { return slot.buffer; });
  readRows(work);
  SmallVector<Value> sums;
  for (const ScoreProgram::Sum &sum : flash.program.sums)
    sums.push_back(constant(matrix(flash.padded(sum.inner), b.getF32Type()), 0));
  // The products of the next tile are under way before the slots of this one are given back.
  SmallVector<Value> carried = addTile(work, i32(0), {}, sums);
  size_t numSlots = carried.size();
  llvm::append_range(carried, sums);
  auto loop = scf::ForOp::create(b, i32(1), work.count, i32(1), carried);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    ValueRange arguments = loop.getRegionIterArgs();
    sums = llvm::to_vector(arguments.drop_front(numSlots));
    SmallVector<Value> next =
        addTile(work, loop.getInductionVar(), arguments.take_front(numSlots), sums);
    llvm::append_range(next, sums);
    scf::YieldOp::create(b, next);
  }
  for (Value slot : loop.getResults().take_front(numSlots))
    tile::DropOp::create(b, slot);
  for (const Slot &slot : own)
    tile::DropOp::create(b, slot.slot);
  finish(work, loop.getResults().drop_front(numSlots));
}

TilePlace BackwardBuilder::placeOf(ArrayRef<Value> begin) {
  TilePlace place(flash.axes());
  place.shape = {plan.own, plan.along};
  place.layout = layout;
  place.begin = llvm::to_vector(begin);
  place.limits = {flash.sizeOf(flash.own), flash.sizeOf(flash.along)};
  place.staysInF32 = true;
  place.computed = rowNumbers;
  return place;
}

void BackwardBuilder::readRows(const BackwardWork &work) {
  if (!flash.overKeys)
    return;
  TilePlace place = placeOf(work.begin);
  for (auto [number, stage] : llvm::enumerate(graph.stages)) {
    if (!stage.runsOver(flash.own) || !stage.runsOver(flash.along) ||
        stage.op.getNumReductionLoops() > 0)
      continue;
    for (unsigned i = 0; i < stage.op.getNumDpsInputs(); ++i) {
      BlockArgument argument = stage.op.getBody()->getArgument(i);
      if (stage.operands[i].kind != RowContent::Memory || argument.use_empty() ||
          !isa<ShapedType>(stage.op->getOperand(i).getType()))
        continue;
      auto access = axisAccessOf(stage.op->getOperand(i), stage.op.getIndexingMapsArray()[i],
                                 stage.axes, graph.columnAxis() + 1);
      if (access && access->strides[flash.own] != 0 && access->strides[flash.along] == 0)
        values.valueOf({static_cast<int>(number), argument}, place);
    }
  }
  rowNumbers = std::move(place.computed);
}

SmallVector<Value> BackwardBuilder::addTile(const BackwardWork &work, Value number,
                                            ValueRange before, SmallVector<Value> &sums) {
  Value none = constant(matrix(plan.along, b.getF32Type()), 0);
  TilePlace place = placeOf(tiles.beginOf(work, number));
  SmallVector<Slot> slots(flash.copied.size());
  auto copied = [&](unsigned factor) {
    if (!slots[factor].slot)
      slots[factor] = get(copiedRings[factor]);
    return slots[factor].buffer;
  };
  for (auto [i, product] : llvm::enumerate(flash.program.products)) {
    Value right = copied(flash.ofProduct[i]);
    place.known[product.stage] = {dot(ownBuffers[i], right, false, none), {true, true}};
  }
  for (Value slot : before)
    tile::DropOp::create(b, slot);
  tile::StageOp::create(b, "softmax");
  place.computed[flash.exponential] = {weightsOf(work, place), {true, true}};
  for (auto [i, sum] : llvm::enumerate(flash.program.sums)) {
    TileValue value = values.valueOf(flash.program.numberOf(sum), place);
    Type type = flash.factorType();
    Value numbers = values.spread(values.castTo(value, type, place), place, true, true);
    sums[i] = dot(numbers, copied(flash.ofSum[i]), true, sums[i]);
  }
  return llvm::map_to_vector(slots, [](const Slot &slot) { return slot.slot; });
}

/// exp(scale * number - base): 0 where a condition does not hold.
Value BackwardBuilder::weightsOf(const BackwardWork &work, TilePlace &place) {
  RankedTensorType all = matrix(plan.along, b.getF32Type());
  auto numbersOf = [&](AttentionGraph::Place of) {
    return values.castTo(values.valueOf(of, place), b.getF32Type(), place);
  };
  Value numbers = values.spread(numbersOf(flash.number), place, true, true);
  Value lowest = constant(all, -std::numeric_limits<double>::infinity());
  for (const KeyCondition &condition : flash.conditions.others) {
    Value holds = values.spread(values.valueOf(condition.place, place), place, true, true);
    numbers = condition.expected ? arith::SelectOp::create(b, holds, numbers, lowest)
                                 : arith::SelectOp::create(b, holds, lowest, numbers);
  }
  numbers = maskNumbers(b, values, flash, work, place, numbers);
  TileValue base = numbersOf(flash.base);
  Value factor;
  if (auto type = dyn_cast<RankedTensorType>(base.value.getType()))
    factor = constant(type, -kLog2E);
  else
    factor = arith::ConstantOp::create(b, FloatAttr::get(b.getF32Type(), -kLog2E));
  base.value = arith::MulFOp::create(b, base.value, factor);
  Value shift = values.spread(base, place, true, true);
  auto power = math::Exp2Op::create(
      b, math::FmaOp::create(b, numbers, constant(all, flash.scale * kLog2E), shift).getResult(),
      arith::FastMathFlags::afn);
  power->setAttr("forge.normal", b.getUnitAttr());
  return power;
}

void BackwardBuilder::finish(const BackwardWork &work, ValueRange sums) {
  tile::StageOp::create(b, "epilogue");
  for (const AttentionWrite &write : flash.program.writes) {
    const AttentionStage &stage = graph.stages[write.stage];
    unsigned inner = stage.runsOver(graph.depthAxis()) ? graph.depthAxis() : graph.columnAxis();
    TilePlace place(TileAxes{flash.own, inner});
    place.shape = {plan.own, flash.padded(inner)};
    place.layout = layout;
    place.begin = work.begin;
    place.begin[inner] = index(0);
    place.limits = {flash.sizeOf(flash.own), flash.sizeOf(inner)};
    for (auto [sum, value] : llvm::zip_equal(flash.program.sums, sums))
      if (sum.inner == inner)
        place.known[sum.stage] = {value, {true, true}};
    storeResult(b, values, graph, write, flash.places, place);
  }
}

void BackwardBuilder::build() {
  kernel->setAttr(tile::kGridAttr, b.getDenseI64ArrayAttr(tiles.numBlocks()));
  auto ring = [&](int64_t slots, int64_t rows, int64_t columns) -> Value {
    auto buffer =
        tile::SharedType::get(b.getContext(), {rows, columns}, flash.factorType(), 128, 0);
    return tile::RingOp::create(b, tile::RingType::get(b.getContext(), slots, {buffer}));
  };
  for (const BackwardFactor &factor : flash.owned) {
    ownRings.push_back(ring(1, plan.own, flash.padded(factor.inner)));
    ownMemory.push_back(castFactor(factor, flash.own));
  }
  for (const BackwardFactor &factor : flash.copied) {
    copiedRings.push_back(ring(kSlots, plan.along, flash.padded(factor.inner)));
    copiedMemory.push_back(castFactor(factor, flash.along));
  }
  RoleRegisters registers = heldRegisters(flash, plan) <= kFewRegisters ? kForFew
                            : flash.turns.empty()                       ? kForMany
                                                                        : kForTurns;
  buildRole("copy", 4, registers.copy, [&](const BackwardWork &work) { copy(work); });
  buildRole("math", 4 * plan.warpgroups(), registers.math,
            [&](const BackwardWork &work) { compute(work); });
}

void forge::buildBackward(func::FuncOp kernel, const FlashBackward &flash,
                          const BackwardPlan &plan) {
  BackwardBuilder(kernel, flash, plan).build();
}
