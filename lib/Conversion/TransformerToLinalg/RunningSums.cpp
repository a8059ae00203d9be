#include "RunningSums.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

RunningSums::RunningSums(ImplicitLocOpBuilder &b, OpFoldResult rows, OpFoldResult length)
    : b(b), rows(rows) {
  if (std::optional<int64_t> known = getConstantIntValue(length)) {
    auto most = [](int64_t limit, int64_t count) {
      return std::min<int64_t>(limit, llvm::PowerOf2Ceil(std::max<int64_t>(count, 1)));
    };
    blockSize = most(blockSize, *known);
    groupSize = most(groupSize, llvm::divideCeil(*known, blockSize));
    int64_t groups = llvm::divideCeil(*known, blockSize * groupSize);
    numGroups = b.getIndexAttr(groups);
    numBlocks = b.getIndexAttr(groups * groupSize);
    filledSize = b.getIndexAttr(groups * groupSize * blockSize);
    return;
  }
  IndexBuilder ib{b, b.getLoc()};
  Value groups =
      arith::CeilDivUIOp::create(b, cast<Value>(length), ib.constant(groupSize * blockSize));
  numGroups = groups;
  numBlocks = ib.mul(groups, groupSize);
  filledSize = ib.mul(groups, groupSize * blockSize);
}

/// The sums of every `size` neighbours of `values`, [rows, count * size], as [rows, count].
Value RunningSums::emitSums(Value values, OpFoldResult count, int64_t size) {
  Sizes divided = {rows, count, b.getIndexAttr(size)};
  Value parts = emitExpanded(b, values, {{0}, {1, 2}}, divided);
  return emitReduction(b, divided, 2, 0, b.getF64Type(), {{parts, b.getMultiDimIdentityMap(3)}},
                       [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                         return arith::AddFOp::create(inner, args[1], args[0]);
                       });
}

RunningSums::Levels RunningSums::emitLevels(Value weights) {
  Value blocks = emitSums(weights, numBlocks, blockSize);
  return {weights, blocks, emitSums(blocks, numGroups, groupSize)};
}

static Value real(OpBuilder &b, Location loc, double value) {
  return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
}

/// As many as there are where they are wanted, and none else.
static Value countIf(IndexBuilder in, Value isWanted, Value count) {
  return in.select(isWanted, count, in.constant(0));
}

Value RunningSums::groupsIf(IndexBuilder in, Value isWanted) const {
  return countIf(in, isWanted, getValueOrCreateConstantIndexOp(in.b, in.loc, numGroups));
}

Value RunningSums::emitSum(IndexBuilder in, const Levels &levels, Value row, Value isWanted) const {
  return in
      .loops(groupsIf(in, isWanted), real(in.b, in.loc, 0),
             [&](IndexBuilder inner, ValueRange group, ValueRange values) {
               Value sum = inner.read(levels.groups, {row, group[0]});
               return SmallVector<Value>{arith::AddFOp::create(inner.b, inner.loc, values[0], sum)};
             })
      .front();
}

Value RunningSums::emitPlace(IndexBuilder in, const Levels &levels, Value row,
                             arith::CmpFPredicate predicate, Value target, Value isWanted) const {
  // Steps of the search: a place, what is summed up before it, the sum so far, and whether there is
  // more to search.
  auto search = [&](Value from, Value to, Value place, Value before, Value tensor) {
    Value searches = arith::ConstantOp::create(in.b, in.loc, in.b.getBoolAttr(true));
    return in.loops(from, to, {place, before, before, searches},
                    [&](IndexBuilder inner, ValueRange at, ValueRange values) {
                      ImplicitLocOpBuilder step(inner.loc, inner.b);
                      Value part = inner.read(tensor, {row, at[0]});
                      Value isPart = arith::CmpFOp::create(step, arith::CmpFPredicate::OGT, part,
                                                           real(step, inner.loc, 0));
                      Value isNext = arith::AndIOp::create(step, isPart, values[3]);
                      Value sum = arith::AddFOp::create(step, values[2], part);
                      Value reached = arith::CmpFOp::create(step, predicate, sum, target);
                      Value isFound = arith::AndIOp::create(step, isNext, reached);
                      return SmallVector<Value>{inner.select(isNext, at[0], values[0]),
                                                inner.select(isNext, values[2], values[1]),
                                                inner.select(isNext, sum, values[2]),
                                                arith::XOrIOp::create(step, values[3], isFound)};
                    });
  };
  Value zero = in.constant(0);
  SmallVector<Value> found =
      search(zero, groupsIf(in, isWanted), zero, real(in.b, in.loc, 0), levels.groups);
  for (auto [values, size] : {std::pair(levels.blocks, groupSize), {levels.weights, blockSize}}) {
    Value first = in.mul(found[0], size);
    Value end = in.add(first, countIf(in, isWanted, in.constant(size)));
    found = search(first, end, first, found[1], values);
  }
  return found[0];
}
