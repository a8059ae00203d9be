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
        Value one = in.constant(1);
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
  Value low = ib.max(ib.constant(0), ib.sub(done, ib.sub(runs.end, runs.middle)));
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
  Value total = ib.sub(runs.end, runs.begin), zero = ib.constant(0);
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
        Value middle = arith::ShRUIOp::create(b, l, in.add(range[0], range[1]), in.constant(1));
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

namespace {
/// A search between `low` and `high` for how many of the first `count` elements are the left run's.
struct Split {
  Value count, low, high;
};
} // namespace

/// One round of a search: what of its range is left between two neighbouring probes.
static void narrow(IndexBuilder in, RunPair runs, Split &split, ReadPlace read,
                   ComesBefore comesBefore) {
  Value one = in.constant(1), extent = in.sub(split.high, split.low);
  Value isOpen = in.less(split.low, split.high);
  // A search that has ended reads somewhere.
  Value last = in.max(in.sub(split.high, one), split.low);
  Value lastLeft = in.max(in.sub(in.sub(runs.middle, runs.begin), one), in.constant(0));
  Value lastRight = in.max(in.sub(in.sub(runs.end, runs.middle), one), in.constant(0));
  SmallVector<Value> middles;
  SmallVector<SmallVector<Value>> lefts, rights;
  for (int64_t i = 0; i < kProbes; ++i) {
    Value share = in.b.createOrFold<arith::ShRUIOp>(in.loc, in.mul(extent, i + 1), in.constant(3));
    Value middle = in.min(in.add(split.low, share), last);
    Value partner = in.sub(in.sub(split.count, one), middle);
    middles.push_back(middle);
    lefts.push_back(read(in, in.add(runs.begin, in.min(middle, lastLeft))));
    rights.push_back(
        read(in, in.add(runs.middle, in.max(in.min(partner, lastRight), in.constant(0)))));
  }
  Value low = split.low, high = split.high;
  for (int64_t i = 0; i < kProbes; ++i) {
    Value before = comesBefore(in.b, rights[i], lefts[i]);
    Value isLower = in.b.createOrFold<arith::AndIOp>(in.loc, isOpen, before);
    Value isHigher = in.b.createOrFold<arith::XOrIOp>(in.loc, isOpen, isLower);
    high = in.select(isLower, in.min(high, middles[i]), high);
    low = in.select(isHigher, in.max(low, in.add(middles[i], one)), low);
  }
  split.low = low;
  split.high = high;
}

void forge::findWholePart(IndexBuilder ib, RunPair runs, Value done, Value partWidth,
                          Value pairWidth, Part &part, ReadPlace read, const Order &order) {
  if (!order.isStrictWeak)
    return findByHalving(ib, runs, done, partWidth, pairWidth, part, read, order.comesBefore);
  Value lefts = ib.sub(runs.middle, runs.begin), rights = ib.sub(runs.end, runs.middle);
  Value behind = ib.min(ib.add(done, partWidth), ib.add(lefts, rights));
  SmallVector<Value> range;
  for (Value count : {done, behind}) {
    range.push_back(ib.max(ib.constant(0), ib.sub(count, rights)));
    range.push_back(ib.min(count, lefts));
  }
  SmallVector<Type> types(range.size(), done.getType());
  auto search = scf::WhileOp::create(
      ib.b, ib.loc, types, range,
      [&](OpBuilder &b, Location l, ValueRange now) {
        IndexBuilder in{b, l};
        Value isOpen =
            b.createOrFold<arith::OrIOp>(l, in.less(now[0], now[1]), in.less(now[2], now[3]));
        scf::ConditionOp::create(b, l, isOpen, now);
      },
      [&](OpBuilder &b, Location l, ValueRange now) {
        Split first{done, now[0], now[1]}, second{behind, now[2], now[3]};
        narrow(IndexBuilder{b, l}, runs, first, read, order.comesBefore);
        narrow(IndexBuilder{b, l}, runs, second, read, order.comesBefore);
        scf::YieldOp::create(b, l, ValueRange{first.low, first.high, second.low, second.high});
      });
  Value from = search.getResult(0), to = search.getResult(2);
  part.left = ib.add(runs.begin, from);
  part.right = ib.add(runs.middle, ib.sub(done, from));
  part.leftEnd = ib.add(runs.begin, to);
  part.rightEnd = ib.add(runs.middle, ib.sub(behind, to));
}
