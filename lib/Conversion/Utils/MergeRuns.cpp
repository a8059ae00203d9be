// 1. The merge's first d elements are the first `left` of the left run and d - left of
//    the right one; bisection finds `left` (Odeh, Green, Mwassi, Shmueli, Birk: Merge Path, 2012),
//    so that a merge can begin at any place d.
// 2. Where nothing is known of the comparator, two searches may contradict each other, and their
//    chunks would overlap. So a chunk is found by halving: the place in the middle of the merge is
//    searched for first, then the one in the middle of the half that holds the chunk, and so on,
//    each between the two found before. All chunks of a merge find the same places, and each ends
//    where the next begins: every element is taken once, for any comparator. For a strict
//    weak order these are the places of 1.
#include "MergeRuns.h"

using namespace mlir;
using namespace forge;

SmallVector<Value> forge::createMerge(IndexBuilder ib, Part part, ValueRange source,
                                      const Lines &from, ValueRange target, const Lines &to,
                                      ComesBefore comesBefore, bool mayBeEmpty) {
  SmallVector<Value> carried = {part.left, part.right};
  llvm::append_range(carried, target);
  // A run that is used up is read at its last place, and the value not taken.
  Value one = ib.constant(1);
  Value lastLeft = ib.sub(part.leftEnd, one), lastRight = ib.sub(part.rightEnd, one);
  if (mayBeEmpty)
    lastLeft = ib.max(lastLeft, ib.constant(0));
  SmallVector<Value> results = ib.loops(
      part.lower, part.upper, carried, [&](IndexBuilder in, ValueRange place, ValueRange values) {
        Value left = values[0], right = values[1];
        SmallVector<Value> leftPlace = from.at(in.min(left, lastLeft));
        SmallVector<Value> rightPlace = from.at(in.min(right, lastRight));
        SmallVector<Value> leftHeads, rightHeads;
        for (Value tensor : source) {
          leftHeads.push_back(in.read(tensor, leftPlace));
          rightHeads.push_back(in.read(tensor, rightPlace));
        }
        Value leftUsedUp =
            in.b.createOrFold<arith::CmpIOp>(in.loc, arith::CmpIPredicate::sge, left, part.leftEnd);
        Value takeRight = in.b.createOrFold<arith::AndIOp>(
            in.loc, in.less(right, part.rightEnd), comesBefore(in.b, rightHeads, leftHeads));
        takeRight = in.b.createOrFold<arith::OrIOp>(in.loc, leftUsedUp, takeRight);
        SmallVector<Value> next = {in.select(takeRight, left, in.add(left, one)),
                                   in.select(takeRight, in.add(right, one), right)};
        for (auto [i, tensor] : llvm::enumerate(values.drop_front(2)))
          next.push_back(
              in.write(in.select(takeRight, rightHeads[i], leftHeads[i]), tensor, to.at(place[0])));
        return next;
      });
  return SmallVector<Value>(llvm::drop_begin(results, 2));
}

Value forge::constantLike(IndexBuilder ib, Value value, int64_t number) {
  return arith::ConstantOp::create(ib.b, ib.loc, ib.b.getIntegerAttr(value.getType(), number));
}

/// How many of the first `count` elements of a merge are the left run's: `low` to `high` of them.
/// The element in the middle is among them unless one comes before it that would be the last.
static Value createSplit(IndexBuilder ib, RunPair runs, Value count, Value low, Value high,
                         ReadPlace read, ComesBefore comesBefore) {
  auto search = scf::WhileOp::create(
      ib.b, ib.loc, TypeRange{low.getType(), high.getType()}, ValueRange{low, high},
      [&](OpBuilder &b, Location l, ValueRange range) {
        scf::ConditionOp::create(b, l, IndexBuilder{b, l}.less(range[0], range[1]), range);
      },
      [&](OpBuilder &b, Location l, ValueRange range) {
        IndexBuilder in{b, l};
        Value one = constantLike(in, count, 1);
        Value middle = arith::ShRUIOp::create(b, l, in.add(range[0], range[1]), one);
        Value partner = in.sub(in.sub(count, one), middle);
        SmallVector<Value> lefts = read(in, in.add(runs.begin, middle));
        SmallVector<Value> rights = read(in, in.add(runs.middle, partner));
        Value before = comesBefore(b, rights, lefts);
        scf::YieldOp::create(b, l,
                             ValueRange{in.select(before, range[0], in.add(middle, one)),
                                        in.select(before, middle, range[1])});
      });
  return search.getResult(0);
}

/// The part of a merge whose first place is `done` places behind the pair's, found by one search.
static void findBySearch(IndexBuilder ib, RunPair runs, Value done, Part &part, ReadPlace read,
                         ComesBefore comesBefore) {
  Value low = ib.max(constantLike(ib, done, 0), ib.sub(done, ib.sub(runs.end, runs.middle)));
  Value high = ib.min(done, ib.sub(runs.middle, runs.begin));
  Value lefts = createSplit(ib, runs, done, low, high, read, comesBefore);
  part.left = ib.add(runs.begin, lefts);
  part.right = ib.add(runs.middle, ib.sub(done, lefts));
  part.leftEnd = runs.middle;
  part.rightEnd = runs.end;
}

/// The same by halving the merge of `pairWidth` places, down to `partWidth`. Carried: the range of
/// places, and how many elements before its ends are the left run's.
static void findByHalving(IndexBuilder ib, RunPair runs, Value done, Value partWidth,
                          Value pairWidth, Part &part, ReadPlace read, ComesBefore comesBefore) {
  Value total = ib.sub(runs.end, runs.begin), zero = constantLike(ib, done, 0);
  SmallVector<Value> whole = {zero, pairWidth, zero, ib.sub(runs.middle, runs.begin)};
  SmallVector<Type> types(whole.size(), zero.getType());
  auto halving = scf::WhileOp::create(
      ib.b, ib.loc, types, whole,
      [&](OpBuilder &b, Location l, ValueRange range) {
        IndexBuilder in{b, l};
        Value isLarger = in.less(partWidth, in.sub(range[1], range[0]));
        scf::ConditionOp::create(b, l, isLarger, range);
      },
      [&](OpBuilder &b, Location l, ValueRange range) {
        IndexBuilder in{b, l};
        Value middle =
            arith::ShRUIOp::create(b, l, in.add(range[0], range[1]), constantLike(in, done, 1));
        // Behind the last place there are no more of either run.
        Value count = in.min(middle, total), last = in.min(range[1], total);
        Value low = in.max(range[2], in.sub(range[3], in.sub(last, count)));
        Value high = in.min(range[3], in.add(range[2], in.sub(count, range[0])));
        Value lefts = createSplit(in, runs, count, low, high, read, comesBefore);
        Value first = in.less(done, middle);
        scf::YieldOp::create(
            b, l,
            ValueRange{in.select(first, range[0], middle), in.select(first, middle, range[1]),
                       in.select(first, range[2], lefts), in.select(first, lefts, range[3])});
      });
  ValueRange found = halving.getResults();
  Value behind = ib.min(found[1], total);
  part.left = ib.add(runs.begin, found[2]);
  part.right = ib.add(runs.middle, ib.sub(found[0], found[2]));
  part.leftEnd = ib.add(runs.begin, found[3]);
  part.rightEnd = ib.add(runs.middle, ib.sub(behind, found[3]));
}

void forge::findPart(IndexBuilder ib, RunPair runs, Value done, Value partWidth, Value pairWidth,
                     Part &part, ReadPlace read, const Order &order) {
  if (order.isStrictWeak)
    findBySearch(ib, runs, done, part, read, order.comesBefore);
  else
    findByHalving(ib, runs, done, partWidth, pairWidth, part, read, order.comesBefore);
}

/// Comparisons of a round of a search.
static constexpr int64_t kProbes = 7;

Value forge::findSplitInRounds(IndexBuilder ib, RunPair runs, Value count, ReadPlace read,
                               ComesBefore comesBefore) {
  Value zero = constantLike(ib, count, 0), one = constantLike(ib, count, 1);
  Value lefts = ib.sub(runs.middle, runs.begin), rights = ib.sub(runs.end, runs.middle);
  Value low = ib.max(zero, ib.sub(count, rights)), high = ib.min(count, lefts);
  auto search = scf::WhileOp::create(
      ib.b, ib.loc, TypeRange{low.getType(), high.getType()}, ValueRange{low, high},
      [&](OpBuilder &b, Location l, ValueRange range) {
        scf::ConditionOp::create(b, l, IndexBuilder{b, l}.less(range[0], range[1]), range);
      },
      [&](OpBuilder &b, Location l, ValueRange range) {
        IndexBuilder in{b, l};
        Value extent = in.sub(range[1], range[0]), last = in.sub(count, one);
        SmallVector<Value> middles;
        SmallVector<SmallVector<Value>> leftHeads, rightHeads;
        for (int64_t i = 1; i <= kProbes; ++i) {
          Value share = in.mul(extent, constantLike(in, extent, i));
          share = b.createOrFold<arith::ShRUIOp>(l, share, constantLike(in, extent, 3));
          middles.push_back(in.add(range[0], share));
          leftHeads.push_back(read(in, in.add(runs.begin, middles.back())));
          rightHeads.push_back(read(in, in.add(runs.middle, in.sub(last, middles.back()))));
        }
        // Probes from the first one on up to one are too low, and the others high enough.
        Value newLow = range[0], newHigh = range[1];
        for (int64_t i = kProbes; i-- > 0;)
          newHigh = in.select(comesBefore(b, rightHeads[i], leftHeads[i]), middles[i], newHigh);
        for (int64_t i = 0; i < kProbes; ++i)
          newLow = in.select(comesBefore(b, rightHeads[i], leftHeads[i]), newLow,
                             in.add(middles[i], one));
        scf::YieldOp::create(b, l, ValueRange{newLow, newHigh});
      });
  return search.getResult(0);
}
