#include "BuildBackward.h"

#include "BackwardTiles.h"

#include "../FlashAttention/RoleBuilder.h"
#include "../FlashAttention/StoreResult.h"

#include "../Tile/BuildRole.h"

#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

/// Registers of a thread; together 504 for three warpgroups, as many as a launch of 168 each gives.
/// A role that copies has more where the others need few.
struct RoleRegisters {
  int64_t copy, math;
};
static constexpr RoleRegisters kForFew = {56, 224}, kForMany = {24, 240};
static constexpr int64_t kFewRegisters = 168;

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
        plan(plan), tiles(b, flash, plan), roles(b, graph), values(b, graph),
        layout(tile::wgmmaAccumulator(b.getContext(), plan.warpgroups())) {
    b.setInsertionPoint(kernel.getBody().front().getTerminator());
  }

  void build();

private:
  using Ring = RoleBuilder::Ring;
  using Slot = RoleBuilder::Slot;

  void buildRole(StringRef name, int64_t warps, int64_t registers,
                 function_ref<void(const BackwardWork &)> body);
  void copy(const BackwardWork &work);
  void compute(const BackwardWork &work);
  /// Adds a tile to `sums`, and gives back its slots; those before it are dropped.
  SmallVector<Value> addTile(const BackwardWork &work, const BackwardPosition &position,
                             ValueRange before, SmallVector<Value> &sums);
  Value weightsOf(const BackwardWork &work, TilePlace &place);
  Value lessBase(Value numbers, Value negatedBase);
  Value negated(TileValue number, TilePlace &place);
  /// Numbers that are the same for all tiles are read once, to `ownNumbers`.
  void readOwnNumbers(const BackwardWork &work);
  TilePlace placeOf(ArrayRef<Value> begin);
  void finish(const BackwardWork &work, ValueRange sums);

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
  ImplicitLocOpBuilder b;
  func::FuncOp kernel;
  const FlashBackward &flash;
  const AttentionProgram &graph;
  const BackwardPlan &plan;
  BackwardTiles tiles;
  RoleBuilder roles;
  TileValues values;
  tile::LayoutAttr layout;
  /// One for each factor; vectors are copied with the first of the tiles' factors.
  SmallVector<Ring> ownRings, copiedRings;
  SmallVector<Value> ownBuffers;
  llvm::DenseMap<Value, TileValue> ownNumbers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Roles and copies
//===----------------------------------------------------------------------===//

void BackwardBuilder::buildRole(StringRef name, int64_t warps, int64_t registers,
                                function_ref<void(const BackwardWork &)> body) {
  forge::buildRole(b, name, warps, registers, [&] {
    body(tiles.workOf(arith::IndexCastOp::create(
        b, b.getI32Type(), gpu::BlockIdOp::create(b, gpu::Dimension::x).getResult())));
  });
}

void BackwardBuilder::copy(const BackwardWork &work) {
  for (const Ring &ring : ownRings)
    roles.put(ring, work.begin);
  auto loop = scf::ForOp::create(b, i32(0), work.count, i32(1), tiles.first().all());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  BackwardPosition position = BackwardPosition::of(loop.getRegionIterArgs());
  SmallVector<Value> begin = tiles.beginOf(work, position);
  for (const Ring &ring : copiedRings)
    roles.put(ring, begin);
  scf::YieldOp::create(b, tiles.next(work, position).all());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void BackwardBuilder::compute(const BackwardWork &work) {
  SmallVector<Slot> own;
  for (const Ring &ring : ownRings)
    own.push_back(roles.get(ring));
  ownBuffers = llvm::map_to_vector(own, [](const Slot &slot) { return slot.buffers.front(); });
  readOwnNumbers(work);
  SmallVector<Value> sums;
  for (const ScoreProgram::Sum &sum : flash.program.sums)
    sums.push_back(constant(matrix(flash.padded(sum.inner), b.getF32Type()), 0));
  // The products of the next tile are under way before the slots of this one are given back.
  BackwardPosition first = tiles.first();
  SmallVector<Value> carried = addTile(work, first, {}, sums);
  size_t numSlots = carried.size();
  llvm::append_range(carried, sums);
  llvm::append_range(carried, tiles.next(work, first).all());
  auto loop = scf::ForOp::create(b, i32(1), work.count, i32(1), carried);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    ValueRange arguments = loop.getRegionIterArgs();
    sums = llvm::to_vector(arguments.slice(numSlots, sums.size()));
    auto position = BackwardPosition::of(arguments.take_back(BackwardPosition::kNumValues));
    SmallVector<Value> next = addTile(work, position, arguments.take_front(numSlots), sums);
    llvm::append_range(next, sums);
    llvm::append_range(next, tiles.next(work, position).all());
    scf::YieldOp::create(b, next);
  }
  for (Value slot : loop.getResults().take_front(numSlots))
    tile::DropOp::create(b, slot);
  for (const Slot &slot : own)
    roles.drop(slot);
  finish(work, loop.getResults().slice(numSlots, sums.size()));
}

TilePlace BackwardBuilder::placeOf(ArrayRef<Value> begin) {
  TilePlace place(flash.axes());
  place.shape = {plan.own, plan.along};
  place.layout = layout;
  place.begin = llvm::to_vector(begin);
  place.limits = {flash.sizeOf(flash.own), flash.sizeOf(flash.along)};
  place.staysInF32 = true;
  place.computed = ownNumbers;
  return place;
}

void BackwardBuilder::readOwnNumbers(const BackwardWork &work) {
  TilePlace place = placeOf(work.begin);
  for (const BackwardVector &vector : flash.ownedVectors) {
    TileValue numbers = values.valueOf(vector.readers.front(), place);
    for (AttentionGraph::Place reader : vector.readers)
      ownNumbers[reader.value] = numbers;
  }
}

SmallVector<Value> BackwardBuilder::addTile(const BackwardWork &work,
                                            const BackwardPosition &position, ValueRange before,
                                            SmallVector<Value> &sums) {
  Value none = constant(matrix(plan.along, b.getF32Type()), 0);
  TilePlace place = placeOf(tiles.beginOf(work, position));
  SmallVector<Slot> slots(flash.copied.size());
  auto bufferOf = [&](unsigned factor) {
    if (!slots[factor].slot)
      slots[factor] = roles.get(copiedRings[factor]);
    return slots[factor].buffers.front();
  };
  for (auto [i, product] : llvm::enumerate(flash.program.products)) {
    Value right = bufferOf(flash.ofProduct[i]);
    place.known[product.stage] = {roles.dot(ownBuffers[i], right, false, none), {true, true}};
    // The sums of the tile before have ended then, and the registers of their factors are free.
    if (i == 0)
      for (Value slot : before)
        tile::DropOp::create(b, slot);
  }
  for (auto [vector, buffer] :
       llvm::zip_equal(flash.copiedVectors, ArrayRef(slots.front().buffers).drop_front()))
    for (AttentionGraph::Place reader : vector.readers)
      place.buffers[reader.value] = {buffer, {false, true}};
  tile::StageOp::create(b, "softmax");
  place.computed[flash.exponential] = {weightsOf(work, place), {true, true}};
  auto numbersOf = [&](const FlashBackward::Term &term) {
    TileValue value = values.valueOf(term.number, place);
    return values.spread(values.castTo(value, flash.factorType(), place), place, true, true);
  };
  // Numbers of the last sum follow from most, and leave least of it.
  SmallVector<Value> numbers(sums.size());
  if (!sumsOverlap(flash, plan))
    for (size_t i = numbers.size(); i-- > 0;)
      numbers[i] = numbersOf(flash.terms[i]);
  for (auto [i, term] : llvm::enumerate(flash.terms))
    sums[i] = roles.dot(numbers[i] ? numbers[i] : numbersOf(term), bufferOf(flash.ofSum[i]), true,
                        sums[i]);
  return llvm::map_to_vector(slots, [](const Slot &slot) { return slot.slot; });
}

/// -number, for all of a tile.
Value BackwardBuilder::negated(TileValue number, TilePlace &place) {
  number.value = arith::NegFOp::create(b, number.value);
  return values.spread(number, place, true, true);
}

/// scale * number - base, which is 0 for the number that the base is of, however low it is: the
/// product is rounded as it was there. A score of products is not known that precisely.
Value BackwardBuilder::lessBase(Value numbers, Value negatedBase) {
  if (flash.scale == 1)
    return arith::AddFOp::create(b, numbers, negatedBase);
  Value scale = constant(cast<RankedTensorType>(numbers.getType()), flash.scale);
  int exponent;
  bool isExact = std::abs(std::frexp(flash.scale, &exponent)) == 0.5;
  if (isExact || flash.isPlain())
    return math::FmaOp::create(b, numbers, scale, negatedBase);
  Value scaled = arith::MulFOp::create(b, numbers, scale);
  return arith::AddFOp::create(b, scaled, negatedBase);
}

/// 2^(power * (scale * number - base) - logSum): 0 where a condition does not hold.
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
  numbers = maskNumbers(b, values, work.limits, place, /*ownDim=*/0, numbers, /*byVote=*/false);
  Value exponent = lessBase(numbers, negated(numbersOf(flash.base), place));
  Value factor = constant(all, flash.power);
  if (flash.logSum.value)
    exponent = math::FmaOp::create(b, exponent, factor, negated(numbersOf(flash.logSum), place));
  else
    exponent = arith::MulFOp::create(b, exponent, factor);
  auto power = math::Exp2Op::create(b, exponent, arith::FastMathFlags::afn);
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
    for (auto [sum, term, value] : llvm::zip_equal(flash.program.sums, flash.terms, sums)) {
      if (sum.inner != inner)
        continue;
      Value scaled = value;
      if (term.scale != 1)
        scaled = arith::MulFOp::create(
            b, value, constant(cast<RankedTensorType>(value.getType()), term.scale));
      place.known[sum.stage] = {scaled, {true, true}};
    }
    storeResult(b, values, graph, write, flash.places, place);
  }
}

void BackwardBuilder::build() {
  kernel->setAttr(tile::kGridAttr, b.getDenseI64ArrayAttr(tiles.numBlocks()));
  for (const BackwardFactor &factor : flash.owned)
    ownRings.push_back(roles.makeRing(
        /*slots=*/1, {roles.factor(factor.access, plan.own, flash.own, factor.inner)}));
  for (const BackwardFactor &factor : flash.copied) {
    SmallVector<CopiedMemory> buffers = {
        roles.factor(factor.access, plan.along, flash.along, factor.inner)};
    if (copiedRings.empty())
      for (const BackwardVector &vector : flash.copiedVectors)
        buffers.push_back(roles.vector(vector.access, plan.along, flash.along));
    copiedRings.push_back(roles.makeRing(BackwardPlan::kSlots, std::move(buffers)));
  }
  RoleRegisters registers = heldRegisters(flash, plan) <= kFewRegisters ? kForFew : kForMany;
  buildRole("copy", 4, registers.copy, [&](const BackwardWork &work) { copy(work); });
  buildRole("math", 4 * plan.warpgroups(), registers.math,
            [&](const BackwardWork &work) { compute(work); });
}

void forge::buildBackward(func::FuncOp kernel, const FlashBackward &flash,
                          const BackwardPlan &plan) {
  BackwardBuilder(kernel, flash, plan).build();
}
