#include "OnlineSoftmax.h"

#include "StoreResult.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace forge;

/// The maximum may be behind by this much, as a power of two, before sums are scaled again: weights
/// are at most 256.
static constexpr double kMostBehind = 8;
static constexpr double kLog2E = 1.4426950408889634;
static constexpr double kLowest = -std::numeric_limits<double>::infinity();

Value OnlineSoftmax::shifted(Value maximum) {
  RankedTensorType type = rowsOf(b.getF32Type());
  Value none =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum, constant(type, kLowest));
  return arith::SelectOp::create(b, none, constant(type, 0), maximum);
}

/// Scores times `scale` less the base times it, with one rounding, are off by what rounding the
/// latter takes, for all of a row alike. Of large bases, as of rows whose keys are all masked, that
/// is out of range; they are multiplied by a power of two instead, and other scores than the base
/// are so far below that their weights are nothing either way.
Value OnlineSoftmax::factorsOf(Value base, double scale) {
  RankedTensorType type = rowsOf(b.getF32Type());
  Value size = math::AbsFOp::create(b, base), factors = constant(type, scale);
  auto multiplyBy = [&](double factor, double from) {
    Value isLarge =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, size, constant(type, from / scale));
    factors = arith::SelectOp::create(b, isLarge, constant(type, factor), factors);
  };
  // Weights of f16 are at most 2^12 then, others 2^40.
  multiplyBy(std::exp2(std::floor(std::log2(scale))), flash.weightType().isF16() ? 0x1p27 : 0x1p30);
  if (scale > 1)
    multiplyBy(0x1p-8, 0x1p126);
  return factors;
}

Value OnlineSoftmax::slice(Value from, Value first, int64_t size) {
  Type type = matrix(size, getElementTypeOrSelf(from.getType()));
  Value zero = index(0);
  return tile::SliceOp::create(b, type, from,
                               plan.rowsLast ? ValueRange{first, zero} : ValueRange{zero, first});
}

TilePlace OnlineSoftmax::placeOf(const QueryTile &tile, unsigned axis, int64_t size, int64_t limit,
                                 Value first) const {
  TilePlace place(TileAxes{flash.rowAxis, axis});
  place.shape = {plan.rows, size};
  place.limits = {flash.rows(), limit};
  if (plan.rowsLast) {
    std::swap(place.axes[0], place.axes[1]);
    std::swap(place.shape[0], place.shape[1]);
    std::swap(place.limits[0], place.limits[1]);
  }
  place.layout = sums;
  place.begin = tile.begin;
  place.begin[axis] = first;
  return place;
}

//===----------------------------------------------------------------------===//
// One block of keys

/// What the exponential's argument is scale times.
Value OnlineSoftmax::numbersOf(const QueryTile &tile, Value block, Value scores) {
  Value firstKey = arith::MulIOp::create(b, block, i32(plan.keys));
  TilePlace place = placeOf(tile, program.keyAxis(), plan.keys, flash.keys(),
                            arith::IndexCastOp::create(b, b.getIndexType(), firstKey));
  place.known[program.scores] = known(scores, true);
  place.staysInF32 = true;
  TileValue number = values.valueOf(flash.number, place);
  Value numbers = spread(values.castTo(number, b.getF32Type(), place), place, true);
  Value lowest = constant(matrix(plan.keys, b.getF32Type()), kLowest);
  for (const KeyCondition &condition : flash.conditions.others) {
    Value holds = spread(values.valueOf(condition.place, place), place, true);
    numbers = condition.expected ? arith::SelectOp::create(b, holds, numbers, lowest)
                                 : arith::SelectOp::create(b, holds, lowest, numbers);
  }
  return maskNumbers(b, values, tile.limits, place, rowDim(), numbers, /*byVote=*/true);
}

OnlineSoftmax::State OnlineSoftmax::start() {
  State state;
  state.weighted = zeros(plan.columns);
  state.base = state.largest = constant(rowsOf(b.getF32Type()), kLowest);
  state.sum = zeros(atom());
  return state;
}

OnlineSoftmax::State OnlineSoftmax::weigh(const QueryTile &tile, Value block, Value scores,
                                          const State *before) {
  Type f32 = b.getF32Type();
  int64_t lanes = atom(); // Keys of one sum.
  RankedTensorType rows = rowsOf(f32), perLane = matrix(lanes, f32);
  tile::StageOp::create(b, "softmax");
  Value numbers = numbersOf(tile, block, scores);
  Value most = reduced(tile::ReduceKind::Max, numbers);
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
  Value base = shifted(state.base), factors = factorsOf(base, scale);
  Value shift = arith::MulFOp::create(b, base, arith::NegFOp::create(b, factors));
  Value weights = exp2(math::FmaOp::create(b, numbers, overColumns(factors, plan.keys),
                                           overColumns(shift, plan.keys)));
  // 3. Sums of a thread's own elements, without those of other lanes.
  auto loop = scf::ForOp::create(b, index(0), index(plan.keys), index(lanes), ValueRange{sum});
  loop->setAttr(tile::kUnrollAttr, b.getUnitAttr());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Value part = slice(weights, loop.getInductionVar(), lanes);
    Value more = arith::AddFOp::create(b, loop.getRegionIterArg(0), part);
    scf::YieldOp::create(b, more);
  }
  state.sum = loop.getResult(0);
  state.weights = weights;
  if (!flash.weightType().isF32())
    state.weights = arith::TruncFOp::create(b, matrix(plan.keys, flash.weightType()), weights);
  if (!before)
    return state;
  // 4. The weighted values so far, where the maximum has moved.
  auto when = tile::WhenOp::create(b, TypeRange{before->weighted.getType()}, moved,
                                   ValueRange{before->weighted});
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&when.getBody());
    Value factors = overColumns(factor, plan.columns);
    tile::YieldOp::create(b, Value(arith::MulFOp::create(b, before->weighted, factors)));
  }
  state.weighted = when.getResult(0);
  return state;
}

OnlineSoftmax::State OnlineSoftmax::combine(const State &a, const State &b2) {
  State state;
  state.base = arith::MaximumFOp::create(b, a.base, b2.base);
  state.largest = arith::MaximumFOp::create(b, a.largest, b2.largest);
  Value to = shifted(state.base), scale = constant(rowsOf(b.getF32Type()), flash.scale * kLog2E);
  auto add = [&](Value sum, const State &part, Value State::*of, int64_t size) -> Value {
    Value change = arith::SubFOp::create(b, part.base, to);
    Value factor = overColumns(exp2(arith::MulFOp::create(b, change, scale)), size);
    if (!sum)
      return arith::MulFOp::create(b, part.*of, factor);
    return math::FmaOp::create(b, part.*of, factor, sum);
  };
  for (const State *part : {&a, &b2}) {
    state.weighted = add(state.weighted, *part, &State::weighted, plan.columns);
    state.sum = add(state.sum, *part, &State::sum, atom());
  }
  return state;
}

//===----------------------------------------------------------------------===//
// Results

/// Numbers of a row from the base that they are relative to to that of the operations; what follows
/// is computed and stored.
void OnlineSoftmax::finish(const QueryTile &tile, const State &state) {
  tile::StageOp::create(b, "epilogue");
  Type f32 = b.getF32Type();
  RankedTensorType rows = rowsOf(f32);
  TilePlace place = placeOf(tile, program.columnAxis(), plan.columns,
                            flash.sizeOf(program.columnAxis()), index(0));
  auto scaled = [&](Value number) -> Value {
    return arith::MulFOp::create(b, number, constant(rows, flash.scale));
  };
  place.known[program.largest] = known(scaled(state.largest), false);
  TileValue baseOfRow = values.valueOf({program.exponentials, program.base}, place);
  Value base = spread(values.castTo(baseOfRow, f32, place), place, false);
  Value none =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, state.base, constant(rows, kLowest));
  Value factor = math::ExpOp::create(b, arith::SubFOp::create(b, scaled(state.base), base));
  // What rounding the base times its factor has multiplied weights by.
  Value ofWeights = shifted(state.base), factors = factorsOf(ofWeights, flash.scale * kLog2E);
  Value rounded = arith::MulFOp::create(b, ofWeights, factors);
  Value off = math::FmaOp::create(b, ofWeights, arith::NegFOp::create(b, factors), rounded);
  factor = arith::MulFOp::create(b, factor, exp2(off));
  factor = arith::SelectOp::create(b, none, constant(rows, 0), factor);
  Value sum = arith::MulFOp::create(b, reduced(tile::ReduceKind::Add, state.sum), factor);
  place.known[program.sums] = known(sum, false);
  for (const AttentionProgram::RowFactor &rowFactor : program.rowFactors) {
    TileValue number = values.valueOf({rowFactor.stage, rowFactor.value}, place);
    if (!rowFactor.isCondition())
      number = values.castTo(number, f32, place);
    factor = rowFactor.applyTo(b, factor, spread(number, place, false), constant(rows, 0));
  }
  Value weighted = arith::MulFOp::create(b, state.weighted, overColumns(factor, plan.columns));
  place.known[program.weighted] = known(weighted, true);
  for (const AttentionWrite &write : program.writes)
    storeResult(b, values, program, write, flash.places, place, rowDim());
}
